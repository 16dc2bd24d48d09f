//! A model call as a stream: lazily sent, read event by event.

use std::sync::Arc;

use bytes::Bytes;
use futures::stream::unfold;
use vernal_core::message::PartContent;
use vernal_core::model::{ChatResponse, ModelError, ModelEvent, ModelStream, Prompt};

use super::bounds::bounded;
use super::framing::{Decoder, Framing};
use super::whole::{Body, kind_of, read_whole};
use super::{Dialect, Events, Origin, Progress, response_error};
use crate::http::{Reply, SseError};

/// The answer as a stream.
pub(crate) fn stream<D: Dialect>(dialect: Arc<D>, prompt: Prompt) -> ModelStream {
    let state = Running {
        dialect,
        phase: Phase::Start(prompt),
        events: Events::new(),
        failed: None,
    };
    Box::pin(unfold(Box::new(state), |mut running| async move {
        let item = running.next().await?;
        Some((item, running))
    }))
}

struct Running<D: Dialect> {
    dialect: Arc<D>,
    phase: Phase<D>,
    events: Events,
    /// What ended the stream; it is told after the events that came before it.
    failed: Option<ModelError>,
}

enum Phase<D: Dialect> {
    Start(Prompt),
    Open(Box<Open<D>>),
    Over,
}

/// A stream that the server has begun.
struct Open<D: Dialect> {
    reply: Reply,
    prepared: D::Prepared,
    decoder: Decoder,
    collector: D::Collector,
}

impl<D: Dialect> Running<D> {
    /// The next item. After an error, and after the whole answer, there is none.
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(Ok(event));
            }
            if let Some(error) = self.failed.take() {
                return Some(Err(error));
            }
            if let Err(error) = self.step().await? {
                self.phase = Phase::Over;
                self.failed = Some(error);
            }
        }
    }

    /// Goes on until there is an event or a change of phase; `None` when all is over.
    async fn step(&mut self) -> Option<Result<(), ModelError>> {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Start(prompt) => Some(self.start(&prompt).await),
            Phase::Open(open) => Some(self.read_on(open).await),
            Phase::Over => None,
        }
    }

    async fn start(&mut self, prompt: &Prompt) -> Result<(), ModelError> {
        let prepared = self.dialect.prepare(prompt, true)?;
        let url = self.dialect.url(&prepared);
        let mut reply = self.dialect.http().post(url, D::body(&prepared)).await?;
        let Some((kind, begun)) = look(&mut reply).await? else {
            return Err(only_blanks(&self.dialect.origin(reply.request_id())));
        };
        // A line of JSON looks like a whole answer, and is one to be read as a stream.
        if kind == Body::Events || (kind == Body::Json && D::FRAMING == Framing::Lines) {
            let mut decoder = Decoder::new(D::FRAMING, reply.limits.event);
            decoder.push(&begun);
            let collector = D::Collector::default();
            self.take_events(Box::new(Open {
                reply,
                prepared,
                decoder,
                collector,
            }))
        } else {
            let request_id = reply.request_id().map(str::to_owned);
            let body = whole(begun, reply).await?;
            let origin = self.dialect.origin(request_id.as_deref());
            let answer = read_whole(&*self.dialect, kind, &body, &prepared, &origin)?;
            self.tell_whole(answer);
            Ok(())
        }
    }

    async fn read_on(&mut self, mut open: Box<Open<D>>) -> Result<(), ModelError> {
        match open.reply.chunk().await {
            Ok(Some(chunk)) => open.decoder.push(&chunk),
            Ok(None) => {
                open.decoder.end();
                self.take_events_of(&mut open)?;
                return self.complete(*open);
            }
            // Some servers never end the body, or break off, after they said that the answer ended.
            Err(error) if D::progress(&open.collector) != Progress::Open && is_cut(&error) => {
                return self.complete(*open);
            }
            Err(error) => return Err(error),
        }
        self.take_events(open)
    }

    /// Reads the events that are there and goes on with the rest of the stream, or completes it.
    fn take_events(&mut self, mut open: Box<Open<D>>) -> Result<(), ModelError> {
        self.take_events_of(&mut open)?;
        if D::progress(&open.collector) == Progress::Done {
            return self.complete(*open);
        }
        self.phase = Phase::Open(open);
        Ok(())
    }

    fn take_events_of(&mut self, open: &mut Open<D>) -> Result<(), ModelError> {
        let Self {
            dialect, events, ..
        } = self;
        let origin = dialect.origin(open.reply.request_id());
        take_events(
            &**dialect,
            &mut open.decoder,
            &mut open.collector,
            &open.prepared,
            &origin,
            events,
        )
    }

    fn complete(&mut self, open: Open<D>) -> Result<(), ModelError> {
        let Open {
            reply,
            prepared,
            collector,
            ..
        } = open;
        let origin = self.dialect.origin(reply.request_id());
        let response = self
            .dialect
            .finish(collector, &prepared, &origin, &mut self.events)?;
        let response = bounded(response, &origin)?;
        self.events
            .push_back(ModelEvent::Completed(Box::new(response)));
        reply.release();
        Ok(())
    }

    /// An answer that came whole although a stream was asked for.
    fn tell_whole(&mut self, response: ChatResponse) {
        let parts = response
            .generation()
            .map(|first| first.message.parts())
            .unwrap_or_default();
        let mut index = 0;
        for part in parts {
            match &part.content {
                PartContent::Text(text) => {
                    self.events.push_back(ModelEvent::TextDelta(text.clone()));
                }
                PartContent::Reasoning(text) => {
                    self.events
                        .push_back(ModelEvent::ReasoningDelta(text.clone()));
                }
                PartContent::ToolCall(call) => {
                    let id = (!call.synthetic_id).then(|| call.id.clone());
                    let name = call.name.clone();
                    self.events
                        .push_back(ModelEvent::ToolCallStarted { index, id, name });
                    let arguments = call.arguments.0.clone();
                    self.events
                        .push_back(ModelEvent::ToolCallDelta { index, arguments });
                    index += 1;
                }
                _ => {}
            }
        }
        self.events
            .push_back(ModelEvent::Completed(Box::new(response)));
    }
}

