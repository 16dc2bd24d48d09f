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

#[tokio::test]
async fn sch_8_what_an_answer_cannot_be_held_to_is_left_out_and_found() {
    let map = r#"{"type":"object","properties":{"labels":{"type":"object",
        "additionalProperties":{"type":"string"}}},"required":["labels"]}"#;
    let tree = r##"{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#"}}},
        "required":["children"],"additionalProperties":false}"##;
    for (schema, word) in [(map, "`additionalProperties`"), (tree, "`$ref`")] {
        let schema = ResponseSchema::new("Odd", schema).unwrap();
        let format = ResponseFormat::JsonSchema(schema);
        let effort = json!({"effort": "low"});
        let options = ChatOptions::builder()
            .model("claude-opus-5")
            .response_format(format)
            .extra("output_config", effort.clone())
            .build();
        let canned = Canned::new(HELLO);
        let model = model(&canned);
        let found = model.check(&options);
        assert_eq!(found.len(), 1, "{found:?}");
        for part in ["`Odd`", word, "left out", "`entity`"] {
            assert!(found[0].to_string().contains(part), "{found:?}");
        }
        assert!(!model.supports_response_schema(&options));
        model.call(Prompt::new("hi", options)).await.unwrap();
        let sent: serde_json::Value = serde_json::from_str(&canned.last_sent()).unwrap();
        assert_eq!(sent["output_config"], effort);
    }
}

#[tokio::test]
async fn a_form_that_cannot_be_had_is_left_out_and_told() {
    let any = ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    for (options, model_name, said) in [
        (forecast_options(), "claude-sonnet-4-0", Some("`entity`")),
        (any, "claude-opus-5", Some("`ResponseFormat::JsonSchema`")),
        (forecast_options(), "other", Some("not known")),
        (ChatOptions::builder(), "claude-sonnet-4-0", None),
    ] {
        let options = options.model(model_name).build();
        let canned = Canned::new(HELLO);
        let model = model(&canned);
        let found = model.check(&options);
        let told = said.is_none_or(|said| found[0].to_string().contains(said));
        assert!(told && found.is_empty() == said.is_none(), "{found:?}");
        model.call(Prompt::new("hi", options)).await.unwrap();
        let is_sent = canned.last_sent().contains("output_config");
        assert_eq!(is_sent, model_name == "other");
    }
}
