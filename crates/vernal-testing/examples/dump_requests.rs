//! Prints the requests that the adapters send, a JSON object a line: for checks in other languages.
//!
//! `{"api": …, "name": …, "target": …, "body": …}`, each of a conversation with a fake server, which has
//! found nothing wrong with it.

use std::sync::Arc;

use serde_json::json;
use vernal_core::client::ChatClient;
use vernal_core::message::{Media, Message, PartContent, Role};
use vernal_core::model::{ChatModel, ChatOptions, ToolChoice};
use vernal_core::tool::{FunctionToolCallback, ToolCallback};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::gemini::GeminiChatModel;
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::OpenAiChatModel;
use vernal_testing::Reply;
use vernal_testing::fake::{FakeApi, FakeServer, Script};

type Failure = Box<dyn std::error::Error>;

const WEATHER: &str = r#"{"type":"object","properties":{
    "city":{"type":"string","description":"The city"},
    "unit":{"type":"string","enum":["C","F"]},
    "days":{"type":"integer","minimum":1,"maximum":7},
    "tags":{"type":"array","items":{"type":"string"}},
    "near":{"anyOf":[{"type":"string"},{"type":"null"}]}
},"required":["city"],"additionalProperties":false}"#;

fn tools() -> Result<Vec<Arc<dyn ToolCallback>>, Failure> {
    let weather = FunctionToolCallback::builder("get_weather", || "Sunny")
        .description("The weather in a city")
        .input_schema(WEATHER)
        .build()?;
    // A name that no provider takes as it is.
    let time = FunctionToolCallback::builder("시간.now", || "12:00")
        .description("The time")
        .build()?;
    Ok(vec![Arc::new(weather), Arc::new(time)])
}

fn model(server: &FakeServer) -> Result<Arc<dyn ChatModel>, Failure> {
    let (url, key) = (server.base_url(), "key-0123456789");
    Ok(match server.api() {
        FakeApi::Anthropic => Arc::new(
            AnthropicChatModel::builder()
                .base_url(url)
                .api_key(key)
                .model("claude-sonnet-4-5")
                .build()?,
        ),
        FakeApi::Gemini => Arc::new(
            GeminiChatModel::builder()
                .base_url(url)
                .api_key(key)
                .model("gemini-2.5-flash")
                .build()?,
        ),
        FakeApi::Ollama => Arc::new(
            OllamaChatModel::builder()
                .base_url(url)
                .model("qwen3")
                .build()?,
        ),
        _ => Arc::new(
            OpenAiChatModel::builder()
                .base_url(url)
                .api_key(key)
                .model("gpt-5.1")
                .build()?,
        ),
    })
}

/// What is asked for, with a name.
fn cases(api: FakeApi) -> Vec<(&'static str, ChatOptions)> {
    let with = ChatOptions::builder;
    let mut cases = vec![
        ("plain", with().build()),
        ("limits", with().max_tokens(500).stop("END").build()),
    ];
    if api != FakeApi::Ollama {
        cases.extend([
            (
                "named",
                with()
                    .tool_choice(ToolChoice::Tool("get_weather".into()))
                    .build(),
            ),
            ("required", with().tool_choice(ToolChoice::Required).build()),
            ("none", with().tool_choice(ToolChoice::None).build()),
            ("alone", with().parallel_tool_calls(false).build()),
        ]);
    }
    cases.push(("sampling", with().temperature(0.5).top_p(0.9).build()));
    cases
}

fn picture() -> Message {
    let image = Media::base64("image/png", "iVBORw0KGgo=");
    let mut message = Message::new(Role::User, Vec::new());
    message.push(PartContent::Text("What is it?".into()));
    message.push(PartContent::Media(image));
    message
}

async fn dump(
    api: FakeApi,
    name: &str,
    options: ChatOptions,
    streamed: bool,
) -> Result<(), Failure> {
    let calls = Reply::text("Let me see.")
        .and_call("get_weather", r#"{"city":"제주"}"#)
        .and_call("get_weather", r#"{"city":"Seoul","days":2}"#);
    let script = Script::new().replies(calls).says("Sunny.");
    let server = FakeServer::start(api, script);
    let asked = ChatClient::create(model(&server)?)
        .prompt("Weather?")
        .system("Be brief.")
        .messages(vec![picture(), Message::assistant("A picture.")])
        .options(options)
        .tools(tools()?);
    match streamed {
        false => asked.call().await?,
        true => asked.stream().response().await?,
    };
    server.verify();
    for request in server.requests() {
        let (target, body) = (&request.target, request.json());
        println!(
            "{}",
            json!({"api": api.as_str(), "name": name, "target": target, "body": body})
        );
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    for api in [
        FakeApi::OpenAiChat,
        FakeApi::Anthropic,
        FakeApi::Gemini,
        FakeApi::Ollama,
    ] {
        for (name, options) in cases(api) {
            for streamed in [false, true] {
                dump(api, name, options.clone(), streamed).await?;
            }
        }
    }
    Ok(())
}
