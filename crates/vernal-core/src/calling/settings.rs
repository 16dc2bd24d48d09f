//! What a manager was told when it was built.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::carry::Carriers;
use super::recorder;
use super::{
    DEFAULT_MAX_CONCURRENCY, DefaultToolExecutionErrorProcessor, ToolCallLimits, ToolCallRecorder,
    ToolExecutionErrorProcessor, TurnRules,
};
use crate::message::{ToolCall, ToolOutcome};
use crate::model::ChatOptions;
use crate::tool::{ArgumentPolicy, DestructiveWarnings, ToolCallbackResolver, ToolResultStore};

/// The size at which a result is cut, unless configured (rule RES-4).
const DEFAULT_MAX_RESULT_BYTES: usize = 256 * 1024;

#[derive(Clone)]
pub(super) struct Settings {
    pub(super) limits: ToolCallLimits,
    pub(super) max_concurrency: usize,
    pub(super) strict_tool_names: bool,
    pub(super) arguments: ArgumentPolicy,
    pub(super) resolver: Option<Arc<dyn ToolCallbackResolver>>,
    pub(super) resolution_fallback: bool,
    pub(super) error_processor: Arc<dyn ToolExecutionErrorProcessor>,
    pub(super) recorder: Option<Arc<dyn ToolCallRecorder>>,
    pub(super) max_result_bytes: usize,
    pub(super) result_store: Option<ToolResultStore>,
    pub(super) turn_timeout: Option<Duration>,
    pub(super) carriers: Carriers,
    pub(super) blocking: BlockingCount,
    pub(super) warnings: Arc<DestructiveWarnings>,
}

impl Settings {
    /// The rules for a request's tools and the choice among them.
    pub(super) fn rules<'a>(&'a self, options: &'a ChatOptions) -> TurnRules<'a> {
        let rules = TurnRules {
            choice: options.tool_choice(),
            warnings: Some(&self.warnings),
            ..TurnRules::new(&self.limits, options.tools()).arguments(&self.arguments)
        };
        match self.fallback() {
            Some(resolver) => rules.fallback(resolver),
            None => rules,
        }
    }

    /// Tells the recorder of a call that did not run.
    pub(super) fn record_not_run(
        &self,
        call: &ToolCall,
        round: u32,
        outcome: ToolOutcome,
        is_known: impl FnOnce() -> bool,
    ) {
        if let Some(recorder) = &self.recorder {
            let call = recorder::not_run(call, round, outcome, is_known());
            recorder::record(&**recorder, &call);
        }
    }

    /// Who is asked for tools that a request does not have, where that is on.
    pub(super) fn fallback(&self) -> Option<&dyn ToolCallbackResolver> {
        self.resolver
            .as_deref()
            .filter(|_| self.resolution_fallback)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: ToolCallLimits::default(),
            max_concurrency: DEFAULT_MAX_CONCURRENCY,
            strict_tool_names: false,
            arguments: ArgumentPolicy::default(),
            resolver: None,
            resolution_fallback: false,
            error_processor: Arc::new(DefaultToolExecutionErrorProcessor::default()),
            recorder: None,
            max_result_bytes: DEFAULT_MAX_RESULT_BYTES,
            result_store: None,
            turn_timeout: None,
            carriers: Carriers::default(),
            blocking: BlockingCount::default(),
            warnings: Arc::default(),
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("limits", &self.limits)
            .field("max_concurrency", &self.max_concurrency)
            .field("strict_tool_names", &self.strict_tool_names)
            .field("arguments", &self.arguments)
            .field("resolution_fallback", &self.resolution_fallback)
            .field("max_result_bytes", &self.max_result_bytes)
            .field("turn_timeout", &self.turn_timeout)
            .finish_non_exhaustive()
    }
}

/// How many blocking tools run, whether or not anybody still waits for them (rule EXE-3).
#[derive(Debug, Clone, Default)]
pub(super) struct BlockingCount(Arc<AtomicUsize>);

impl BlockingCount {
    pub(super) fn running(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }

    /// Counts one more until the guard is dropped.
    pub(super) fn enter(&self) -> BlockingGuard {
        self.0.fetch_add(1, Ordering::AcqRel);
        BlockingGuard(self.0.clone())
    }
}

pub(super) struct BlockingGuard(Arc<AtomicUsize>);

impl Drop for BlockingGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
