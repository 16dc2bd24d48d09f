//! The form of answers, natively and in words.

use serde_json::json;
use vernal_core::advisor::StructuredOutputMode;
use vernal_core::client::ChatClient;
use vernal_core::model::{ChatModel, ChatOptions, Prompt, ResponseFormat, ResponseSchema};
use vernal_models::anthropic::AnthropicChatModel;

use crate::HELLO;
use crate::model::model;
use crate::support::canned::Canned;
use crate::support::server::{Server, json as answer};
use crate::support::{FORECAST, Forecast, forecast_options, jeju, tools};

/// As the type says it; the bounds in words.
const FORMAT: &str = concat!(
    r#""output_config":{"format":{"type":"json_schema","schema":{"additionalProperties":false,"#,
    r#""properties":{"city":{"type":"string"},"degrees":{"type":["integer","null"],"description":"(maximum: 255, minimum: 0)"}},"#,
    r#""required":["city"],"type":"object"}}}"#,
);

fn says(content: serde_json::Value) -> String {
    json!({"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": [content],
        "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}})
    .to_string()
}

fn client(server: &Server, name: &str) -> ChatClient {
    let url = server.url.trim_end_matches("/v1");
    let builder = AnthropicChatModel::builder().base_url(url).api_key("k");
    ChatClient::create(builder.model(name).build().unwrap())
}

#[tokio::test]
async fn an_entity_is_asked_for_natively_of_models_that_can() {
    let call = json!({"type": "tool_use", "id": "t1", "name": "now", "input": {}});
    let text = json!({"type": "text", "text": FORECAST});
    for (name, mode, is_native) in [
        (
            "claude-sonnet-4-5-20250929",
            StructuredOutputMode::Auto,
            true,
        ),
        ("claude-opus-5", StructuredOutputMode::Auto, true),
        (
            "claude-3-7-sonnet-latest",
            StructuredOutputMode::Auto,
            false,
        ),
        ("other", StructuredOutputMode::Auto, false),
        ("other", StructuredOutputMode::Native, true),
        ("claude-opus-5", StructuredOutputMode::Instruction, false),
    ] {
        let script = [
            answer(200, &says(call.clone())),
            answer(200, &says(text.clone())),
        ];
        let server = Server::start(script).await;
        let request = client(&server, name)
            .prompt("Weather?")
            .tools(tools(&["now"]));
        let forecast = request.entity::<Forecast>().mode(mode).await.unwrap();
        assert_eq!(forecast, jeju());
        assert_eq!(server.requests().len(), 2);
        for request in server.requests() {
            assert_eq!(request.contains(FORMAT), is_native, "{name}: {request}");
            assert_eq!(
                request.contains("JSON Schema"),
                !is_native,
                "{name}: {request}"
            );
        }
    }
}

#[test]
fn a_schema_that_has_no_plain_words_is_asked_for_in_others() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Tree {
        #[allow(dead_code)]
        children: Vec<Tree>,
    }
    let model = model(&Canned::new(HELLO));
    let options = |schema| {
        let format = ResponseFormat::JsonSchema(schema);
        ChatOptions::builder()
            .model("claude-opus-5")
            .response_format(format)
    };
    let forecast = options(ResponseSchema::of::<Forecast>().unwrap());
    assert!(model.supports_response_schema(&forecast.build()));
    let tree = options(ResponseSchema::of::<Tree>().unwrap());
    assert!(!model.supports_response_schema(&tree.build()));
}

#[tokio::test]
async fn the_form_stands_beside_what_the_caller_configures() {
    let any = ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    let effort = json!({"effort": "high"});
    let beside = FORMAT.replace("}}}", r#"}},"effort":"high"}"#);
    let alone = r#""output_config":{"effort":"high"}"#.to_owned();
    for (options, config) in [
        (ChatOptions::builder(), None),
        (any, None),
        (forecast_options(), Some(FORMAT.to_owned())),
        (
            forecast_options().extra("output_config", effort.clone()),
            Some(beside),
        ),
        (
            ChatOptions::builder().extra("output_config", effort),
            Some(alone),
        ),
    ] {
        let canned = Canned::new(HELLO);
        let prompt = Prompt::new("hi", options.build());
        model(&canned).call(prompt).await.unwrap();
        let sent = canned.last_sent();
        let expected = usize::from(config.is_some());
        assert_eq!(sent.matches("output_config").count(), expected, "{sent}");
        assert!(sent.contains(&config.unwrap_or_default()), "{sent}");
    }
    let wrong = forecast_options().extra("output_config", 7).build();
    let error = model(&Canned::new(HELLO))
        .call(Prompt::new("hi", wrong))
        .await;
    assert!(error.unwrap_err().to_string().contains("output_config"));
}
