use serde::{Deserialize, Serialize};

/// What a model can do, as far as it is known: `None` where it is not.
///
/// It is data: adapters take it from a table, and an application can say otherwise.
///
/// ```
/// use vernal_core::model::Capabilities;
///
/// let known: Capabilities = serde_json::from_str(r#"{"tools":true,"context_window":128000}"#)?;
/// let mut own = Capabilities::default();
/// own.context_window = Some(32_000);
/// let both = own.over(&known);
/// assert_eq!((both.tools, both.context_window), (Some(true), Some(32_000)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Capabilities {
    /// Tools can be offered.
    pub tools: Option<bool>,
    /// One answer may hold several calls.
    pub parallel_tool_calls: Option<bool>,
    /// Arguments of calls are streamed as they are made.
    pub streamed_arguments: Option<bool>,
    /// A call can be required.
    pub required_tool_choice: Option<bool>,
    /// Arguments can be made to fit a schema.
    pub strict_schema: Option<bool>,
    /// The answer can be made to fit a schema.
    pub response_schema: Option<bool>,
    /// Images can be shown to it.
    pub image_input: Option<bool>,
    /// Images can be in the results of tools.
    pub images_in_results: Option<bool>,
    /// Its reasoning has to be sent back with its calls.
    pub reasoning_echo: Option<bool>,
    /// The tokens of a request and its answer together.
    pub context_window: Option<u64>,
    /// The most tokens of an answer.
    pub max_output_tokens: Option<u64>,
}

impl Capabilities {
    /// What is known here, and for the rest what `other` knows.
    #[must_use]
    pub fn over(&self, other: &Self) -> Self {
        Self {
            tools: self.tools.or(other.tools),
            parallel_tool_calls: self.parallel_tool_calls.or(other.parallel_tool_calls),
            streamed_arguments: self.streamed_arguments.or(other.streamed_arguments),
            required_tool_choice: self.required_tool_choice.or(other.required_tool_choice),
            strict_schema: self.strict_schema.or(other.strict_schema),
            response_schema: self.response_schema.or(other.response_schema),
            image_input: self.image_input.or(other.image_input),
            images_in_results: self.images_in_results.or(other.images_in_results),
            reasoning_echo: self.reasoning_echo.or(other.reasoning_echo),
            context_window: self.context_window.or(other.context_window),
            max_output_tokens: self.max_output_tokens.or(other.max_output_tokens),
        }
    }
}
