//! What is known of a request before it is sent (rule SCH-8), and strict mode on the wire.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod by_model;
mod capabilities;
mod left_out;
mod limits;
mod options;
#[path = "../support/mod.rs"]
mod support;
mod wire;

use std::sync::Arc;

use serde_json::{Value, json};
use vernal_core::client::ChatClient;
use vernal_core::model::{
    ChatModel, ChatOptions, Finding, FindingKind, LossOutcome, Prompt, Severity, ToolChoice,
};
use vernal_core::tool::{FunctionToolCallback, ToolCallback, ToolDefinition, ToolInput};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::bedrock::BedrockChatModel;
use vernal_models::gemini::GeminiChatModel;
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::{OpenAiChatModel, OpenAiProfile, OpenAiResponsesModel};

/// A tool with this schema.
struct Tool(ToolDefinition);

impl ToolCallback for Tool {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(
        &'a self,
        _: ToolInput,
        _: vernal_core::tool::ToolContext,
    ) -> vernal_core::tool::ToolFuture<'a> {
        Box::pin(async { Err(vernal_core::tool::ToolError::model("not called")) })
    }
}

fn tool(name: &str, schema: &Value) -> Arc<dyn ToolCallback> {
    let definition = ToolDefinition::builder(name).input_schema(schema.to_string());
    Arc::new(Tool(definition.build().unwrap()))
}

fn offering(tools: Vec<Arc<dyn ToolCallback>>) -> ChatOptions {
    ChatOptions::builder()
        .tool_callbacks(tools)
        .unwrap()
        .build()
}

fn openai(profile: OpenAiProfile, strict: bool) -> OpenAiChatModel {
    OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .profile(profile)
        .model("gpt-5-mini")
        .strict_tools(strict)
        .build()
        .unwrap()
}

fn anthropic(strict: bool) -> AnthropicChatModel {
    let builder = AnthropicChatModel::builder().base_url("http://127.0.0.1:1");
    builder
        .model("claude-sonnet-4-5")
        .strict_tools(strict)
        .build()
        .unwrap()
}

/// Each finding in short.
fn short(findings: &[Finding]) -> Vec<(Severity, Option<&str>, String)> {
    let kind = |finding: &Finding| match &finding.kind {
        FindingKind::SchemaLoss(loss) => format!("{} {:?}", loss.keyword, loss.outcome),
        FindingKind::NameMapped { .. } => "mapped".to_owned(),
        FindingKind::LimitExceeded { limit, most, found } => format!("{found} of {most} {limit}"),
        other => format!("{other:?}"),
    };
    let mut all = Vec::new();
    for finding in findings {
        all.push((finding.severity, finding.tool.as_deref(), kind(finding)));
    }
    all
}

#[test]
fn sch_8_losses_names_and_words_are_found() {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string", "minLength": 1}},
        "required": ["city"], "additionalProperties": false});
    let options = offering(vec![tool("날씨", &schema)]);
    let mapped = || (Severity::Note, Some("날씨"), "mapped".to_owned());
    let loss = |severity, keyword: &str, outcome: LossOutcome| {
        (severity, Some("날씨"), format!("{keyword} {outcome:?}"))
    };
    let described = || loss(Severity::Note, "minLength", LossOutcome::Described);
    let google = GeminiChatModel::builder().api_key("k").build().unwrap();
    let ollama = OllamaChatModel::builder().build().unwrap();
    let responses = |strict| {
        let builder = OpenAiResponsesModel::builder()
            .api_key("k")
            .model("gpt-5.1");
        builder.strict_tools(strict).build().unwrap()
    };
    let aws = BedrockChatModel::builder().region("us-east-1").api_key("k");
    let aws = aws.model("amazon.nova-lite-v1:0").build().unwrap();
    for (model, expected) in [
        (
            &openai(OpenAiProfile::OPENAI, false) as &dyn ChatModel,
            vec![mapped()],
        ),
        (
            &openai(OpenAiProfile::OPENAI, true),
            vec![mapped(), described()],
        ),
        (&anthropic(true), vec![mapped(), described()]),
        (&google, vec![mapped()]),
        (&responses(false), vec![mapped()]),
        (&responses(true), vec![mapped(), described()]),
        (&aws, vec![mapped()]),
        (
            &ollama,
            vec![loss(Severity::Warning, "minLength", LossOutcome::Ignored)],
        ),
        (
            &openai(OpenAiProfile::VLLM, true),
            vec![
                (Severity::Warning, None, "NotSupported".to_owned()),
                mapped(),
            ],
        ),
    ] {
        let found = model.check(&options);
        assert_eq!(short(&found), expected, "{}", model.name());
        for finding in found.iter().filter(|finding| finding.tool.is_some()) {
            assert!(
                finding.to_string().starts_with("the tool `날씨`: "),
                "{finding}"
            );
        }
        assert_eq!(model.check(&ChatOptions::default()), []);
    }
    let long = ToolDefinition::builder("long").description("x".repeat(1025));
    let long: Arc<dyn ToolCallback> = Arc::new(Tool(long.build().unwrap()));
    assert_eq!(
        short(&openai(OpenAiProfile::OPENAI, false).check(&offering(vec![long]))),
        [(
            Severity::Warning,
            Some("long"),
            "1025 of 1024 characters of a description".to_owned()
        )]
    );
    let [_, told] = &openai(OpenAiProfile::OPENAI, true).check(&options)[..] else {
        panic!("two findings are expected")
    };
    assert_eq!(
        told.text(),
        "`minLength` at /properties/city is told in the description instead"
    );
}

