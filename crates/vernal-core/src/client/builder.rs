use std::sync::Arc;

use super::chat_client::Defaults;
use super::{ChatClient, assemble};
use crate::Error;
use crate::advisor::{
    AdvisorChain, AdvisorSpec, AutomaticLoop, IntoAdvisors, IntoToolAdvisor, ToolAdvisor,
    ToolCallingAdvisor,
};
use crate::calling::ToolCallingManager;
use crate::model::{ChatModel, ChatOptions, Finding, Severity};
use crate::tool::{DestructiveWarnings, IntoTools, ToolContext, ToolOrigin, ToolSet, ToolSource};

/// Builds a [`ChatClient`].
#[must_use]
pub struct ChatClientBuilder {
    model: Arc<dyn ChatModel>,
    system: Option<Arc<str>>,
    tools: Vec<ToolSource>,
    options: ChatOptions,
    context: ToolContext,
    advisors: AdvisorSpec,
    manager: Option<ToolCallingManager>,
    tool_loop: Option<Result<Arc<dyn ToolAdvisor>, Error>>,
    is_loop_enabled: bool,
}

impl ChatClientBuilder {
    pub(super) fn new(model: Arc<dyn ChatModel>) -> Self {
        Self {
            model,
            system: None,
            tools: Vec::new(),
            options: ChatOptions::default(),
            context: ToolContext::empty(),
            advisors: AdvisorSpec::default(),
            manager: None,
            tool_loop: None,
            is_loop_enabled: true,
        }
    }

    /// The system message of requests that have none.
    pub fn default_system(mut self, text: impl Into<Arc<str>>) -> Self {
        self.system = Some(text.into());
        self
    }

    /// Adds tools that every request offers.
    ///
    /// Dangerous and destructive tools are better added per request; those marked as destructive are warned
    /// about (rule TOOLS-9).
    pub fn default_tools(mut self, tools: impl IntoTools) -> Self {
        tools.collect_tools(&mut self.tools);
        self
    }

    /// What tools get and the model does not; a request's entries win.
    pub fn default_tool_context(mut self, context: impl Into<ToolContext>) -> Self {
        self.context = self.context.merged_with(&context.into());
        self
    }

    /// Settings of every request; a request's own win.
    pub fn default_options(mut self, options: ChatOptions) -> Self {
        self.options = options;
        self
    }

    /// Adds advisors, or settings of theirs, to every request.
    pub fn default_advisors(mut self, advisors: impl IntoAdvisors) -> Self {
        advisors.collect_advisors(&mut self.advisors);
        self
    }

    /// What executes tool calls, with its limits. A tool advisor of one's own brings its own.
    pub fn tool_calling_manager(mut self, manager: ToolCallingManager) -> Self {
        self.manager = Some(manager);
        self
    }

    /// The tool loop of requests that have none in their chain, in place of the default one: a
    /// [`ToolCallingAdvisor`]'s builder, with hooks for example, or a [`ToolAdvisor`] of one's own. It is
    /// registered by itself as the default one is (rules AUTO-2, AUTO-4); one given with
    /// [`default_advisors`](Self::default_advisors) stands in every chain.
    pub fn tool_calling_advisor(mut self, tool_loop: impl IntoToolAdvisor) -> Self {
        self.tool_loop = Some(tool_loop.into_tool_advisor());
        self
    }

    /// Whether the tool loop is registered where neither the client's advisors nor the request's say so
    /// with [`AdvisorParams`](crate::advisor::AdvisorParams); by default it is (rule AUTO-2).
    ///
    /// This is the switch for configuration (`chat.client.tool-calling.enabled`): whoever hands out builders for a whole application sets it
    /// on each of them. There is none for the process, so that no client depends on what others did.
    pub fn tool_calling_enabled(mut self, enabled: bool) -> Self {
        self.is_loop_enabled = enabled;
        self
    }

    /// The client. No provider is asked for its tools (rule TOOLS-2).
    ///
    /// # Errors
    /// Two default tools with one name, two tool advisors, a tool advisor that cannot be built, or one
    /// together with a manager that it would not use, or defaults that the model's provider would
    /// refuse for certain; see [`ChatClient::check`].
    pub fn build(self) -> Result<ChatClient, Error> {
        let mut options = self.options;
        let callbacks = assemble::callbacks(&self.tools, ToolOrigin::Defaults);
        let tools = ToolSet::new(callbacks.chain(options.tools().entries().cloned()))?;
        let warnings = DestructiveWarnings::default();
        tools.iter().for_each(|tool| warnings.of_default(&**tool));
        options.set_tools(tools);
        options.set_tool_context(options.tool_context().merged_with(&self.context));
        let tool_loop = AutomaticLoop {
            advisor: tool_loop(self.tool_loop, self.manager)?,
            is_enabled: self.is_loop_enabled,
        };
        let model = self.model;
        refuse(&model.check(&options))?;
        let chain = AdvisorChain::with_tool_loop(&self.advisors, &tool_loop, model.clone())?;
        Ok(ChatClient(Arc::new(Defaults {
            model,
            system: self.system,
            tools: self.tools,
            options: Arc::new(options),
            advisors: self.advisors,
            tool_loop,
            chain,
            warnings,
        })))
    }

    /// The client of a builder on which nothing was set, which cannot fail.
    pub(super) fn build_without_defaults(self) -> ChatClient {
        let tool_loop: Arc<ToolCallingAdvisor> = Arc::default();
        let chain = AdvisorChain::new(vec![tool_loop.clone()], self.model.clone());
        ChatClient(Arc::new(Defaults {
            chain,
            model: self.model,
            system: None,
            tools: Vec::new(),
            options: Arc::default(),
            advisors: AdvisorSpec::default(),
            tool_loop: AutomaticLoop {
                advisor: tool_loop,
                is_enabled: true,
            },
            warnings: DestructiveWarnings::default(),
        }))
    }
}

/// The loop that was configured, or the default one with the manager that was.
fn tool_loop(
    configured: Option<Result<Arc<dyn ToolAdvisor>, Error>>,
    manager: Option<ToolCallingManager>,
) -> Result<Arc<dyn ToolAdvisor>, Error> {
    match (configured.transpose()?, manager) {
        (Some(tool_loop), None) => Ok(tool_loop),
        (Some(tool_loop), Some(_)) => Err(Error::setup(format!(
            "`tool_calling_manager` has no use beside the tool advisor `{}`; give the manager to the \
             advisor's own builder",
            tool_loop.name()
        ))),
        (None, manager) => {
            ToolCallingAdvisor::with_manager(manager.unwrap_or_default()).into_tool_advisor()
        }
    }
}

/// An error that says all that a provider would refuse.
fn refuse(findings: &[Finding]) -> Result<(), Error> {
    let refused = findings
        .iter()
        .filter(|found| found.severity == Severity::Error);
    let lines: Vec<String> = refused.map(ToString::to_string).collect();
    match lines.as_slice() {
        [] => Ok(()),
        lines => Err(Error::setup(format!(
            "the model's provider would refuse every request: {}",
            lines.join("; ")
        ))),
    }
}
