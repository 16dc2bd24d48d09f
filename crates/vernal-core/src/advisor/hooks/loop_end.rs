use crate::Error;
use crate::advisor::{ChatClientRequest, RequestState};
use crate::calling::{LimitBreach, Turn, TurnEnd, TurnStep};
use crate::memory::ConversationId;
use crate::message::{History, Usage};
use crate::model::ChatResponse;

/// A turn that is over, as [`finalize_loop`](super::ToolLoopHooks::finalize_loop) sees it.
#[derive(Debug)]
pub struct LoopEnd<'a> {
    pub(super) request: &'a ChatClientRequest,
    pub(super) turn: &'a Turn,
    pub(super) end: End<'a>,
}

/// What the caller of the turn gets.
#[derive(Debug, Clone, Copy)]
pub(super) enum End<'a> {
    /// The turn's response.
    Response,
    Error(&'a Error),
    /// Nothing: it waits no more.
    Nothing,
}

/// How a turn ended.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum LoopOutcome<'a> {
    /// The model answered, or its calls were left to the caller.
    Answer(&'a ChatResponse),
    /// The results of return-direct tools are the answer.
    ReturnDirect(&'a ChatResponse),
    /// A limit ended it.
    Limit(&'a LimitBreach, &'a ChatResponse),
    /// The caller gets this error.
    Failed(&'a Error),
    /// Nobody waited for it any more, or something panicked.
    Cancelled,
}

impl<'a> LoopEnd<'a> {
    /// How the turn ended.
    pub fn outcome(&self) -> LoopOutcome<'a> {
        let end = match (self.end, self.turn.step()) {
            (End::Error(error), _) => return LoopOutcome::Failed(error),
            (End::Response, TurnStep::Done(end)) => end,
            (End::Nothing | End::Response, _) => return LoopOutcome::Cancelled,
        };
        match end {
            TurnEnd::Answer(response) => LoopOutcome::Answer(response),
            TurnEnd::ReturnDirect(response) => LoopOutcome::ReturnDirect(response),
            TurnEnd::Limit(breach, response) => LoopOutcome::Limit(breach, response),
            TurnEnd::GivenUp => LoopOutcome::Cancelled,
        }
    }

    /// Everything that was said in the turn; every tool call in it has an answer.
    pub fn messages(&self) -> &'a History {
        self.turn.messages()
    }

    /// The tokens of all model calls of the turn.
    pub fn usage(&self) -> Usage {
        self.turn.usage()
    }

    /// The rounds in which the model asked for tools.
    pub fn rounds(&self) -> u32 {
        self.turn.rounds()
    }

    /// What advisors and hooks remembered during the request.
    pub fn state(&self) -> &'a RequestState {
        self.request.state()
    }

    /// The conversation that the request belongs to, if it was given one.
    pub fn conversation(&self) -> Option<&'a ConversationId> {
        self.request.conversation()
    }
}
