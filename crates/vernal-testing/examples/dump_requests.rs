//! Prints the requests that the adapters send, a JSON object a line: for checks in other languages.
//!
//! `{"api": …, "name": …, "target": …, "body": …}`, each of a conversation with a fake server, which has
//! found nothing wrong with it.

#[path = "../tests/support/adapters.rs"]
mod adapters;

use std::sync::Arc;

use adapters::ADAPTED;
use serde_json::json;
use vernal_core::client::ChatClient;
use vernal_core::message::{Media, Message, PartContent, Role};
use vernal_core::model::{ChatOptions, ToolChoice};
use vernal_core::tool::{FunctionToolCallback, ToolCallback};
use vernal_models::http::{HttpLimits, RetryPolicy};
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

/// What is asked for, with a name.
fn cases(api: FakeApi) -> Vec<(&'static str, ChatOptions)> {
    let with = ChatOptions::builder;
    let mut cases = vec![
        ("plain", with().build()),
        ("limits", with().max_tokens(500).build()),
    ];
    // Responses has no word for texts that end an answer.
    if !matches!(api, FakeApi::OpenAiResponses | FakeApi::AzureResponses) {
        cases.push(("stop", with().stop("END").build()));
    }
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
    let (limits, retry) = (HttpLimits::default(), RetryPolicy::default());
    let model = adapters::model(api, server.base_url(), limits, retry)?;
    let asked = ChatClient::create(model)
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
    for api in ADAPTED {
        for (name, options) in cases(api) {
            for streamed in [false, true] {
                dump(api, name, options.clone(), streamed).await?;
            }
        }
    }
    Ok(())
}
