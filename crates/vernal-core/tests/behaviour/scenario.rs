//! What is given to a driver: a script, tools, settings and the messages of the request.

use std::sync::Arc;

use vernal_core::calling::{
    ToolCallingManager, ToolCallingManagerBuilder, ToolExecutionEligibilityChecker,
};
use vernal_core::message::History;
use vernal_core::model::{ChatOptions, ChatResponse, ToolChoice};
use vernal_core::tool::{ToolCallback, ToolContext};
use vernal_testing::{Reply, ScriptedModel};

use crate::drivers::{Driver, Outcome, run};
use crate::kit::{Log, TestTool};

/// A script, tools, settings and the messages of the request. It can be run any number of times.
pub(crate) struct Scenario {
    pub(crate) log: Log,
    pub(crate) messages: History,
    pub(crate) tools: Vec<Arc<dyn ToolCallback>>,
    pub(crate) context: ToolContext,
    pub(crate) choice: ToolChoice,
    pub(crate) manager: ToolCallingManager,
    pub(crate) checker: ToolExecutionEligibilityChecker,
    replies: Vec<Reply>,
    forever: Option<Reply>,
}

impl Scenario {
    /// The user says `go`; there are no tools, the defaults hold, and the model says nothing.
    pub(crate) fn new() -> Self {
        Self {
            log: Log::default(),
            messages: History::from("go"),
            tools: Vec::new(),
            context: ToolContext::from([("tenant", "acme")]),
            choice: ToolChoice::Auto,
            manager: ToolCallingManager::default(),
            checker: ToolExecutionEligibilityChecker::default(),
            replies: Vec::new(),
            forever: None,
        }
    }

    pub(crate) fn messages(mut self, messages: impl Into<History>) -> Self {
        self.messages = messages.into();
        self
    }

    pub(crate) fn tool(mut self, tool: TestTool) -> Self {
        self.tools.push(tool.build(&self.log));
        self
    }

    pub(crate) fn callback(mut self, tool: impl ToolCallback) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    pub(crate) fn reply(mut self, reply: Reply) -> Self {
        self.replies.push(reply);
        self
    }

    /// The model says `text`.
    pub(crate) fn says(self, text: &str) -> Self {
        self.reply(Reply::text(text))
    }

    /// The model asks for a tool.
    pub(crate) fn calls(self, name: &str, arguments: &str) -> Self {
        self.reply(Reply::call(name, arguments))
    }

    /// The model answers like this whenever the script is at its end.
    pub(crate) fn forever(mut self, reply: Reply) -> Self {
        self.forever = Some(reply);
        self
    }

    pub(crate) fn choice(mut self, choice: ToolChoice) -> Self {
        self.choice = choice;
        self
    }

    pub(crate) fn manager(
        mut self,
        set: impl FnOnce(ToolCallingManagerBuilder) -> ToolCallingManagerBuilder,
    ) -> Self {
        self.manager = set(ToolCallingManager::builder()).build().unwrap();
        self
    }

    pub(crate) fn checker(
        mut self,
        check: impl Fn(&ChatResponse) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.checker = ToolExecutionEligibilityChecker::new(check);
        self
    }

    /// Runs it with every driver and checks each outcome.
    pub(crate) async fn check(&self, expect: impl Fn(&Outcome)) {
        self.check_on(&Driver::ALL, expect).await;
    }

    /// Runs it with these drivers and checks each outcome.
    pub(crate) async fn check_on(&self, drivers: &[Driver], expect: impl Fn(&Outcome)) {
        for driver in drivers {
            println!("with the driver {driver:?}:");
            let outcome = run(*driver, self).await;
            println!("{outcome:#?}");
            expect(&outcome);
        }
    }

    pub(crate) fn model(&self) -> ScriptedModel {
        let model = ScriptedModel::new();
        let model = self
            .replies
            .iter()
            .fold(model, |model, reply| model.replies(reply.clone()));
        match &self.forever {
            Some(reply) => model.then_always(reply.clone()),
            None => model,
        }
    }

    /// The tools, the choice and the context, as a loop of the caller's own puts them into a prompt.
    pub(crate) fn options(&self) -> ChatOptions {
        ChatOptions::builder()
            .tool_callbacks(self.tools.clone())
            .unwrap()
            .tool_context(self.context.clone())
            .tool_choice(self.choice.clone())
            .build()
    }
}

/// `count` calls of the tool `name` in one reply, each with its number.
pub(crate) fn calls(name: &str, count: usize) -> Reply {
    (0..count).fold(Reply::empty(), |reply, n| {
        reply.and_call(name, format!(r#"{{"n":{n}}}"#))
    })
}
