use std::fmt;
use std::sync::Arc;

use super::reading::is_refused;
use crate::message::FinishReason;
use crate::model::{ChatResponse, ResponseSchema};
use crate::tool::schema::{Violation, Violations};

/// How many violations the one line of the error shows.
const SHOWN: usize = 3;

/// An answer that does not fit what was asked for, after all corrections.
///
/// It is in an error: see [`Error::invalid_answer`](crate::Error::invalid_answer).
#[derive(Debug)]
pub struct InvalidAnswer {
    schema: ResponseSchema,
    text: Arc<str>,
    violations: Violations,
    tries: u32,
    refused: bool,
    finish_reason: Option<FinishReason>,
}

impl InvalidAnswer {
    pub(super) fn of(
        schema: &ResponseSchema,
        response: &ChatResponse,
        violations: Violations,
    ) -> Self {
        Self {
            schema: schema.clone(),
            text: response.content().into(),
            violations,
            tries: 1,
            refused: is_refused(response),
            finish_reason: response.finish_reason().cloned(),
        }
    }

    pub(super) fn after(mut self, tries: u32) -> Self {
        self.tries = tries;
        self
    }

    /// What the answer should have fitted.
    pub fn schema(&self) -> &ResponseSchema {
        &self.schema
    }

    /// The last answer as the model gave it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the last answer does not fit.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter()
    }

    /// How many answers the model gave.
    pub fn tries(&self) -> u32 {
        self.tries
    }

    /// Whether the model, or a filter of its provider, declined to answer. It is not asked again then.
    pub fn is_refused(&self) -> bool {
        self.refused
    }

    /// Why the last answer ended.
    pub fn finish_reason(&self) -> Option<&FinishReason> {
        self.finish_reason.as_ref()
    }
}

impl fmt::Display for InvalidAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, tries) = (self.schema.name(), self.tries);
        if self.refused {
            return write!(f, "the model declined to give an answer that fits `{name}`");
        }
        write!(f, "the answer does not fit `{name}`")?;
        if tries > 1 {
            write!(f, " after {tries} tries")?;
        }
        let mut separator = ": ";
        for violation in self.violations().take(SHOWN) {
            let line = violation.to_string().replace('\n', " ");
            write!(f, "{separator}{line}")?;
            separator = "; ";
        }
        if let Some(more @ 1..) = self.violations().count().checked_sub(SHOWN) {
            write!(f, "; and {more} more")?;
        }
        match &self.finish_reason {
            None | Some(FinishReason::Stop | FinishReason::ToolCalls) => {
                f.write_str("; allow more corrections, or ask for a simpler type")
            }
            Some(FinishReason::Length) => {
                f.write_str("; it was cut off: allow more tokens with `max_tokens`")
            }
            Some(reason) => write!(f, "; it ended with `{reason}`, not with a model's answer"),
        }
    }
}
