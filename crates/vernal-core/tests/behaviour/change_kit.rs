//! Turns whose rounds are changed by a hook or by an advisor inside of the loop.

use vernal_core::Error;
use vernal_core::advisor::{BaseAdvisor, ChatClientRequest, ChatClientResponse, ToolLoopHooks};
use vernal_core::client::{ChatClient, ChatClientBuilder};
use vernal_core::model::Prompt;
use vernal_testing::ScriptedModel;

use crate::hook_kit::with_hooks;
use crate::kit::{Log, tool};
use crate::transcript::{assert_valid, lines};

/// Changes what each round sends, as a hook or as an advisor inside of the loop.
#[derive(Clone)]
pub(crate) struct Changes<F>(pub(crate) F);

pub(crate) trait Change: Fn(&mut ChatClientRequest) + Clone + Send + Sync + 'static {}
impl<F: Fn(&mut ChatClientRequest) + Clone + Send + Sync + 'static> Change for F {}

impl<F: Change> ToolLoopHooks for Changes<F> {
    async fn before_call(&self, request: &mut ChatClientRequest) -> Result<(), Error> {
        (self.0)(request);
        Ok(())
    }
}

pub(crate) struct Inside<F>(pub(crate) F);

impl<F: Change> BaseAdvisor for Inside<F> {
    fn name(&self) -> &str {
        "inside"
    }

    async fn before(&self, mut request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        (self.0)(&mut request);
        Ok(request)
    }
}

/// What happened in a turn.
pub(crate) struct Turned {
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) response: ChatClientResponse,
}

impl Turned {
    /// What the model was sent in each round.
    pub(crate) fn sent(&self) -> Vec<Vec<String>> {
        self.prompts
            .iter()
            .map(|prompt| lines(prompt.messages()))
            .collect()
    }

    pub(crate) fn transcript(&self) -> Vec<String> {
        lines(self.response.messages().unwrap())
    }

    /// The names of the tools that each round offered.
    pub(crate) fn offered(&self) -> Vec<Vec<String>> {
        let names = |prompt: &Prompt| {
            let tools = prompt.options().tools().definitions();
            tools.map(|tool| tool.name().to_string()).collect()
        };
        self.prompts.iter().map(names).collect()
    }
}

/// Runs a turn of two rounds with the tool `a`, called and streamed.
pub(crate) async fn turns(client: impl Fn(ScriptedModel) -> ChatClientBuilder) -> [Turned; 2] {
    let mut turns = Vec::new();
    for streamed in [false, true] {
        let model = ScriptedModel::new()
            .calls("a", r#"{"n":1}"#)
            .calls("a", r#"{"n":2}"#);
        let model = model.says("done");
        let request = client(model.clone()).default_system("Be brief.");
        let request = request.build().unwrap().prompt("go");
        let response = match streamed {
            false => request.call().await.unwrap(),
            true => request.stream().response().await.unwrap(),
        };
        let prompts = model.prompts();
        prompts
            .iter()
            .for_each(|prompt| assert_valid(prompt.messages()));
        assert_valid(response.messages().unwrap());
        turns.push(Turned { prompts, response });
    }
    turns.try_into().unwrap_or_else(|_| unreachable!())
}

/// The same change made by a hook and by an advisor inside of the loop.
pub(crate) async fn by_both(log: &Log, change: impl Change) -> Vec<Turned> {
    let a = || tool("a").build(log);
    let by_hook = turns(|model| with_hooks(model, Changes(change.clone())).default_tools(a()));
    let by_advisor = turns(|model| {
        ChatClient::builder(model)
            .default_advisors(Inside(change.clone()))
            .default_tools(a())
    });
    let mut all = Vec::from(by_hook.await);
    all.extend(by_advisor.await);
    all
}

pub(crate) const FIRST: [&str; 2] = ["system: Be brief.", "user: go"];
pub(crate) const ROUND_1: [&str; 2] = [r#"assistant: [a {"n":1}]"#, "tool: [a success a result]"];
pub(crate) const ROUND_2: [&str; 2] = [r#"assistant: [a {"n":2}]"#, "tool: [a success a result]"];
