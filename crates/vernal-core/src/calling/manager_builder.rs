use std::sync::Arc;
use std::time::Duration;

use super::settings::Settings;
use super::{
    InvalidLimit, ToolCallLimitBehavior, ToolCallLimits, ToolCallLimitsBuilder, ToolCallRecorder,
    ToolCallingManager, ToolExecutionErrorProcessor,
};
use crate::tool::{ArgumentPolicy, ToolCallbackResolver, ToolResultStore};

/// Builds a [`ToolCallingManager`].
#[derive(Debug, Clone)]
#[must_use]
pub struct ToolCallingManagerBuilder {
    limits: ToolCallLimitsBuilder,
    settings: Settings,
}

impl ToolCallingManagerBuilder {
    pub(super) fn new() -> Self {
        Self {
            limits: ToolCallLimits::builder(),
            settings: Settings::default(),
        }
    }

    /// The most calls of each tool that has no limit of its own; at least 1, by default 40.
    pub fn max_calls_per_tool(mut self, limit: u32) -> Self {
        self.limits = self.limits.max_calls_per_tool(limit);
        self
    }

    /// The most calls of the tool `name`; at least 1.
    pub fn max_calls_for_tool(mut self, name: impl Into<Arc<str>>, limit: u32) -> Self {
        self.limits = self.limits.max_calls_for_tool(name, limit);
        self
    }

    /// Exempts the tool `name` from the limit per tool; it still counts for the total.
    pub fn exclude_tool_from_limit(mut self, name: impl Into<Arc<str>>) -> Self {
        self.limits = self.limits.exclude_tool_from_limit(name);
        self
    }

    /// The most calls of all tools together; at least 1, by default 150.
    pub fn max_total_tool_calls(mut self, limit: u32) -> Self {
        self.limits = self.limits.max_total_tool_calls(limit);
        self
    }

    /// No limit per tool, but for tools that have one of their own.
    pub fn unlimited_calls_per_tool(mut self) -> Self {
        self.limits = self.limits.unlimited_calls_per_tool();
        self
    }

    /// No limit of all tools together.
    pub fn unlimited_total_tool_calls(mut self) -> Self {
        self.limits = self.limits.unlimited_total_tool_calls();
        self
    }

    /// The most rounds of a turn; at least 1, by default 64 (rule LOOP-7).
    pub fn max_rounds(mut self, limit: u32) -> Self {
        self.limits = self.limits.max_rounds(limit);
        self
    }

    /// After how many rounds running in which a call with the same arguments gave the same result the
    /// model is told so, in the answer; at least 2, by default 3 (rule LOOP-8).
    pub fn note_repeats_after(mut self, rounds: u32) -> Self {
        self.limits = self.limits.note_repeats_after(rounds);
        self
    }

    /// After how many such rounds the turn ends; at least 2, by default 5.
    pub fn end_repeats_after(mut self, rounds: u32) -> Self {
        self.limits = self.limits.end_repeats_after(rounds);
        self
    }

    /// No limit of rounds in which a call gives the same result, and no note to the model: for tools
    /// that are asked until something changes.
    pub fn unlimited_repeats(mut self) -> Self {
        self.limits = self.limits.unlimited_repeats();
        self
    }

    /// What happens to a call that a limit forbids; by default the turn ends.
    pub fn on_limit_exceeded(mut self, behavior: ToolCallLimitBehavior) -> Self {
        self.limits = self.limits.on_limit_exceeded(behavior);
        self
    }

    /// How many calls of a batch run at the same time; at least 1, by default 8.
    pub fn max_concurrency(mut self, calls: usize) -> Self {
        self.settings.max_concurrency = calls;
        self
    }

    /// Whether a call of a tool that there is not is an error of the turn; by default the model is
    /// told which tools there are (rule LOOP-9).
    pub fn strict_tool_names(mut self, strict: bool) -> Self {
        self.settings.strict_tool_names = strict;
        self
    }

    /// How arguments are read before they are checked (rules ARG-2, ARG-4).
    pub fn argument_policy(mut self, policy: ArgumentPolicy) -> Self {
        self.settings.arguments = policy;
        self
    }

    /// Who is asked for tools by name where the fallback is on (rule RSV-1).
    pub fn tool_callback_resolver(mut self, resolver: impl ToolCallbackResolver) -> Self {
        self.settings.resolver = Some(Arc::new(resolver));
        self
    }

    /// Whether a tool that the request does not have, but the resolver, may run; by default not. Then
    /// every tool of the resolver can be run by a model that says its name.
    pub fn resolution_fallback_enabled(mut self, enabled: bool) -> Self {
        self.settings.resolution_fallback = enabled;
        self
    }

    /// What decides whether the model or the caller hears of a tool's error (rule ERR-1).
    pub fn tool_execution_error_processor(
        mut self,
        processor: impl ToolExecutionErrorProcessor,
    ) -> Self {
        self.settings.error_processor = Arc::new(processor);
        self
    }

    /// Who is told what became of each call, for metrics (rule ERR-8).
    pub fn tool_call_recorder(mut self, recorder: impl ToolCallRecorder) -> Self {
        self.settings.recorder = Some(Arc::new(recorder));
        self
    }

    /// The size at which a result is cut, in bytes, unless a tool has its own; by default 256 KB.
    pub fn max_result_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_result_bytes = bytes;
        self
    }

    /// Where what is cut off is kept for the model to read; give the client the store's
    /// [`read_tool`](ToolResultStore::read_tool) too.
    pub fn tool_result_store(mut self, store: ToolResultStore) -> Self {
        self.settings.result_store = Some(store);
        self
    }

    /// How long a whole turn may take; then it ends with an error (rule EXE-2). In a loop of the caller's
    /// own, where the manager sees no more of the turn, it is how long the calls of a response may take.
    pub fn turn_timeout(mut self, timeout: Duration) -> Self {
        self.settings.turn_timeout = Some(timeout);
        self
    }

    /// Takes something of the caller's task along to the threads of blocking tools, besides the tracing
    /// span: `capture` runs in the task, what it returns runs the tool on the thread (rule EXE-4).
    ///
    /// ```
    /// use vernal_core::calling::ToolCallingManager;
    ///
    /// tokio::task_local! { static TENANT: String; }
    ///
    /// let manager = ToolCallingManager::builder()
    ///     .carry_into_blocking(|| {
    ///         let tenant = TENANT.try_with(Clone::clone).unwrap_or_default();
    ///         move |run: &mut dyn FnMut()| TENANT.sync_scope(tenant, run)
    ///     })
    ///     .build()?;
    /// # let _ = manager;
    /// # Ok::<(), vernal_core::calling::InvalidLimit>(())
    /// ```
    pub fn carry_into_blocking<R>(mut self, capture: impl Fn() -> R + Send + Sync + 'static) -> Self
    where
        R: FnOnce(&mut dyn FnMut()) + Send + 'static,
    {
        self.settings.carriers.add(capture);
        self
    }

    /// The manager.
    ///
    /// # Errors
    /// The first setting that was 0 or named a blank tool (rule LIM-6).
    pub fn build(mut self) -> Result<ToolCallingManager, InvalidLimit> {
        if self.settings.max_concurrency == 0 {
            return Err(InvalidLimit::new(
                "`max_concurrency` is 0, but must be at least 1",
            ));
        }
        self.settings.limits = self.limits.build()?;
        if let Some(resolver) = self.settings.fallback() {
            let known = resolver.known_tools();
            known
                .iter()
                .for_each(|tool| self.settings.warnings.of_fallback(&**tool));
        }
        Ok(ToolCallingManager(Arc::new(self.settings)))
    }
}
