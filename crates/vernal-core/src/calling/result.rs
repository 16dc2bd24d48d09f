use super::{Turn, TurnEnd, TurnStep};
use crate::message::{History, ToolOutcome, ToolResponse};
use crate::model::{ChatResponse, Generation};

/// What came of executing the calls of a response.
#[derive(Debug, Clone)]
pub struct ToolExecutionResult {
    conversation_history: History,
    return_direct: Option<ChatResponse>,
}

impl ToolExecutionResult {
    pub(crate) fn of(turn: &Turn) -> Self {
        let return_direct = match turn.step() {
            TurnStep::Done(TurnEnd::ReturnDirect(response)) => Some(response.clone()),
            _ => None,
        };
        Self {
            conversation_history: turn.instructions().clone(),
            return_direct,
        }
    }

    /// The prompt's messages, the assistant's message and one message with the answers, in the order
    /// of the calls: what the model is to be sent next ([`Turn::instructions`]).
    pub fn conversation_history(&self) -> &History {
        &self.conversation_history
    }

    /// Whether the results are the answer, so that the model is not to be called again (rule RD-1).
    pub fn return_direct(&self) -> bool {
        self.return_direct.is_some()
    }

    /// The results as generations, where they are the answer (rule RD-2).
    pub fn generations(&self) -> &[Generation] {
        self.return_direct
            .as_ref()
            .map_or(&[], |response| &response.generations)
    }

    /// The answers, in the order of the calls.
    pub fn tool_responses(&self) -> impl Iterator<Item = &ToolResponse> {
        self.conversation_history
            .last()
            .into_iter()
            .flat_map(|message| message.tool_responses())
    }

    /// The answers of tools that ran and did not fail.
    pub fn successes(&self) -> impl Iterator<Item = &ToolResponse> {
        self.tool_responses()
            .filter(|response| response.outcome == ToolOutcome::Success)
    }
}
