use futures::future::BoxFuture;

use super::{ToolContext, ToolDefinition, ToolError, ToolInput, ToolMetadata, ToolOutput};

/// The running call of a tool.
pub type ToolFuture<'a> = BoxFuture<'a, Result<ToolOutput, ToolError>>;

/// A tool: what the model is told about it, how it is handled, and the code that runs.
///
/// Implement it by hand for full control, for example to forward calls to another system; for
/// functions and methods the attributes and builders of [this module](super) are shorter.
///
/// ```
/// use vernal_core::tool::{
///     ToolCallback, ToolContext, ToolDefinition, ToolFuture, ToolInput, ToolMetadata, ToolOutput,
/// };
///
/// struct Ping { definition: ToolDefinition }
///
/// impl ToolCallback for Ping {
///     fn tool_definition(&self) -> &ToolDefinition {
///         &self.definition
///     }
///     fn call<'a>(&'a self, _input: ToolInput, _context: ToolContext) -> ToolFuture<'a> {
///         Box::pin(async { Ok(ToolOutput::from_text("pong")) })
///     }
/// }
///
/// let ping = Ping { definition: ToolDefinition::builder("ping").build()? };
/// assert!(!ping.tool_metadata().return_direct());
/// # Ok::<(), vernal_core::tool::ToolDefinitionError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "expected a tool here",
    note = "put `#[tools]` on an `impl` block, `#[tool]` on a function, or implement `ToolCallback`"
)]
pub trait ToolCallback: Send + Sync + 'static {
    /// What the model sees: name, description and input schema (rule TOOLS-7).
    fn tool_definition(&self) -> &ToolDefinition;

    /// How the tool is handled; the model never sees it.
    fn tool_metadata(&self) -> &ToolMetadata {
        ToolMetadata::plain()
    }

    /// Runs the tool. The loop calls this only with input that fits the tool's schema (rule ARG-3).
    ///
    /// # Errors
    /// What the error says decides whether the model reads it or the caller gets it; see
    /// [`ToolError`]. Arguments that cannot be read are [invalid ones](ToolError::invalid_arguments), as what
    /// [`ToolInput`] fails with is.
    fn call<'a>(&'a self, input: ToolInput, context: ToolContext) -> ToolFuture<'a>;
}
