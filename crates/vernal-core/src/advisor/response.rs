use super::RequestState;
use crate::message::{History, Usage};
use crate::model::ChatResponse;

/// The answer to a request: the response, and what was said on the way to it.
#[derive(Debug, Clone)]
pub struct ChatClientResponse {
    chat_response: ChatResponse,
    messages: Option<History>,
    rounds: u32,
    state: Option<RequestState>,
}

impl ChatClientResponse {
    /// A response that no tool loop made.
    pub fn new(chat_response: ChatResponse) -> Self {
        Self {
            chat_response,
            messages: None,
            rounds: 0,
            state: None,
        }
    }

    pub(super) fn of_turn(chat_response: ChatResponse, messages: History, rounds: u32) -> Self {
        Self {
            chat_response,
            messages: Some(messages),
            rounds,
            state: None,
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

    /// The text of the answer; where tools answered directly, their results, a line each.
    pub fn content(&self) -> String {
        self.chat_response.content().into_owned()
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