fn many(count: usize, schema: &Value) -> ChatOptions {
    offering(
        (0..count)
            .map(|at| tool(&format!("t{at}"), schema))
            .collect(),
    )
}

#[test]
fn sch_8_limits_known_from_live_errors_are_found() {
    let none =
        json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false});
    let with = |count: usize, property: Value, required: bool| {
        let names: Vec<String> = (0..count).map(|at| format!("p{at}")).collect();
        let properties: serde_json::Map<_, _> = names
            .iter()
            .map(|name| (name.clone(), property.clone()))
            .collect();
        let required = if required { names } else { Vec::new() };
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let text = json!({"type": "string"});
    let either = json!({"type": ["string", "null"]});
    let mut deep = json!({"type": "string"});
    for _ in 0..10 {
        deep = with(1, deep, true);
    }
    let values: Vec<String> = (0..1001).map(|at| at.to_string()).collect();
    let listed = with(1, json!({"type": "string", "enum": values}), true);
    for (model, options, expected) in [
        (
            &openai(OpenAiProfile::OPENAI, false) as &dyn ChatModel,
            many(129, &none),
            Some("129 of 128 tools"),
        ),
        (
            &openai(OpenAiProfile::OPENAI, false),
            many(128, &none),
            None,
        ),
        (
            &openai(OpenAiProfile::COMPATIBLE, false),
            many(129, &none),
            None,
        ),
        (&openai(OpenAiProfile::OPENAI, true), many(1, &deep), None),
        (
            &openai(OpenAiProfile::OPENAI, true),
            many(1, &with(1, deep, true)),
            Some("11 of 10 levels of a strict schema"),
        ),
        (
            &openai(OpenAiProfile::OPENAI, true),
            many(1, &listed),
            Some("1001 of 1000 enum values of a strict schema"),
        ),
        (&anthropic(true), many(20, &none), None),
        (
            &anthropic(true),
            many(21, &none),
            Some("21 of 20 strict tools"),
        ),
        (&anthropic(false), many(21, &none), None),
        (
            &anthropic(true),
            many(3, &with(8, text.clone(), false)),
            None,
        ),
        (
            &anthropic(true),
            many(5, &with(5, text, false)),
            Some("25 of 24 optional parameters of strict tools"),
        ),
        (
            &anthropic(true),
            many(2, &with(8, either.clone(), true)),
            None,
        ),
        (
            &anthropic(true),
            many(1, &with(17, either, true)),
            Some("17 of 16 parameters of several types in strict tools"),
        ),
    ] {
        let found = model.check(&options);
        let errors = short(&found).into_iter();
        let errors: Vec<String> = errors
            .filter(|(severity, ..)| *severity == Severity::Error)
            .map(|(.., kind)| kind)
            .collect();
        assert_eq!(errors, Vec::from_iter(expected), "{}", model.name());
        // A client with such defaults is not built.
        let client = ChatClient::builder(openai_or(model, &options))
            .default_options(options)
            .build();
        assert_eq!(client.is_err(), expected.is_some());
        if let (Err(error), Some(expected)) = (client, expected) {
            let count = expected.split(' ').next().unwrap();
            assert!(error.to_string().contains(count), "{error}");
        }
    }
}

/// A model that finds what another one does.
fn openai_or(model: &dyn ChatModel, options: &ChatOptions) -> Found {
    Found(model.check(options))
}

struct Found(Vec<Finding>);

impl ChatModel for Found {
    fn name(&self) -> &str {
        "found"
    }

    fn call(&self, _: Prompt) -> vernal_core::model::ModelFuture {
        unreachable!("nothing is sent")
    }

    fn stream(&self, _: Prompt) -> vernal_core::model::ModelStream {
        unreachable!("nothing is sent")
    }

    fn check(&self, _: &ChatOptions) -> Vec<Finding> {
        self.0.clone()
    }
}

#[tokio::test]
async fn sch_8_a_client_and_a_request_can_be_checked() {
    let forecast = FunctionToolCallback::builder("날씨", || "done")
        .build()
        .unwrap();
    let client = ChatClient::builder(openai(OpenAiProfile::OPENAI, false))
        .default_tools(forecast)
        .build()
        .unwrap();
    assert_eq!(
        short(&client.check()),
        [(Severity::Note, Some("날씨"), "mapped".to_owned())]
    );
    let more = FunctionToolCallback::builder("시간", || "done")
        .build()
        .unwrap();
    let request = client.prompt("hi").tools(more);
    assert_eq!(request.check().await.unwrap().len(), 2);
    let choice = ToolChoice::allowed(["noon"]);
    let options = ChatOptions::builder().tool_choice(choice).build();
    let found = client.prompt("hi").options(options).check().await.unwrap();
    assert_eq!(
        (found[0].severity, &found[0].kind),
        (Severity::Warning, &FindingKind::Refused)
    );
}
