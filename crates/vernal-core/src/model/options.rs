use std::sync::Arc;

use serde_json::{Map, Value};

use super::{ResponseFormat, ToolChoice};
use crate::tool::{DuplicateTool, ToolCallback, ToolContext, ToolSet};

/// Settings of a model call, the tools on offer, and the context that tools get.
///
/// What is not set is left to the model.
#[derive(Debug, Clone, Default)]
pub struct ChatOptions {
    model: Option<Arc<str>>,
    temperature: Option<f64>,
    top_p: Option<f64>,
    max_tokens: Option<u32>,
    stop: Vec<String>,
    tool_choice: Option<ToolChoice>,
    parallel_tool_calls: Option<bool>,
    response_format: Option<ResponseFormat>,
    tools: ToolSet,
    tool_context: ToolContext,
    extra: Map<String, Value>,
}

/// The seed's name for options that carry tools; all options here can.
pub type ToolCallingChatOptions = ChatOptions;

impl ChatOptions {
    /// A builder without settings.
    pub fn builder() -> ChatOptionsBuilder {
        ChatOptionsBuilder::default()
    }

    /// The model's name at the provider.
    pub fn model(&self) -> Option<&Arc<str>> {
        self.model.as_ref()
    }

    /// The sampling temperature.
    pub fn temperature(&self) -> Option<f64> {
        self.temperature
    }

    /// The nucleus of probabilities to sample from.
    pub fn top_p(&self) -> Option<f64> {
        self.top_p
    }

    /// The most tokens of an answer.
    pub fn max_tokens(&self) -> Option<u32> {
        self.max_tokens
    }

    /// Texts that end the answer.
    pub fn stop(&self) -> &[String] {
        &self.stop
    }

    /// Whether and what the model must call; [`ToolChoice::Auto`] unless it was set.
    pub fn tool_choice(&self) -> &ToolChoice {
        const AUTO: &ToolChoice = &ToolChoice::Auto;
        self.tool_choice.as_ref().unwrap_or(AUTO)
    }

    /// Replaces whether and what the model must call.
    pub fn set_tool_choice(&mut self, choice: ToolChoice) {
        self.tool_choice = Some(choice);
    }

    /// Whether one answer may hold several calls; `None` leaves it to the provider.
    pub fn parallel_tool_calls(&self) -> Option<bool> {
        self.parallel_tool_calls
    }

    /// In which form the model answers; [`ResponseFormat::Text`] unless it was set.
    pub fn response_format(&self) -> &ResponseFormat {
        const TEXT: &ResponseFormat = &ResponseFormat::Text;
        self.response_format.as_ref().unwrap_or(TEXT)
    }

    /// Replaces the form in which the model answers.
    pub fn set_response_format(&mut self, format: ResponseFormat) {
        self.response_format = Some(format);
    }

    /// The tools on offer.
    pub fn tools(&self) -> &ToolSet {
        &self.tools
    }

    /// Replaces the tools on offer.
    pub fn set_tools(&mut self, tools: ToolSet) {
        self.tools = tools;
    }

    /// What tools get and the model does not.
    pub fn tool_context(&self) -> &ToolContext {
        &self.tool_context
    }

    /// Replaces what tools get.
    pub fn set_tool_context(&mut self, context: ToolContext) {
        self.tool_context = context;
    }

    /// Fields for the provider's request that have no setting here.
    pub fn extra(&self) -> &Map<String, Value> {
        &self.extra
    }

    /// These options over `defaults`: what is set here wins; tools here replace tools there; the tool
    /// contexts are merged and the entries here win (rule TOOLS-5).
    #[must_use]
    pub fn over(&self, defaults: &Self) -> Self {
        let mut extra = defaults.extra.clone();
        extra.extend(self.extra.clone());
        Self {
            model: self.model.clone().or_else(|| defaults.model.clone()),
            temperature: self.temperature.or(defaults.temperature),
            top_p: self.top_p.or(defaults.top_p),
            max_tokens: self.max_tokens.or(defaults.max_tokens),
            stop: if self.stop.is_empty() {
                defaults.stop.clone()
            } else {
                self.stop.clone()
            },
            tool_choice: self
                .tool_choice
                .clone()
                .or_else(|| defaults.tool_choice.clone()),
            parallel_tool_calls: self.parallel_tool_calls.or(defaults.parallel_tool_calls),
            response_format: self
                .response_format
                .clone()
                .or_else(|| defaults.response_format.clone()),
            tools: if self.tools.is_empty() {
                defaults.tools.clone()
            } else {
                self.tools.clone()
            },
            tool_context: defaults.tool_context.merged_with(&self.tool_context),
            extra,
        }
    }
}

/// Builds [`ChatOptions`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct ChatOptionsBuilder(ChatOptions);

impl ChatOptionsBuilder {
    /// The model's name at the provider.
    pub fn model(mut self, model: impl Into<Arc<str>>) -> Self {
        self.0.model = Some(model.into());
        self
    }

    /// The sampling temperature.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.0.temperature = Some(temperature);
        self
    }

    /// The nucleus of probabilities to sample from.
    pub fn top_p(mut self, top_p: f64) -> Self {
        self.0.top_p = Some(top_p);
        self
    }

    /// The most tokens of an answer.
    pub fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.0.max_tokens = Some(max_tokens);
        self
    }

    /// Adds a text that ends the answer.
    pub fn stop(mut self, text: impl Into<String>) -> Self {
        self.0.stop.push(text.into());
        self
    }

    /// Whether and what the model must call.
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.0.tool_choice = Some(choice);
        self
    }

    /// Whether one answer may hold several calls.
    pub fn parallel_tool_calls(mut self, allowed: bool) -> Self {
        self.0.parallel_tool_calls = Some(allowed);
        self
    }

    /// In which form the model answers.
    pub fn response_format(mut self, format: ResponseFormat) -> Self {
        self.0.response_format = Some(format);
        self
    }

    /// The tools on offer, replacing earlier ones. Use it where no client collects tools.
    /// [`ToolCallbacks::from`](crate::tool::ToolCallbacks::from) makes callbacks of whatever the `tools` of a
    /// client take, save providers, which only a client asks:
    ///
    /// ```
    /// use vernal_core::model::ChatOptions;
    /// use vernal_core::tool::{FunctionToolCallback, ToolCallbacks};
    ///
    /// let time = FunctionToolCallback::builder("time", || "12:00").description("The time").build()?;
    /// let noon = FunctionToolCallback::builder("noon", || true).description("Is it noon?").build()?;
    /// let options = ChatOptions::builder().tool_callbacks(ToolCallbacks::from((time, noon)))?.build();
    /// assert_eq!(options.tools().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Two different tools with one name (rule TOOLS-4).
    pub fn tool_callbacks(
        mut self,
        tools: impl IntoIterator<Item = Arc<dyn ToolCallback>>,
    ) -> Result<Self, DuplicateTool> {
        self.0.tools = ToolSet::of_callbacks(tools)?;
        Ok(self)
    }

    /// What tools get and the model does not.
    pub fn tool_context(mut self, context: impl Into<ToolContext>) -> Self {
        self.0.tool_context = context.into();
        self
    }

    /// A field for the provider's request that has no setting here.
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.0.extra.insert(name.into(), value.into());
        self
    }

    /// The options.
    pub fn build(self) -> ChatOptions {
        self.0
    }
}
