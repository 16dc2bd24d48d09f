//! SCH-8: what a provider's dialect loses is told before anything is sent, and what it would refuse is
//! refused here. The dialects themselves are tested with the adapters.

use vernal_core::client::ChatClient;
use vernal_core::model::{
    ChatModel, ChatOptions, Finding, FindingKind, LossOutcome, ModelFuture, ModelStream, Prompt,
    SchemaLoss, Severity,
};
use vernal_core::tool::FunctionToolCallback;
use vernal_testing::ScriptedModel;

/// A model whose dialect has no word for `pattern`, and which takes no more than two tools.
struct Narrow(ScriptedModel);

impl ChatModel for Narrow {
    fn name(&self) -> &str {
        "narrow"
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        self.0.call(prompt)
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        self.0.stream(prompt)
    }

    fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        let tools = options.tools();
        let losing = tools
            .definitions()
            .filter(|tool| tool.input_schema().contains("pattern"));
        let loss = || SchemaLoss::new("/properties/code", "pattern", LossOutcome::Dropped);
        let mut found: Vec<_> = losing
            .map(|tool| Finding::of_loss(tool.name().clone(), loss()))
            .collect();
        let count = tools.definitions().count();
        if count > 2 {
            let kind = FindingKind::LimitExceeded {
                limit: "tools",
                most: 2,
                found: count,
            };
            found.push(Finding::new(
                Severity::Error,
                kind,
                "three tools are one too many",
            ));
        }
        found
    }
}

fn tool(name: &str) -> FunctionToolCallback {
    let schema = r#"{"type":"object","properties":{"code":{"type":"string","pattern":"^A"}}}"#;
    let plain = FunctionToolCallback::builder(name, || "done");
    match name {
        "coded" => plain.input_schema(schema).build().unwrap(),
        _ => plain.build().unwrap(),
    }
}

#[tokio::test]
async fn sch_8_what_is_lost_is_told_and_what_is_refused_is_no_client() {
    let model = ScriptedModel::new();
    let client = ChatClient::builder(Narrow(model.clone()))
        .default_tools((tool("coded"), tool("plain")))
        .build()
        .unwrap();
    let found = client.check();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Warning);
    assert_eq!(found[0].tool.as_deref(), Some("coded"));
    let text = found[0].to_string();
    for part in ["coded", "`pattern`", "/properties/code", "left out"] {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    // The request's own tools count too.
    let request = client.prompt("hi").tools(tool("more"));
    let found = request.check().await.unwrap();
    let refused = found
        .iter()
        .filter(|found| found.severity == Severity::Error);
    assert_eq!(refused.count(), 1);
    let three = (tool("coded"), tool("plain"), tool("more"));
    let client = ChatClient::builder(Narrow(model.clone())).default_tools(three);
    let error = client.build().unwrap_err().to_string();
    assert!(error.contains("three tools are one too many"), "{error}");
    assert_eq!(model.call_count(), 0, "nothing is sent");
}
