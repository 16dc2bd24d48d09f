use std::sync::Arc;
use std::time::Duration;

use super::{ChatClientResponse, RequestState};
use crate::message::{ToolCall, ToolResponse, Usage};
use crate::tool::{ToolProgress, ToolProviderError};

/// What a streamed request yields, live, with the number of the round, counted from 1 (rule STR-1).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ChatEvent {
    /// An optional tool provider could not list its tools: the request goes on without them (rule TOOLS-8).
    ToolProviderUnavailable {
        /// The provider's name.
        provider: Arc<str>,
        /// Why.
        error: ToolProviderError,
    },
    /// A piece of text of the model; whether it is the answer is known at
    /// [`RoundFinished`](Self::RoundFinished).
    TextDelta {
        /// The round.
        round: u32,
        /// The piece.
        text: Arc<str>,
    },
    /// A piece of the model's reasoning.
    ReasoningDelta {
        /// The round.
        round: u32,
        /// The piece.
        text: Arc<str>,
    },
    /// The model has begun to ask for a tool; nothing runs yet (rule STR-2).
    ToolCallStarted {
        /// The round.
        round: u32,
        /// Which call of the round, counted from 0.
        index: usize,
        /// The call's id, where it is known already.
        id: Option<Arc<str>>,
        /// The tool's name as the model wrote it.
        name: Arc<str>,
    },
    /// A piece of a call's arguments (rule STR-5).
    ToolCallDelta {
        /// The round.
        round: u32,
        /// Which call of the round, counted from 0.
        index: usize,
        /// The piece.
        arguments: Arc<str>,
    },
    /// The round's text so far is not the answer: it does not fit what was asked for, and the model is
    /// asked again in the same round. The text of the next try follows.
    AnswerRejected {
        /// The round.
        round: u32,
        /// What is wrong with it, as the model is told.
        reason: Arc<str>,
    },
    /// The model's part of the round is over; its tools run next, if it asked for any.
    RoundFinished {
        /// The round.
        round: u32,
        /// Whether the round's text was the answer.
        kind: RoundKind,
        /// The tokens of the round; `None` where the provider did not say (rule STR-6).
        usage: Option<Usage>,
    },
    /// A tool begins to run.
    ToolExecutionStarted {
        /// The round.
        round: u32,
        /// The call with its complete arguments.
        call: ToolCall,
    },
    /// A running tool says how far it is.
    ToolProgress {
        /// The round.
        round: u32,
        /// The call's id.
        call_id: Arc<str>,
        /// How far it is.
        progress: ToolProgress,
    },
    /// A call has its answer.
    ToolResult {
        /// The round.
        round: u32,
        /// The answer; its outcome says what became of the call.
        response: ToolResponse,
        /// How long the tool ran; `None` where it did not run.
        duration: Option<Duration>,
    },
    /// The request is done; nothing follows.
    Done {
        /// What a plain call would have returned.
        response: Box<ChatClientResponse>,
    },
}

impl ChatEvent {
    /// Whether nothing follows.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self, Self::Done { .. })
    }

    /// The event; its response has the state of the request.
    pub(crate) fn with_state(self, state: &RequestState) -> Self {
        match self {
            Self::Done { response } => Self::Done {
                response: Box::new(response.with_state(state.clone())),
            },
            event => event,
        }
    }
}

/// What a round's text was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RoundKind {
    /// The answer: the model asked for no tools.
    Answer,
    /// Words on the way: the model asked for tools (rule LOOP-11).
    Commentary,
}
