//! A model call as a stream: lazily sent, read event by event, and sent again where it fails before
//! there was an event to tell.

use std::sync::Arc;

use bytes::Bytes;
use futures::stream::unfold;
use tokio::time::Instant;
use vernal_core::message::PartContent;
use vernal_core::model::{ChatResponse, ModelError, ModelEvent, ModelStream, Prompt};

use super::bounds::bounded;
use super::framing::{Decoder, Framing};
use super::whole::{Body, kind_of, looks_like_events, read_whole};
use super::{Dialect, Events, Origin, Progress, response_error};
use crate::http::{Failure, Reply, SseError, Tries};

/// The answer as a stream.
pub(crate) fn stream<D: Dialect>(dialect: Arc<D>, prompt: Prompt) -> ModelStream {
    let state = Running {
        dialect,
        phase: Phase::Start(prompt),
        events: Events::new(),
        failed: None,
        retries: 0,
        has_acted: false,
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
    /// How often the call was made again.
    retries: u32,
    /// Whether a tool of the provider was at work, which another try would set to work again.
    has_acted: bool,
}

enum Phase<D: Dialect> {
    Start(Prompt),
    /// Something was told, and more is to come.
    Open(D::Prepared, Box<Open<D>>),
    Over,
}

/// A stream that the server has begun.
struct Open<D: Dialect> {
    reply: Reply,
    decoder: Decoder,
    collector: D::Collector,
    /// When something was last said, or the reader asked for more of it.
    last_said: Instant,
}

/// The rest of a stream; `None` once the whole answer is there.
type Rest<D> = Option<Box<Open<D>>>;

impl<D: Dialect> Running<D> {
    /// The next item. After an error, and after the whole answer, there is none.
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        // The time that the reader took is not the server's.
        if let Phase::Open(_, open) = &mut self.phase {
            open.last_said = Instant::now();
        }
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
            Phase::Open(prepared, open) => Some(match self.read_on(&prepared, open).await {
                Ok(rest) => {
                    self.keep(prepared, rest);
                    Ok(())
                }
                Err(failure) => Err(failure.error.with_retries(self.retries)),
            }),
            Phase::Over => None,
        }
    }

    /// Sends the prompt, and again where that may help, until something of an answer can be told.
    async fn start(&mut self, prompt: &Prompt) -> Result<(), ModelError> {
        let dialect = self.dialect.clone();
        let prepared = dialect.prepare_paired(prompt, true)?;
        let mut tries = dialect.http().tries(prompt);
        loop {
            self.retries = tries.retries();
            match self.begin(&prepared, &tries).await {
                Ok(rest) => {
                    dialect.http().answered();
                    self.keep(prepared, rest);
                    return Ok(());
                }
                Err(failure) if !self.events.is_empty() => {
                    return Err(failure.error.with_retries(self.retries));
                }
                Err(failure) if self.has_acted => {
                    let error = failure.error.with_retryable(false);
                    return Err(error.with_retries(self.retries));
                }
                Err(failure) => {
                    let http = dialect.http();
                    http.wait_to_try_again(failure, &mut tries).await?;
                }
            }
        }
    }

    fn keep(&mut self, prepared: D::Prepared, rest: Rest<D>) {
        if let Some(open) = rest {
            self.phase = Phase::Open(prepared, open);
        }
    }

    /// One try, up to the first event that is told.
    async fn begin(&mut self, prepared: &D::Prepared, tries: &Tries) -> Result<Rest<D>, Failure> {
        let (url, body) = (self.dialect.url(prepared), D::body(prepared));
        let mut reply = self.dialect.http().post(url, body, tries).await?;
        let Some((kind, begun)) = look(&mut reply).await? else {
            let error = only_blanks(&self.dialect.origin(reply.request_id()));
            return Err(Failure::last(error));
        };
        let is_stream = match D::FRAMING {
            // Words that are no events are an error, and told as such.
            Framing::Events => kind == Body::Events && looks_like_events(&begun),
            // A line of JSON looks like a whole answer, and is one to be read as a stream.
            Framing::Lines => kind != Body::Html,
            #[cfg(feature = "bedrock")]
            Framing::Frames => kind == Body::Events,
        };
        if is_stream {
            let mut decoder = Decoder::new(D::FRAMING, reply.limits.event);
            decoder.push(&begun);
            let open = Open {
                reply,
                decoder,
                collector: D::Collector::default(),
                last_said: Instant::now(),
            };
            let mut rest = self.take_events(prepared, Box::new(open))?;
            while let Some(open) = rest.take_if(|_| self.events.is_empty()) {
                rest = self.read_on(prepared, open).await?;
            }
            return Ok(rest);
        }
        let body = whole(begun, &mut reply).await?;
        let origin = self.dialect.origin_of_body(&reply);
        let answer = read_whole(&*self.dialect, kind, &body, prepared, &origin);
        self.tell_whole(answer.map_err(|error| reply.failure(error))?);
        Ok(None)
    }

    async fn read_on(
        &mut self,
        prepared: &D::Prepared,
        mut open: Box<Open<D>>,
    ) -> Result<Rest<D>, Failure> {
        // Some servers tell the reason to end before the end, or never end the body.
        let quiet = match D::progress(&open.collector) {
            Progress::Open => open.reply.limits.quiet,
            Progress::Ended | Progress::Done => open.reply.limits.ending,
        };
        match open.reply.chunk_after(open.last_said, quiet).await {
            Ok(Some(chunk)) => open.decoder.push(&chunk),
            Ok(None) => {
                self.take_last_event(prepared, &mut open)?;
                return self.complete(prepared, *open);
            }
            // Some servers never end the body, or break off, after they said that the answer ended.
            Err(Failure { error, .. })
                if D::progress(&open.collector) != Progress::Open && is_cut(&error) =>
            {
                return self.complete(prepared, *open);
            }
            Err(failure) => return Err(failure),
        }
        self.take_events(prepared, open)
    }

    /// Reads the events that are there, and completes the stream where they end it.
    fn take_events(
        &mut self,
        prepared: &D::Prepared,
        mut open: Box<Open<D>>,
    ) -> Result<Rest<D>, Failure> {
        let came = D::progress(&open.collector);
        let read = self.read_events(prepared, &mut open);
        self.has_acted |= D::has_acted(&open.collector);
        let comes = D::progress(&open.collector);
        if read? || comes != came {
            open.last_said = Instant::now();
        }
        match comes {
            Progress::Done => self.complete(prepared, *open),
            _ => Ok(Some(open)),
        }
    }

    /// Reads the events that are there, and says whether one of them was more than a sign of life.
    fn read_events(&mut self, prepared: &D::Prepared, open: &mut Open<D>) -> Result<bool, Failure> {
        let Open {
            reply,
            decoder,
            collector,
            ..
        } = open;
        let origin = self.dialect.origin(reply.request_id());
        let mut has_said = false;
        while D::progress(collector) != Progress::Done {
            let event = match decoder.next_event() {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(error) => return Err(unreadable(error, &origin).into()),
            };
            has_said |= event.name != "ping" && !event.data.is_empty();
            reply.check_time()?;
            let events = &mut self.events;
            let taken = self
                .dialect
                .take(collector, event, prepared, &origin, events);
            taken.map_err(|error| reply.failure(error))?;
        }
        Ok(has_said)
    }

    /// Takes the event that the end of the body left open, if it is one.
    fn take_last_event(
        &mut self,
        prepared: &D::Prepared,
        open: &mut Open<D>,
    ) -> Result<(), Failure> {
        let Some(event) = open.decoder.last_event() else {
            return Ok(());
        };
        let origin = self.dialect.origin(open.reply.request_id());
        let (collector, events) = (&mut open.collector, &mut self.events);
        let taken = self
            .dialect
            .take(collector, event, prepared, &origin, events);
        taken.map_err(|error| open.reply.failure(error))
    }

    fn complete(&mut self, prepared: &D::Prepared, open: Open<D>) -> Result<Rest<D>, Failure> {
        let Open {
            reply, collector, ..
        } = open;
        let origin = self.dialect.origin(reply.request_id());
        let response = self
            .dialect
            .finish(collector, prepared, &origin, &mut self.events)
            .and_then(|response| bounded(response, &origin));
        let response = response.map_err(|error| reply.failure(error))?;
        self.tell_completed(response);
        reply.release();
        Ok(None)
    }

    fn tell_completed(&mut self, mut response: ChatResponse) {
        response.metadata.retries = self.retries;
        self.events
            .push_back(ModelEvent::Completed(Box::new(response)));
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
        self.tell_completed(response);
    }
}

fn is_cut(error: &ModelError) -> bool {
    error.is_connection() || error.is_timeout()
}

/// The error of bytes that hold no events.
pub(super) fn unreadable(error: SseError, origin: &Origin<'_>) -> ModelError {
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
async fn look(reply: &mut Reply) -> Result<Option<(Body, Bytes)>, Failure> {
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
async fn whole(begun: Bytes, reply: &mut Reply) -> Result<Bytes, Failure> {
    let Some(second) = reply.chunk().await? else {
        return Ok(begun);
    };
    let mut body = [begun, second].concat();
    while let Some(chunk) = reply.chunk().await? {
        body.extend_from_slice(&chunk);
    }
    Ok(body.into())
}
