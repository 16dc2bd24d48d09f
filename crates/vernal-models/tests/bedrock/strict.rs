//! Strict mode: where it is asked for, and where a model has it.

use std::sync::Arc;

use serde_json::{Value, json};
use vernal_core::model::{ChatModel, ChatOptions, FindingKind, LossOutcome, Prompt, Severity};
use vernal_core::tool::{
    ToolCallback, ToolContext, ToolDefinition, ToolError, ToolFuture, ToolInput,
};
use vernal_models::bedrock::BedrockChatModelBuilder;
use vernal_models::capabilities::CapabilityTable;

use crate::HELLO;
use crate::model::builder;
use crate::support::canned::Canned;

/// A tool with a schema, which is never called.
struct Defined(ToolDefinition);

impl ToolCallback for Defined {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _: ToolInput, _: ToolContext) -> ToolFuture<'a> {
        Box::pin(async { Err(ToolError::model("not called")) })
    }
}

fn tool(name: &str, schema: &Value) -> Arc<dyn ToolCallback> {
    let definition = ToolDefinition::builder(name).input_schema(schema.to_string());
    Arc::new(Defined(definition.build().unwrap()))
}

/// One tool that strict mode has words for, and one with a map.
fn options() -> ChatOptions {
    let place = json!({"type": "object", "properties": {
            "city": {"type": "string", "minLength": 1}, "at": {"$ref": "#/$defs/At"}},
        "required": ["city"], "$defs": {"At": {"type": "object", "properties":
            {"hour": {"type": "integer"}}, "required": ["hour"]}}});
    let map = json!({"type": "object", "properties": {"labels": {"type": "object",
        "additionalProperties": {"type": "string"}}}, "required": ["labels"]});
    let tools = [tool("place", &place), tool("map", &map)];
    ChatOptions::builder()
        .tool_callbacks(tools)
        .unwrap()
        .build()
}

/// The specifications of the tools as they are sent, twice the same.
async fn specs(builder: impl Fn(&Canned) -> BedrockChatModelBuilder) -> Vec<Value> {
    let canned = Canned::new(HELLO);
    let model = builder(&canned).build().unwrap();
    for _ in 0..2 {
        model.call(Prompt::new("hi", options())).await.unwrap();
    }
    let sent = canned.sent.lock().unwrap().clone();
    assert_eq!(sent[0], sent[1]);
    let sent: Value = serde_json::from_str(&sent[0]).unwrap();
    let tools = sent["toolConfig"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["toolSpec"].clone()).collect()
}

const CLAUDE: &str = "us.anthropic.claude-haiku-4-5-20251001-v1:0";

#[tokio::test]
async fn sch_8_strict_tools_are_strict_where_they_can_be() {
    let loose = specs(|canned| builder(canned).model(CLAUDE)).await;
    assert!(loose.iter().all(|spec| spec.get("strict").is_none()));
    for id in [CLAUDE, "asked"] {
        let [place, map] = &specs(|canned| builder(canned).model(id).strict_tools(true)).await[..]
        else {
            panic!("two tools are sent")
        };
        assert_eq!(place["strict"], true);
        let schema = &place["inputSchema"]["json"];
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["$defs"]["At"]["additionalProperties"], false);
        assert_eq!(schema["required"], json!(["city"]));
        let city = json!({"type": "string", "description": "(minLength: 1)"});
        assert_eq!(schema["properties"]["city"], city);
        // What it has no words for is as it is without strict mode.
        assert_eq!(*map, loose[1]);
    }
    // A field of one's own decides for its tool.
    let own = specs(|canned| {
        let builder = builder(canned).model(CLAUDE).strict_tools(true);
        builder.tool_field("place", "strict", false)
    });
    assert_eq!(own.await[0]["strict"], false);
}

#[tokio::test]
async fn sch_8_a_model_that_is_known_to_have_no_strict_mode_gets_tools_without() {
    let loose = specs(|canned| builder(canned).model("amazon.nova-lite-v1:0")).await;
    let strict = |canned: &Canned| {
        let builder = builder(canned).model("amazon.nova-lite-v1:0");
        builder.strict_tools(true)
    };
    assert_eq!(specs(strict).await, loose);
    let warnings = |builder: BedrockChatModelBuilder| {
        let found = builder.build().unwrap().check(&options());
        let of_request = found.into_iter().filter(|finding| finding.tool.is_none());
        of_request
            .map(|one| (one.severity, one.kind))
            .collect::<Vec<_>>()
    };
    let canned = Canned::new(HELLO);
    let told = (Severity::Warning, FindingKind::NotSupported);
    assert_eq!(warnings(strict(&canned)), [told]);
    assert_eq!(
        warnings(builder(&canned).model(CLAUDE).strict_tools(true)),
        []
    );
    let rows = r#"[{"provider":"bedrock","model":"amazon.*","can":{"strict_schema":true}}]"#;
    let own = CapabilityTable::from_json(rows).unwrap();
    assert_eq!(warnings(strict(&canned).capabilities(own.clone())), []);
    let taught = specs(|canned| strict(canned).capabilities(own.clone())).await;
    assert_eq!(taught[0]["strict"], true);
}

#[test]
fn sch_8_what_strict_mode_costs_is_found() {
    let canned = Canned::new(HELLO);
    let model = builder(&canned).model(CLAUDE).strict_tools(true);
    let mut losses = Vec::new();
    for finding in model.build().unwrap().check(&options()) {
        if let FindingKind::SchemaLoss(loss) = finding.kind {
            losses.push((
                finding.tool.unwrap().to_string(),
                loss.keyword,
                loss.outcome,
            ));
        }
    }
    let lost = |tool: &str, keyword: &str, outcome| (tool.to_owned(), keyword.to_owned(), outcome);
    assert!(
        losses.contains(&lost("place", "minLength", LossOutcome::Described)),
        "{losses:?}"
    );
    assert!(
        losses.contains(&lost("map", "additionalProperties", LossOutcome::NotStrict)),
        "{losses:?}"
    );
}

#[test]
fn sch_8_the_limits_of_strict_mode_are_found() {
    let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let tools = (0..21).map(|number| tool(&format!("t{number}"), &schema));
    let options = ChatOptions::builder()
        .tool_callbacks(tools)
        .unwrap()
        .build();
    let canned = Canned::new(HELLO);
    for (strict, expected) in [(true, 1), (false, 0)] {
        let model = builder(&canned)
            .model(CLAUDE)
            .strict_tools(strict)
            .build()
            .unwrap();
        let found = model.check(&options);
        let exceeded = found
            .iter()
            .filter(|f| matches!(f.kind, FindingKind::LimitExceeded { most: 20, .. }));
        assert_eq!(exceeded.count(), expected, "{found:?}");
    }
}
