use std::any::{Any, type_name};

use serde::Serialize;

use super::{ToolError, ToolOutput};

/// Turns what a tool's function returned into what the model reads (rule RES-3).
///
/// ```
/// use vernal_core::tool::{ToolCallResultConverter, ToolError, ToolOutput, ToolResult};
///
/// /// Shows amounts with their currency.
/// struct InEuro;
///
/// impl ToolCallResultConverter for InEuro {
///     fn convert(&self, result: ToolResult<'_>) -> Result<ToolOutput, ToolError> {
///         match result.downcast_ref::<f64>() {
///             Some(amount) => Ok(ToolOutput::from_text(format!("{amount:.2} €"))),
///             None => result.by_default(),
///         }
///     }
/// }
///
/// let output = InEuro.convert(ToolResult::new(&3.5))?;
/// assert_eq!(output.text(), "3.50 €");
/// # Ok::<(), ToolError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot convert the results of a tool",
    label = "this is no `ToolCallResultConverter`",
    note = "implement `ToolCallResultConverter` for its type, or give a function such as \
            `|result: ToolResult<'_>| result.by_default()`"
)]
pub trait ToolCallResultConverter: Send + Sync + 'static {
    /// The result in the form in which the model reads it.
    ///
    /// # Errors
    /// A tool error like any other: recoverable unless it is marked as fatal (rule ERR-7).
    fn convert(&self, result: ToolResult<'_>) -> Result<ToolOutput, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<F> ToolCallResultConverter for F
where
    F: Fn(ToolResult<'_>) -> Result<ToolOutput, ToolError> + Send + Sync + 'static,
{
    fn convert(&self, result: ToolResult<'_>) -> Result<ToolOutput, ToolError> {
        self(result)
    }
}

/// A value that a tool's function returned, with its type.
#[derive(Clone, Copy)]
pub struct ToolResult<'a> {
    value: &'a (dyn Value + 'a),
}

trait Value {
    fn as_any(&self) -> &dyn Any;
    fn type_name(&self) -> &'static str;
    fn to_json(&self) -> Result<String, serde_json::Error>;
    fn to_output(&self) -> Result<ToolOutput, ToolError>;
}

impl<T: Serialize + 'static> Value for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn type_name(&self) -> &'static str {
        type_name::<T>()
    }

    fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    fn to_output(&self) -> Result<ToolOutput, ToolError> {
        ToolOutput::from_value_ref(self)
    }
}

impl<'a> ToolResult<'a> {
    /// A result to be converted.
    pub fn new<T: Serialize + 'static>(value: &'a T) -> Self {
        Self { value }
    }

    /// The value, if it is of type `T`.
    pub fn downcast_ref<T: 'static>(&self) -> Option<&'a T> {
        self.value.as_any().downcast_ref()
    }

    /// The name of the value's type, for people.
    pub fn type_name(&self) -> &'static str {
        self.value.type_name()
    }

    /// The value as compact JSON.
    ///
    /// # Errors
    /// The value does not serialise.
    pub fn to_json(&self) -> Result<String, ToolError> {
        self.value.to_json().map_err(ToolError::from)
    }

    /// The value by the default rules (rule RES-1).
    ///
    /// # Errors
    /// The value does not serialise.
    pub fn by_default(&self) -> Result<ToolOutput, ToolError> {
        self.value.to_output()
    }
}
