use std::sync::Arc;

use super::ToolCallLimits;
use crate::model::ToolChoice;
use crate::tool::{
    ArgumentPolicy, DestructiveWarnings, ToolCallback, ToolCallbackResolver, ToolSet,
};

/// What a batch of calls is planned by: limits, tools, and how arguments are read.
///
/// ```
/// use vernal_core::calling::{ToolCallLimits, TurnRules};
/// use vernal_core::tool::ToolSet;
///
/// let (limits, tools) = (ToolCallLimits::default(), ToolSet::empty());
/// let rules = TurnRules::new(&limits, &tools);
/// assert!(rules.find("getWeather").is_none());
/// ```
#[derive(Clone, Copy)]
pub struct TurnRules<'a> {
    pub(super) limits: &'a ToolCallLimits,
    pub(super) tools: &'a ToolSet,
    pub(super) choice: &'a ToolChoice,
    pub(super) arguments: Option<&'a ArgumentPolicy>,
    pub(super) fallback: Option<&'a dyn ToolCallbackResolver>,
    pub(super) warnings: Option<&'a DestructiveWarnings>,
}

impl<'a> TurnRules<'a> {
    /// Rules of these limits for these tools; arguments are read by the default policy.
    pub fn new(limits: &'a ToolCallLimits, tools: &'a ToolSet) -> Self {
        Self {
            limits,
            tools,
            choice: &ToolChoice::Auto,
            arguments: None,
            fallback: None,
            warnings: None,
        }
    }

    /// Which of the tools may be called: calls of others are not run.
    #[must_use]
    pub fn choice(mut self, choice: &'a ToolChoice) -> Self {
        self.choice = choice;
        self
    }

    /// How arguments are read.
    #[must_use]
    pub fn arguments(mut self, policy: &'a ArgumentPolicy) -> Self {
        self.arguments = Some(policy);
        self
    }

    /// Who is asked for names that the tools do not have (rule RSV-1).
    #[must_use]
    pub fn fallback(mut self, resolver: &'a dyn ToolCallbackResolver) -> Self {
        self.fallback = Some(resolver);
        self
    }

    /// The tool of this name: one of the request, or one of the fallback's.
    pub fn find(&self, name: &str) -> Option<Arc<dyn ToolCallback>> {
        self.tools
            .get(name)
            .cloned()
            .or_else(|| self.find_beyond(name))
    }

    /// What the fallback knows by exactly this name. A resolver that gives a tool of another name is not
    /// heeded: limits, answers and errors speak of the name that was called.
    fn find_beyond(&self, name: &str) -> Option<Arc<dyn ToolCallback>> {
        let found = self.fallback?.resolve(name);
        let found = found.filter(|tool| &**tool.tool_definition().name() == name)?;
        if let Some(warnings) = self.warnings {
            warnings.of_fallback(&*found);
        }
        Some(found)
    }
}
