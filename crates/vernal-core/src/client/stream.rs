use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures::{Stream, StreamExt};

use crate::Error;
use crate::advisor::{ChatClientResponse, ChatEvent, EventStream, RoundKind};

/// What happens in a streamed request, event by event.
///
/// ```
/// # use vernal_core::client::ChatClient;
/// # use vernal_core::advisor::ChatEvent;
/// # use vernal_testing::ScriptedModel;
/// # futures::executor::block_on(async {
/// # let client = ChatClient::create(ScriptedModel::new().says("Hello."));
/// let mut events = client.prompt("Hi!").stream();
/// while let Some(event) = events.next().await {
///     if let ChatEvent::TextDelta { text, .. } = event? {
///         print!("{text}");
///     }
/// }
/// # Ok::<(), vernal_core::Error>(()) }).unwrap();
/// ```
#[must_use = "a stream does nothing until it is polled"]
pub struct ChatEventStream(EventStream);

impl ChatEventStream {
    pub(super) fn new(events: EventStream) -> Self {
        Self(events)
    }

    /// The next event; `None` after [`ChatEvent::Done`] or an error.
    pub async fn next(&mut self) -> Option<Result<ChatEvent, Error>> {
        self.0.next().await
    }

    /// The text of the answer only, equal to the content of a plain call: a round's text is held back
    /// until it is known that the round was the answer (rule STR-1).
    pub fn text(self) -> TextStream {
        TextStream::new(self.0, false)
    }

    /// All text as it comes, also what the model says before it asks for tools.
    pub fn text_live(self) -> TextStream {
        TextStream::new(self.0, true)
    }

    /// Runs the request to its end, as a plain call would.
    ///
    /// # Errors
    /// As [`call`](super::ChatClientRequestSpec::call).
    pub async fn response(mut self) -> Result<ChatClientResponse, Error> {
        while let Some(event) = self.next().await {
            if let ChatEvent::Done { response } = event? {
                return Ok(*response);
            }
        }
        Err(Error::setup(
            "the stream was polled to its end before; stream the request again",
        ))
    }
}

impl Stream for ChatEventStream {
    type Item = Result<ChatEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
    }
}

/// The text of a streamed request, piece by piece.
#[must_use = "a stream does nothing until it is polled"]
pub struct TextStream {
    events: EventStream,
    /// Whether text is handed over before it is known to be the answer.
    live: bool,
    /// The text of the current round.
    round: Vec<Arc<str>>,
    /// Whether the current round is over. More text is then another answer, in place of this one.
    is_over: bool,
    ready: VecDeque<Arc<str>>,
}

impl TextStream {
    fn new(events: EventStream, live: bool) -> Self {
        Self {
            events,
            live,
            round: Vec::new(),
            is_over: false,
            ready: VecDeque::new(),
        }
    }

    /// The next piece.
    pub async fn next(&mut self) -> Option<Result<Arc<str>, Error>> {
        StreamExt::next(self).await
    }

    fn see(&mut self, event: ChatEvent) {
        match event {
            ChatEvent::TextDelta { text, .. } => {
                if std::mem::take(&mut self.is_over) {
                    self.round.clear();
                }
                if self.live {
                    self.ready.push_back(text.clone());
                }
                self.round.push(text);
            }
            ChatEvent::AnswerRejected { .. }
            | ChatEvent::RoundFinished {
                kind: RoundKind::Commentary,
                ..
            } => self.round.clear(),
            ChatEvent::RoundFinished {
                kind: RoundKind::Answer,
                ..
            } => self.is_over = true,
            ChatEvent::Done { response } => self.done(&response),
            _ => {}
        }
    }

    /// The answer is what was streamed last, unless the loop or an advisor answers in its place.
    fn done(&mut self, response: &ChatClientResponse) {
        let content = response.content();
        let streamed = self.round.concat() == content;
        match (streamed, self.live) {
            (true, true) => {}
            (true, false) => self.ready.extend(self.round.drain(..)),
            (false, _) if content.is_empty() => {}
            (false, _) => self.ready.push_back(content.into()),
        }
    }
}

impl Stream for TextStream {
    type Item = Result<Arc<str>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(text) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(text)));
            }
            match ready!(self.events.poll_next_unpin(context)) {
                Some(Ok(event)) => self.see(event),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}
