use std::fmt;
use std::sync::Arc;

use futures::StreamExt;

use crate::Error;
use crate::advisor::around::order;
use crate::advisor::emitter::{Emitter, stream_of};
use crate::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, ChatEvent,
    EventStream,
};
use crate::memory::open_turn_start;
use crate::message::{FinishReason, Message, Role};
use crate::model::{ChatResponse, Generation, ResponseMetadata};

/// Answers in the model's place where a text is not wanted.
///
/// What the user says in the open turn is looked at before every model call, and with
/// [`answers`](SafeGuardAdvisorBuilder::answers) what the model says, too. A refusal is an answer like
/// any other, with the finish reason [`FinishReason::SafeGuard`]; tools that the model asked for along
/// with an unwanted text do not run. An answer that is looked at is streamed once it has passed.
///
/// A memory keeps nothing of a turn that was refused, neither what the user said nor the refusal: it would
/// reach the model with the next turn. A guard that stands outside of a memory comes too late for that
/// where it refuses an answer.
#[derive(Clone)]
pub struct SafeGuardAdvisor(SafeGuardAdvisorBuilder);

impl SafeGuardAdvisor {
    /// Inside of the tool loop: every answer of the model is seen.
    pub const DEFAULT_ORDER: i32 = order::DEFAULT;
    /// What is answered unless something else is set.
    pub const DEFAULT_REFUSAL: &'static str = "I cannot help with that.";

    /// A guard against words of the user; see [`words`](SafeGuardAdvisorBuilder::words).
    pub fn for_words(words: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self::builder().words(words).build()
    }

    /// A builder of a guard that lets everything pass.
    pub fn builder() -> SafeGuardAdvisorBuilder {
        SafeGuardAdvisorBuilder {
            order: Self::DEFAULT_ORDER,
            words: Vec::new(),
            is_unwanted: None,
            answers: false,
            refusal: Self::DEFAULT_REFUSAL.into(),
        }
    }

    async fn run(
        &self,
        request: ChatClientRequest,
        rest: AdvisorChain,
        events: Emitter,
    ) -> Result<ChatClientResponse, Error> {
        if self.is_unwanted_request(&request) {
            tracing::debug!(round = request.round(), "the safe-guard refused a request");
            let refusal = self.refusal(ResponseMetadata::default());
            return Ok(ChatClientResponse::new(refusal).with_state(request.state().clone()));
        }
        let (round, state) = (request.round(), request.state().clone());
        let mut held = Vec::new();
        let mut response = self.next(&rest, request, &events, &mut held).await?;
        if self.0.answers && self.is_unwanted_answer(response.chat_response()) {
            tracing::debug!(round, "the safe-guard refused an answer");
            let metadata = response.chat_response().metadata.clone();
            *response.chat_response_mut() = self.refusal(metadata);
            state.paid().changed(response.chat_response());
            return Ok(response);
        }
        for event in held {
            events.emit(event).await;
        }
        Ok(response)
    }

    /// Runs the rest of the chain; what could be part of an unwanted answer is held back.
    async fn next(
        &self,
        rest: &AdvisorChain,
        request: ChatClientRequest,
        events: &Emitter,
        held: &mut Vec<ChatEvent>,
    ) -> Result<ChatClientResponse, Error> {
        if !events.is_heard() {
            return rest.next_call(request).await;
        }
        let mut stream = rest.next_stream(request);
        while let Some(event) = stream.next().await {
            match event? {
                ChatEvent::Done { response } => return Ok(*response),
                event if self.0.answers => held.push(event),
                event => events.emit(event).await,
            }
        }
        Err(Error::setup(
            "a stream ended without its final response; advisors must pass `Done` on",
        ))
    }

    fn is_unwanted_request(&self, request: &ChatClientRequest) -> bool {
        let whole = request.turn_messages();
        let messages = whole.unwrap_or_else(|| request.prompt().messages());
        let messages: Vec<_> = messages.iter().cloned().collect();
        let open = messages.get(open_turn_start(&messages)..);
        let mut open = open.unwrap_or_default().iter();
        open.any(|message| message.role() == Role::User && self.is_unwanted(&message.text()))
    }

    fn is_unwanted_answer(&self, response: &ChatResponse) -> bool {
        let mut messages = response.generations.iter().map(|one| &one.message);
        messages.any(|message| self.is_unwanted(&message.text()))
    }

    fn is_unwanted(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        self.0.words.iter().any(|word| lower.contains(word))
            || self.0.is_unwanted.as_ref().is_some_and(|is| is(text))
    }

    fn refusal(&self, metadata: ResponseMetadata) -> ChatResponse {
        let message = Message::assistant(self.0.refusal.clone());
        let generation = Generation::new(message, Some(FinishReason::SafeGuard));
        ChatResponse::of(generation, metadata)
    }
}

impl fmt::Debug for SafeGuardAdvisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Advisor for SafeGuardAdvisor {
    fn name(&self) -> &str {
        "safe-guard"
    }

    fn order(&self) -> i32 {
        self.0.order
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        Box::pin(async move { self.run(request, rest, Emitter::silent()).await })
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        stream_of(move |events| async move { self.run(request, rest, events).await })
    }
}

/// Builds a [`SafeGuardAdvisor`].
#[derive(Clone)]
#[must_use]
pub struct SafeGuardAdvisorBuilder {
    order: i32,
    words: Vec<String>,
    is_unwanted: Option<IsUnwanted>,
    answers: bool,
    refusal: Arc<str>,
}

type IsUnwanted = Arc<dyn Fn(&str) -> bool + Send + Sync>;

impl SafeGuardAdvisorBuilder {
    /// Adds words that are not wanted: wherever one occurs, inside of other words too, and in upper or
    /// lower case. A blank word is none.
    pub fn words(mut self, words: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let words = words.into_iter().map(|word| word.as_ref().to_lowercase());
        self.words
            .extend(words.filter(|word| !word.trim().is_empty()));
        self
    }

    /// What says of a text that it is not wanted, beside the words.
    pub fn unwanted(mut self, is_unwanted: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.is_unwanted = Some(Arc::new(is_unwanted));
        self
    }

    /// Whether the model's texts are looked at too; by default only the user's are.
    pub fn answers(mut self, answers: bool) -> Self {
        self.answers = answers;
        self
    }

    /// What is answered; [`DEFAULT_REFUSAL`](SafeGuardAdvisor::DEFAULT_REFUSAL) unless set.
    pub fn refusal(mut self, text: impl Into<Arc<str>>) -> Self {
        self.refusal = text.into();
        self
    }

    /// Where the advisor stands. Outside of the tool loop it sees the answer of a turn, and not what the
    /// model says on the way; in a stream all events of the turn then wait for it.
    pub fn advisor_order(mut self, order: i32) -> Self {
        self.order = order;
        self
    }

    /// The advisor.
    pub fn build(self) -> SafeGuardAdvisor {
        SafeGuardAdvisor(self)
    }
}

impl fmt::Debug for SafeGuardAdvisorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SafeGuardAdvisor")
            .field("order", &self.order)
            .field("words", &self.words.len())
            .field("unwanted", &self.is_unwanted.is_some())
            .field("answers", &self.answers)
            .finish_non_exhaustive()
    }
}
