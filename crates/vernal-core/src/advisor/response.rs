use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::RequestState;
use super::structured::entity_of;
use crate::Error;
use crate::message::{History, ToolResponse, Usage};
use crate::model::{ChatResponse, Prompt};

/// The answer to a request: the response, and what was said on the way to it.
#[derive(Debug, Clone)]
pub struct ChatClientResponse {
    chat_response: ChatResponse,
    messages: Option<History>,
    rounds: u32,
    state: Option<RequestState>,
    prompt: Option<Prompt>,
    answers: Vec<ToolResponse>,
}

impl ChatClientResponse {
    /// A response that no tool loop made.
    pub fn new(chat_response: ChatResponse) -> Self {
        Self {
            chat_response,
            messages: None,
            rounds: 0,
            state: None,
            prompt: None,
            answers: Vec::new(),
        }
    }

    pub(super) fn of_turn(chat_response: ChatResponse, messages: History, rounds: u32) -> Self {
        Self {
            messages: Some(messages),
            rounds,
            ..Self::new(chat_response)
        }
    }

    /// The response with the state of its request. Responses of the model and of the loop have it; an
    /// advisor that answers in their place gives it to its own.
    #[must_use]
    pub fn with_state(mut self, state: RequestState) -> Self {
        self.state = Some(state);
        self
    }

    /// What advisors and hooks remembered during the request; `None` only where an advisor made up a
    /// response without it.
    pub fn state(&self) -> Option<&RequestState> {
        self.state.as_ref()
    }

    /// The response with the prompt that the model was sent for it. The chain does it; an advisor inside
    /// of the loop may say another one, to keep what it changed from holding for later rounds.
    #[must_use]
    pub fn with_prompt(mut self, prompt: Prompt) -> Self {
        self.prompt = Some(prompt);
        self
    }

    /// What the model was sent for this response, after all advisors: what a loop takes over into later
    /// rounds (rule LOOP-4). `None` in the response of a whole turn, and in one that an advisor made up.
    pub fn prompt(&self) -> Option<&Prompt> {
        self.prompt.as_ref()
    }

    pub(super) fn set_prompt(&mut self, prompt: Prompt) {
        self.prompt = Some(prompt);
    }

    pub(super) fn take_prompt(&mut self) -> Option<Prompt> {
        self.prompt.take()
    }

    /// Answers a call of the response in its tool's place, which then does not run: with a reason, where
    /// somebody denies it, or with a result that is known already. Limits, names and arguments are checked
    /// first; the call is counted all the same. It takes a loop outside of the advisor or hook that does
    /// it.
    pub fn answer_call(&mut self, answer: ToolResponse) {
        self.answers.push(answer);
    }

    pub(super) fn take_answers(&mut self) -> Vec<ToolResponse> {
        std::mem::take(&mut self.answers)
    }

    /// The text of the answer; where tools answered directly, their results, a line each.
    pub fn content(&self) -> String {
        self.chat_response.content().into_owned()
    }

    /// The answer as a `T`, validated against the type's schema first. Words and code fences around the
    /// JSON are borne with. [`entity`](crate::client::ChatClientRequestSpec::entity) asks for such an
    /// answer.
    ///
    /// # Errors
    /// The answer does not fit: see [`Error::invalid_answer`].
    pub fn entity<T: DeserializeOwned + JsonSchema + 'static>(&self) -> Result<T, Error> {
        entity_of(&self.chat_response).map_err(|error| match self.messages {
            Some(_) => error.with_response(self),
            None => error.with_discarded_usage(self.usage()),
        })
    }

    /// The model's response, or what the loop answered in its place.
    pub fn chat_response(&self) -> &ChatResponse {
        &self.chat_response
    }

    /// The response, to be changed.
    pub fn chat_response_mut(&mut self) -> &mut ChatResponse {
        &mut self.chat_response
    }

    /// The response.
    pub fn into_chat_response(self) -> ChatResponse {
        self.chat_response
    }

    /// The complete turn: the request's messages, every round's calls and answers, and the model's
    /// answer, if the turn ended with one and not with direct results or at a limit. `None` where no
    /// tool loop ran.
    pub fn messages(&self) -> Option<&History> {
        self.messages.as_ref()
    }

    /// The rounds in which the model asked for tools.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The tokens of all model calls of the turn (rule LOOP-6).
    pub fn usage(&self) -> Usage {
        self.chat_response.usage()
    }
}
