//! What came of a run, the same things for every driver.

use std::fmt;
use std::time::Duration;

use vernal_core::advisor::ChatEvent;
use vernal_core::calling::{ToolCallingError, ToolExecutionError};
use vernal_core::message::{FinishReason, History, Usage};
use vernal_core::model::{ChatResponse, ModelError, Prompt};

use crate::transcript::lines;

/// What can be seen from outside, the same things for every driver.
pub(crate) struct Outcome {
    pub(crate) response: Option<ChatResponse>,
    pub(crate) error: Option<Failure>,
    /// What a manual loop is told at a limit, beside the response.
    pub(crate) exceeded: Option<ToolCallingError>,
    pub(crate) history: History,
    /// The calls that ran: name and input, in the order in which they began.
    pub(crate) executions: Vec<(String, String)>,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) usage: Usage,
    /// The rounds in which the model asked for tools.
    pub(crate) rounds: u32,
    /// What a stream yielded; empty for the others.
    pub(crate) events: Vec<ChatEvent>,
    pub(crate) elapsed: Duration,
}

/// Why a run failed.
pub(crate) enum Failure {
    Client(vernal_core::Error),
    Manager(ToolCallingError),
    Model(ModelError),
}

impl Outcome {
    /// The text of the answer.
    pub(crate) fn text(&self) -> String {
        self.response().content().into_owned()
    }

    pub(crate) fn finish_reason(&self) -> Option<&FinishReason> {
        self.response().finish_reason()
    }

    pub(crate) fn response(&self) -> &ChatResponse {
        self.response
            .as_ref()
            .unwrap_or_else(|| panic!("no response: {:?}", self.error))
    }

    pub(crate) fn error(&self) -> &Failure {
        self.error
            .as_ref()
            .unwrap_or_else(|| panic!("no error: {:?}", self.response))
    }

    /// The whole conversation, a line for each message.
    pub(crate) fn transcript(&self) -> Vec<String> {
        lines(&self.history)
    }

    /// The names of the tools that ran, in the order in which they began.
    pub(crate) fn ran(&self) -> Vec<&str> {
        self.executions
            .iter()
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// How often the model was called.
    pub(crate) fn model_calls(&self) -> usize {
        self.prompts.len()
    }
}

impl Failure {
    pub(crate) fn is_unknown_tool(&self) -> bool {
        match self {
            Self::Client(error) => error.is_unknown_tool(),
            Self::Manager(error) => error.is_unknown_tool(),
            Self::Model(_) => false,
        }
    }

    pub(crate) fn is_timeout(&self) -> bool {
        match self {
            Self::Client(error) => error.is_timeout(),
            Self::Manager(error) => error.is_timeout(),
            Self::Model(error) => error.is_timeout(),
        }
    }

    /// The tool's error, if a tool ended the turn.
    pub(crate) fn tool_error(&self) -> Option<&ToolExecutionError> {
        match self {
            Self::Client(error) => error.tool_error(),
            Self::Manager(error) => error.execution_error(),
            Self::Model(_) => None,
        }
    }

    pub(crate) fn tool_name(&self) -> Option<&str> {
        match self {
            Self::Client(error) => error.tool_name(),
            Self::Manager(error) => error.tool_name(),
            Self::Model(_) => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(error) => error.fmt(f),
            Self::Manager(error) => error.fmt(f),
            Self::Model(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field(
                "text",
                &self.response.as_ref().map(|response| response.content()),
            )
            .field("error", &self.error)
            .field("transcript", &self.transcript())
            .field("ran", &self.ran())
            .field("rounds", &self.rounds)
            .finish_non_exhaustive()
    }
}
