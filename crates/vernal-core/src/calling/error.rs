use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::outcome::limit_generation;
use super::run_tool::in_words;
use super::{LimitBreach, NotWithin, ToolExecutionResult};
use crate::message::FinishReason;
use crate::model::Generation;
use crate::tool::ToolError;
use crate::tool::name::shown;

/// A tool that did not give a result (rule ERR-1): what its function returned, or what became of it.
///
/// The [`ToolExecutionErrorProcessor`](super::ToolExecutionErrorProcessor) decides who is told.
#[derive(Debug)]
pub struct ToolExecutionError {
    tool_name: Arc<str>,
    failure: Failure,
    cause: ToolError,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    Returned,
    TimedOut,
    Panicked,
}

impl ToolExecutionError {
    /// The tool returned an error.
    pub(super) fn failed(tool_name: Arc<str>, cause: ToolError) -> Self {
        Self {
            tool_name,
            failure: Failure::Returned,
            cause,
        }
    }

    /// The tool was given up after the time it was given (rule ERR-6).
    pub(super) fn timed_out(tool_name: Arc<str>, given: Duration) -> Self {
        let given = in_words(given);
        let cause = ToolError::model(format!("it was given {given} and did not finish in time"));
        Self {
            tool_name,
            failure: Failure::TimedOut,
            cause,
        }
    }

    /// The tool panicked; what it said stays out of every text (rule ERR-5).
    pub(super) fn panicked(tool_name: Arc<str>) -> Self {
        tracing::error!(tool = &*tool_name, "the tool panicked");
        let cause = ToolError::model("it stopped unexpectedly");
        Self {
            tool_name,
            failure: Failure::Panicked,
            cause,
        }
    }

    /// What becomes of a fatal error whose processor panicked with it: it still ends the turn.
    pub(super) fn processor_panicked(&self) -> Option<Self> {
        let text = "it failed, and the application's error processor panicked with its error";
        let cause = || ToolError::fatal(text);
        let is_fatal = self.cause.is_fatal();
        is_fatal.then(|| Self::failed(self.tool_name.clone(), cause()))
    }

    /// The tool that failed.
    pub fn tool_name(&self) -> &str {
        &self.tool_name
    }

    /// What the tool returned, or what became of it.
    pub fn cause(&self) -> &ToolError {
        &self.cause
    }

    /// Whether the tool did not finish in time.
    pub fn is_timeout(&self) -> bool {
        self.failure == Failure::TimedOut
    }

    /// Whether the tool panicked.
    pub fn is_panic(&self) -> bool {
        self.failure == Failure::Panicked
    }

    /// What a model may read: the cause's own text, never its sources (rules ERR-2, ERR-3).
    pub fn text_for_model(&self) -> String {
        let text = self.cause.to_string();
        match self.failure {
            Failure::Returned if text.trim().is_empty() => self.text_without_words(),
            Failure::Returned => text,
            Failure::TimedOut | Failure::Panicked => {
                format!("The tool `{}` failed: {text}.", self.tool_name)
            }
        }
    }

    /// What a model reads where nothing else was said (rule ERR-3).
    pub(super) fn text_without_words(&self) -> String {
        let (name, kind) = (&self.tool_name, self.cause.type_name());
        format!("Exception occurred in tool: {name} ({kind})")
    }

    /// What went wrong in one word, for a span.
    pub(super) fn kind_name(&self) -> &'static str {
        match self.failure {
            Failure::Returned if self.cause.is_invalid_arguments() => "invalid_arguments",
            Failure::Returned => self.cause.type_name(),
            Failure::TimedOut => "timeout",
            Failure::Panicked => "panic",
        }
    }
}

impl fmt::Display for ToolExecutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tool `{}` failed: {}", self.tool_name, self.cause)
    }
}

impl StdError for ToolExecutionError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(self.cause.as_error())
    }
}

/// A turn of a loop of the caller's own that ended at a limit (rule LIM-7).
///
/// What already ran in the batch is not lost: it is in the [`partial_result`](Self::partial_result).
#[derive(Debug)]
pub struct ToolCallLimitExceeded {
    pub(super) breach: LimitBreach,
    pub(super) partial: Box<ToolExecutionResult>,
}

impl ToolCallLimitExceeded {
    /// The finish reason of a response that a limit ended.
    pub const FINISH_REASON: FinishReason = FinishReason::ToolCallLimitExceeded;
    /// The metadata key under which such a response keeps what had run in its last batch.
    pub const METADATA_PARTIAL_TOOL_RESPONSES: &'static str = "partialToolResponses";

    /// Which limit it was.
    pub fn breach(&self) -> &LimitBreach {
        &self.breach
    }

