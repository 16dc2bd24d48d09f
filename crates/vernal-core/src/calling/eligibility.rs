use std::fmt;
use std::sync::Arc;

use crate::model::ChatResponse;

/// Decides whether the tool calls of a response are executed or the turn ends with it (rule LOOP-2).
///
/// The default executes whenever there are tool calls. The finish reason is never consulted.
///
/// ```
/// use vernal_core::calling::ToolExecutionEligibilityChecker;
///
/// // Leave responses that ask for a payment to the caller.
/// let checker = ToolExecutionEligibilityChecker::new(|response| {
///     response.has_tool_calls() && response.tool_calls().all(|call| &*call.name != "pay")
/// });
/// # let _ = checker;
/// ```
#[derive(Clone)]
pub struct ToolExecutionEligibilityChecker(Arc<dyn Fn(&ChatResponse) -> bool + Send + Sync>);

impl ToolExecutionEligibilityChecker {
    /// A checker that asks `check` about each response.
    pub fn new(check: impl Fn(&ChatResponse) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(check))
    }

    /// Whether the tool calls of the response are executed.
    pub fn is_tool_execution_required(&self, response: &ChatResponse) -> bool {
        (self.0)(response)
    }
}

impl Default for ToolExecutionEligibilityChecker {
    fn default() -> Self {
        Self::new(ChatResponse::has_tool_calls)
    }
}

impl fmt::Debug for ToolExecutionEligibilityChecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolExecutionEligibilityChecker")
    }
}