fn is_cut(error: &ModelError) -> bool {
    error.is_connection() || error.is_timeout()
}

/// Reads the events that are there, up to the one that ends the stream.
pub(super) fn take_events<D: Dialect>(
    dialect: &D,
    decoder: &mut Decoder,
    collector: &mut D::Collector,
    prepared: &D::Prepared,
    origin: &Origin<'_>,
    events: &mut Events,
) -> Result<(), ModelError> {
    while D::progress(collector) != Progress::Done {
        match decoder.next_event() {
            Ok(Some(event)) => dialect.take(collector, event, prepared, origin, events)?,
            Ok(None) => return Ok(()),
            Err(error) => return Err(unreadable(error, origin)),
        }
    }
    Ok(())
}

fn unreadable(error: SseError, origin: &Origin<'_>) -> ModelError {
    let what = match error {
        SseError::TooLarge => "is larger than the limit `event`",
        SseError::NotUtf8 => "is not valid UTF-8",
        #[cfg(feature = "bedrock")]
        SseError::Checksum => "does not fit its checksum: it was damaged on the way",
        #[cfg(feature = "bedrock")]
        SseError::Malformed => "is no frame of an event stream",
    };
    response_error(
        format!("an event in the answer of {} {what}", origin.server),
        origin,
    )
}

/// The most blanks before an answer, in bytes: some servers send one now and then while they think.
const MOST_BLANKS: usize = 64 << 10;

/// Reads until it can be told what the body is; `None` where too many blanks come first.
async fn look(reply: &mut Reply) -> Result<Option<(Body, Bytes)>, ModelError> {
    let mut begun = Bytes::new();
    while let Some(chunk) = reply.chunk().await? {
        begun = if begun.is_empty() {
            chunk
        } else {
            [begun, chunk].concat().into()
        };
        if let Some(kind) = kind_of(&begun) {
            return Ok(Some((kind, begun)));
        }
        if begun.len() > MOST_BLANKS {
            return Ok(None);
        }
    }
    Ok(Some((Body::Events, begun)))
}

fn only_blanks(origin: &Origin<'_>) -> ModelError {
    let text = format!(
        "the answer of {} begins with more than {MOST_BLANKS} bytes of blanks, the most that are read; \
         check the server",
        origin.server
    );
    response_error(text, origin)
}

/// The whole body, of which some has been read.
async fn whole(begun: Bytes, mut reply: Reply) -> Result<Bytes, ModelError> {
    let Some(second) = reply.chunk().await? else {
        return Ok(begun);
    };
    let mut body = [begun, second].concat();
    while let Some(chunk) = reply.chunk().await? {
        body.extend_from_slice(&chunk);
    }
    Ok(body.into())
}