    /// The tool that was called too often; `None` where the limit is not one tool's.
    pub fn tool_name(&self) -> Option<&str> {
        self.breach.tool_name()
    }

    /// The limit that was hit.
    pub fn limit(&self) -> u32 {
        self.breach.limit()
    }

    /// The history with an answer to every call, and the answers of this batch.
    pub fn partial_result(&self) -> &ToolExecutionResult {
        &self.partial
    }

    /// What a client answers in the model's place: which limit it was, with the successes of this
    /// batch in its metadata (rule LIM-8).
    pub fn build_generation(&self) -> Generation {
        limit_generation(&self.breach, self.partial.tool_responses())
    }
}

impl fmt::Display for ToolCallLimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.breach.fmt(f)
    }
}

impl StdError for ToolCallLimitExceeded {}

/// Why [`ToolCallingManager`](super::ToolCallingManager) could not execute the calls of a response.
#[derive(Debug)]
pub struct ToolCallingError(pub(super) Kind);

#[derive(Debug)]
pub(super) enum Kind {
    NoToolCalls,
    Limit(ToolCallLimitExceeded),
    UnknownTool {
        tool_name: Arc<str>,
        known: String,
        partial: Box<ToolExecutionResult>,
    },
    Execution {
        error: ToolExecutionError,
        partial: Box<ToolExecutionResult>,
    },
    TimedOut {
        given: Duration,
        partial: Box<ToolExecutionResult>,
    },
    NoTimers {
        partial: Box<ToolExecutionResult>,
    },
}

impl ToolCallingError {
    /// Whether the response asks for no tools, so that there was nothing to execute.
    pub fn is_no_tool_calls(&self) -> bool {
        matches!(self.0, Kind::NoToolCalls)
    }

    /// The limit that ended the turn, if one did.
    pub fn limit_exceeded(&self) -> Option<&ToolCallLimitExceeded> {
        match &self.0 {
            Kind::Limit(exceeded) => Some(exceeded),
            _ => None,
        }
    }

    /// Whether the model named a tool that there is not, and names are strict.
    pub fn is_unknown_tool(&self) -> bool {
        matches!(self.0, Kind::UnknownTool { .. })
    }

    /// Whether it took too long: the calls of the response together, or a tool whose errors are for the
    /// caller (rule EXE-2).
    pub fn is_timeout(&self) -> bool {
        matches!(self.0, Kind::TimedOut { .. })
            || self
                .execution_error()
                .is_some_and(ToolExecutionError::is_timeout)
    }

    /// The tool's error, if a tool failed fatally.
    pub fn execution_error(&self) -> Option<&ToolExecutionError> {
        match &self.0 {
            Kind::Execution { error, .. } => Some(error),
            _ => None,
        }
    }

    /// The tool that the error is about, if it is about one.
    pub fn tool_name(&self) -> Option<&str> {
        match &self.0 {
            Kind::NoToolCalls | Kind::TimedOut { .. } | Kind::NoTimers { .. } => None,
            Kind::Limit(exceeded) => exceeded.tool_name(),
            Kind::UnknownTool { tool_name, .. } => Some(tool_name),
            Kind::Execution { error, .. } => Some(error.tool_name()),
        }
    }

    /// What had run: a history in which every call is answered.
    pub fn partial_result(&self) -> Option<&ToolExecutionResult> {
        match &self.0 {
            Kind::NoToolCalls => None,
            Kind::Limit(exceeded) => Some(exceeded.partial_result()),
            Kind::UnknownTool { partial, .. }
            | Kind::Execution { partial, .. }
            | Kind::TimedOut { partial, .. }
            | Kind::NoTimers { partial } => Some(partial),
        }
    }
}

impl fmt::Display for ToolCallingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::NoToolCalls => f.write_str(
                "the response asks for no tools; check `has_tool_calls()` before executing them",
            ),
            Kind::Limit(exceeded) => exceeded.fmt(f),
            Kind::UnknownTool {
                tool_name, known, ..
            } => {
                write!(
                    f,
                    "the model called `{}`, which is no tool of the request ({known})",
                    shown(tool_name)
                )
            }
            Kind::Execution { error, .. } => error.fmt(f),
            Kind::NoTimers { .. } => {
                let needs = NotWithin::NEEDS_A_RUNTIME;
                write!(f, "the manager's `turn_timeout` {needs}; no tool was run")
            }
            Kind::TimedOut { given, .. } => write!(
                f,
                "the tools did not finish in {given:?}; give them more time with `turn_timeout`"
            ),
        }
    }
}

impl StdError for ToolCallingError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.0 {
            Kind::Execution { error, .. } => error.source(),
            _ => None,
        }
    }
}
