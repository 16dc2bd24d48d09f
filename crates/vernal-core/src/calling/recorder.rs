//! Telling whoever counts what became of tool calls (rule ERR-8).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use tokio::time::Instant;

use crate::message::{ToolCall, ToolOutcome};

/// Hears what became of every call, for metrics: each call that is answered is told once, when it is
/// answered, whoever drives the loop and whoever hears of an error.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::sync::Arc;
/// use vernal_core::calling::{ToolCallRecord, ToolCallRecorder, ToolCallingManager};
///
/// #[derive(Default)]
/// struct Failures(AtomicU64);
///
/// impl ToolCallRecorder for Failures {
///     fn record(&self, call: &ToolCallRecord<'_>) {
///         if call.outcome.is_error() {
///             self.0.fetch_add(1, Ordering::Relaxed);
///         }
///     }
/// }
///
/// let failures = Arc::new(Failures::default());
/// let manager = ToolCallingManager::builder().tool_call_recorder(failures.clone()).build()?;
/// # let _ = manager;
/// # Ok::<(), vernal_core::calling::InvalidLimit>(())
/// ```
pub trait ToolCallRecorder: Send + Sync + 'static {
    /// Takes note of a call. It is in the way of the turn, so it does not wait for anything; what it
    /// panics with is logged and goes no further.
    fn record(&self, call: &ToolCallRecord<'_>);
}

impl<T: ToolCallRecorder + ?Sized> ToolCallRecorder for std::sync::Arc<T> {
    fn record(&self, call: &ToolCallRecord<'_>) {
        (**self).record(call);
    }
}

/// What became of a call. It has nothing of what the model or the tool said, but for the name.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ToolCallRecord<'a> {
    /// The name that was called. Of a tool that there is not it is the model's own word: the series of a
    /// metric are kept apart by [`label`](Self::label).
    pub tool_name: &'a str,
    /// Whether there is such a tool.
    pub is_known: bool,
    /// The call's id.
    pub call_id: &'a str,
    /// The round of the turn, from 1.
    pub round: u32,
    /// What became of the call.
    pub outcome: ToolOutcome,
    /// What went wrong while the tool ran, in a word: `timeout`, `panic`, `cancelled` where nobody waited
    /// any more, or the name of the error's type. `None` where it did not run or did not fail.
    pub error_type: Option<&'a str>,
    /// How long the tool ran, with all its retries; `None` where it did not run.
    pub duration: Option<Duration>,
}

impl ToolCallRecord<'_> {
    /// The tool's name, or `_other` for a tool that there is not: a model cannot make up new ones.
    pub fn label(&self) -> &str {
        match self.is_known {
            true => self.tool_name,
            false => "_other",
        }
    }
}

/// Tells the recorder; what it does wrong is not the turn's.
pub(super) fn record(recorder: &dyn ToolCallRecorder, call: &ToolCallRecord<'_>) {
    let told = catch_unwind(AssertUnwindSafe(|| recorder.record(call)));
    if told.is_err() {
        tracing::error!(tool = call.tool_name, "the recorder of tool calls panicked");
    }
}

/// A call that did not run.
pub(super) fn not_run<'a>(
    call: &'a ToolCall,
    round: u32,
    outcome: ToolOutcome,
    is_known: bool,
) -> ToolCallRecord<'a> {
    ToolCallRecord {
        tool_name: &call.name,
        is_known,
        call_id: &call.id,
        round,
        outcome,
        error_type: None,
        duration: None,
    }
}

/// A tool that runs. When it is dropped, the recorder is told how it ended: cancelled, unless it said so
/// before.
pub(super) struct Running<'a> {
    recorder: Option<&'a dyn ToolCallRecorder>,
    call: &'a ToolCall,
    round: u32,
    began: Instant,
    outcome: ToolOutcome,
    error_type: Option<&'static str>,
}

impl<'a> Running<'a> {
    pub(super) fn begin(
        recorder: Option<&'a dyn ToolCallRecorder>,
        call: &'a ToolCall,
        round: u32,
    ) -> Self {
        Self {
            recorder,
            call,
            round,
            began: Instant::now(),
            outcome: ToolOutcome::Failed,
            error_type: Some("cancelled"),
        }
    }

    /// How long it has run; `None` where it turned out that it could not take its arguments.
    pub(super) fn duration(&self) -> Option<Duration> {
        (self.outcome != ToolOutcome::InvalidArguments).then(|| self.began.elapsed())
    }

    /// The tool gave a result, or failed.
    pub(super) fn ended(&mut self, outcome: ToolOutcome, error_type: Option<&'static str>) {
        (self.outcome, self.error_type) = (outcome, error_type);
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let Some(recorder) = self.recorder else {
            return;
        };
        let duration = self.duration();
        let call = ToolCallRecord {
            error_type: self.error_type,
            duration,
            ..not_run(self.call, self.round, self.outcome, true)
        };
        record(recorder, &call);
    }
}
