use super::ToolCallingAdvisor;
use crate::Error;
use crate::advisor::around::order;
use crate::advisor::{Advisor, ToolLoopHooks};
use crate::calling::{ToolCallingManager, ToolExecutionEligibilityChecker};

/// Builds a [`ToolCallingAdvisor`].
#[derive(Debug, Clone)]
#[must_use]
pub struct ToolCallingAdvisorBuilder(pub(super) ToolCallingAdvisor);

impl ToolCallingAdvisorBuilder {
    /// What executes the calls, with its limits.
    pub fn tool_calling_manager(mut self, manager: ToolCallingManager) -> Self {
        self.0.manager = manager;
        self
    }

    /// Where the loop stands: strictly between the two bounds of [`order`] (rule ORD-3).
    pub fn advisor_order(mut self, order: i32) -> Self {
        self.0.order = order;
        self
    }

    /// What decides whether calls are executed or left to the caller (rule LOOP-2).
    pub fn tool_execution_eligibility_checker(
        mut self,
        checker: ToolExecutionEligibilityChecker,
    ) -> Self {
        self.0.eligibility = Some(checker);
        self
    }

    /// Adds hooks after those that are there (rule LOOP-1). To keep a hand on them, give an `Arc`.
    pub fn hooks(mut self, hooks: impl ToolLoopHooks) -> Self {
        self.0.hooks.push(hooks);
        self
    }

    /// Sends only the system messages and the newest tool message in later rounds, for a memory inside
    /// of the loop replays the rest (rule LOOP-5); what is counted does not change. An automatic
    /// loop finds that out by itself (rule AUTO-4).
    pub fn disable_internal_conversation_history(mut self) -> Self {
        self.0.own_history = false;
        self
    }

    /// Whether a [`ToolChoice`](crate::model::ToolChoice) that makes the model call a tool ends when
    /// such a call has run; `true` unless set. Without it the model must call a tool in every round,
    /// until a `return_direct` tool or a limit ends the turn.
    pub fn reset_tool_choice(mut self, reset: bool) -> Self {
        self.0.reset_choice = reset;
        self
    }

    /// The loop.
    ///
    /// # Errors
    /// The order is one of the two bounds (rule ORD-3).
    pub fn build(self) -> Result<ToolCallingAdvisor, Error> {
        order::check_loop(self.0.name(), self.0.order)?;
        Ok(self.0)
    }
}
