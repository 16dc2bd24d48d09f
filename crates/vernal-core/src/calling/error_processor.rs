use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use super::ToolExecutionError;

/// Decides what becomes of a tool's error: text for the model, or the error for the caller (rule ERR-1).
///
/// It does not hear of arguments that a tool cannot take: the model always reads what is wrong with them (rule
/// ERR-4). Where it panics, that is logged, and a model reads no more than which tool failed; a fatal error
/// still ends the turn.
///
/// ```
/// use vernal_core::calling::{ToolExecutionError, ToolExecutionErrorProcessor};
///
/// /// Keeps the model from reading what the database says.
/// struct Discreet;
///
/// impl ToolExecutionErrorProcessor for Discreet {
///     fn process(&self, error: ToolExecutionError) -> Result<String, ToolExecutionError> {
///         if error.cause().is_fatal() || error.tool_name() == "pay" {
///             return Err(error);
///         }
///         Ok(format!("The tool {} is out of order.", error.tool_name()))
///     }
/// }
/// ```
pub trait ToolExecutionErrorProcessor: Send + Sync + 'static {
    /// The text that the model reads in place of a result.
    ///
    /// # Errors
    /// The error, where it is for the caller: the turn ends with it.
    fn process(&self, error: ToolExecutionError) -> Result<String, ToolExecutionError>;
}

/// The default: the model reads a recoverable error's own text, through a redactor where one is set; the
/// caller gets what is fatal or on the rethrow list (rules ERR-2, ERR-3).
///
/// ```
/// use vernal_core::calling::DefaultToolExecutionErrorProcessor;
///
/// let processor = DefaultToolExecutionErrorProcessor::default()
///     .rethrow::<std::io::Error>()
///     .redact(|text| text.replace("hunter2", "…"));
/// # let _ = processor;
/// ```
#[derive(Clone, Default)]
pub struct DefaultToolExecutionErrorProcessor {
    throw_on_error: bool,
    rethrow: Vec<fn(&(dyn StdError + 'static)) -> bool>,
    redact: Option<Redact>,
}

type Redact = Arc<dyn Fn(&str) -> String + Send + Sync>;

impl DefaultToolExecutionErrorProcessor {
    /// Whether every tool error ends the turn and goes to the caller; by default only fatal ones do.
    #[must_use]
    pub fn throw_on_error(mut self, throw: bool) -> Self {
        self.throw_on_error = throw;
        self
    }

    /// Gives errors of type `E` to the caller, as the cause of the tool's error.
    #[must_use]
    pub fn rethrow<E: StdError + 'static>(mut self) -> Self {
        self.rethrow.push(|cause| cause.is::<E>());
        self
    }

    /// What goes over every text before the model reads it.
    #[must_use]
    pub fn redact(mut self, redact: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.redact = Some(Arc::new(redact));
        self
    }
}

impl ToolExecutionErrorProcessor for DefaultToolExecutionErrorProcessor {
    fn process(&self, error: ToolExecutionError) -> Result<String, ToolExecutionError> {
        let cause = error.cause();
        let listed = self
            .rethrow
            .iter()
            .any(|is_listed| is_listed(cause.as_error()));
        if self.throw_on_error || cause.is_fatal() || listed {
            return Err(error);
        }
        let text = error.text_for_model();
        Ok(self
            .redact
            .as_ref()
            .map_or_else(|| text.clone(), |redact| redact(&text)))
    }
}

impl fmt::Debug for DefaultToolExecutionErrorProcessor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DefaultToolExecutionErrorProcessor")
            .field("throw_on_error", &self.throw_on_error)
            .field("rethrow", &self.rethrow.len())
            .field("redact", &self.redact.is_some())
            .finish()
    }
}
