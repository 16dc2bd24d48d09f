//! A conversation that one provider's model began and another's goes on with, in the middle of a turn:
//! nothing of it is refused.

use std::sync::Arc;

use serde_json::json;
use vernal_core::message::{
    Media, Message, PartContent, ToolCall, ToolContent, ToolOutcome, ToolResponse,
};
use vernal_core::model::{
    ChatModel, ChatOptions, ModelErrorKind, Prompt, ResponseFormat, ResponseSchema,
};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::bedrock::BedrockChatModel;
use vernal_models::gemini::GeminiChatModel;
use vernal_models::openai::OpenAiChatModel;
use vernal_models::openai::responses::OpenAiResponsesModel;
use vernal_testing::fake::{FakeApi, FakeServer, Script};

use crate::adapters::KEY;

fn model(server: &FakeServer, name: &str) -> Arc<dyn ChatModel> {
    let url = server.base_url();
    match server.api() {
        FakeApi::Bedrock => {
            let builder = BedrockChatModel::builder().base_url(url).api_key(KEY);
            Arc::new(builder.region("us-east-1").model(name).build().unwrap())
        }
        FakeApi::Gemini => {
            let builder = GeminiChatModel::builder().base_url(url).api_key(KEY);
            Arc::new(builder.model(name).build().unwrap())
        }
        FakeApi::Anthropic => {
            let builder = AnthropicChatModel::builder().base_url(url).api_key(KEY);
            Arc::new(builder.model(name).build().unwrap())
        }
        FakeApi::OpenAiResponses => {
            let builder = OpenAiResponsesModel::builder().base_url(url).api_key(KEY);
            let builder = builder.provider("openai-responses");
            Arc::new(builder.model(name).build().unwrap())
        }
        _ => {
            let builder = OpenAiChatModel::builder().base_url(url).api_key(KEY);
            let builder = builder.profile(vernal_models::openai::OpenAiProfile::OPENAI);
            Arc::new(builder.model(name).build().unwrap())
        }
    }
}

/// Two steps of calls: one result holds an image, one is a failure, one says nothing.
fn begun() -> Vec<Message> {
    let call = |id: &str| ToolCall::new(id, "look", r#"{"at":"제주"}"#);
    let (a, b, c) = (call("a"), call("b"), call("c"));
    let asks = |said: &str, calls: &[&ToolCall]| {
        let mut message = Message::assistant(said);
        for call in calls {
            message.push(PartContent::ToolCall((*call).clone()));
        }
        message
    };
    let text = ToolContent::Text("Here:".into());
    let image = ToolContent::Media(Media::base64("image/png", "iVBO"));
    vec![
        Message::system("Be brief."),
        Message::user("What is there?"),
        asks("Let me see.", &[&a, &b]),
        Message::tool([
            ToolResponse::success(&a, vec![text, image]),
            ToolResponse::error(&b, ToolOutcome::Failed, "no light"),
        ]),
        asks("", &[&c]),
        Message::tool([ToolResponse::success(&c, vec![])]),
        Message::user("Quick!"),
    ]
}

#[tokio::test]
async fn the_turn_goes_on() {
    let thinking = json!({"type": "enabled", "budget_tokens": 2048});
    let thinking = || ChatOptions::builder().extra("thinking", thinking.clone());
    let plain = ChatOptions::builder;
    for (api, name, options) in [
        (FakeApi::Bedrock, "us.writer.palmyra-x5-v1:0", plain()),
        (FakeApi::Bedrock, "qwen.qwen3-32b-v1:0", plain()),
        (FakeApi::Bedrock, "moonshot.kimi-k2-thinking", plain()),
        (
            FakeApi::Bedrock,
            "us.meta.llama4-maverick-17b-instruct-v1:0",
            plain(),
        ),
        (FakeApi::Gemini, "gemini-3-pro-preview", plain()),
        (FakeApi::Gemini, "gemini-2.5-flash", plain()),
        (FakeApi::Anthropic, "claude-sonnet-4-5", thinking()),
    ] {
        let server = FakeServer::start(api, Script::new().says("A sea.").again());
        let model = model(&server, name);
        let mut messages = begun();
        for said in ["And there?", "Well?"] {
            let prompt = Prompt::new(messages.clone(), options.clone().build());
            let answer = model.call(prompt).await;
            let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
            messages.push((*answer.generations[0].message).clone());
            messages.push(Message::user(said));
        }
        server.verify();
        let thinks = |at: usize| server.requests()[at].json().get("thinking").is_some();
        let is_asked = api == FakeApi::Anthropic;
        assert_eq!((thinks(0), thinks(1)), (false, is_asked), "{name}");
    }
}

#[tokio::test]
async fn what_the_model_has_begun_to_say_goes_on() {
    for (api, name) in [
        (FakeApi::Anthropic, "claude-sonnet-4-5"),
        (
            FakeApi::Bedrock,
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        ),
    ] {
        let server = FakeServer::start(api, Script::new().says("42."));
        let begun = vec![Message::user("6 × 7?"), Message::assistant("It is \n")];
        let prompt = Prompt::new(begun, ChatOptions::default());
        model(&server, name).call(prompt).await.unwrap();
        server.verify();
    }
}

#[tokio::test]
async fn answers_are_asked_for_in_a_form_that_is_taken() {
    let map = r#"{"type":"object","additionalProperties":{"type":"string"}}"#;
    let map = ResponseFormat::JsonSchema(ResponseSchema::new("Map", map).unwrap());
    for (api, name, format) in [
        (FakeApi::Anthropic, "claude-sonnet-4-5", map.clone()),
        (
            FakeApi::Anthropic,
            "claude-sonnet-4-5",
            ResponseFormat::JsonObject,
        ),
        (FakeApi::OpenAiChat, "gpt-5.1", map),
    ] {
        let server = FakeServer::start(api, Script::new().says("{}"));
        let options = ChatOptions::builder().response_format(format).build();
        let model = model(&server, name);
        model.call(Prompt::new("Labels?", options)).await.unwrap();
        server.verify();
    }
    let json = ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    for api in [FakeApi::OpenAiChat, FakeApi::OpenAiResponses] {
        let server = FakeServer::start(api, Script::new().says("{}"));
        let model = model(&server, "gpt-5.1");
        let ask = |said: &str| model.call(Prompt::new(said, json.clone().build()));
        let error = ask("Labels?").await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert_eq!(server.requests().len(), 0);
        ask("Labels, as JSON?").await.unwrap();
        server.verify();
    }
}
