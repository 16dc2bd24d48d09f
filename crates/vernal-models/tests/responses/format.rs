//! The form of answers, natively and in words.

use serde_json::{Value, json};
use vernal_core::client::ChatClient;
use vernal_core::message::Message;
use vernal_core::model::{
    ChatModel, ChatOptions, ModelErrorKind, Prompt, ResponseFormat, ToolChoice,
};
use vernal_models::openai::responses::OpenAiResponsesModel;

use crate::HELLO;
use crate::model::{builder, model};
use crate::support::canned::Canned;
use crate::support::{FORECAST, Forecast, forecast_options, jeju, tools};

/// Strict mode wants every member, bounds and all.
const FORMAT: &str = concat!(
    r#"{"type":"json_schema","name":"Forecast","strict":true,"schema":{"additionalProperties":false,"#,
    r#""properties":{"city":{"type":"string"},"#,
    r#""degrees":{"maximum":255,"minimum":0,"type":["integer","null"]}},"#,
    r#""required":["city","degrees"],"type":"object"}}"#,
);

#[tokio::test]
async fn the_form_stands_beside_what_the_caller_configures() {
    let any = || ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    let low = json!({"verbosity": "low"});
    let own = json!({"format": {"type": "text"}});
    let object = r#"{"format":{"type":"json_object"}}"#;
    let schema = format!(r#"{{"format":{FORMAT}}}"#);
    let beside = format!(r#"{{"format":{FORMAT},"verbosity":"low"}}"#);
    for (options, expected) in [
        (ChatOptions::builder(), None),
        (any(), Some(object)),
        (forecast_options(), Some(&*schema)),
        (forecast_options().extra("text", low.clone()), Some(&beside)),
        (
            forecast_options().extra("text", own.clone()),
            Some(r#"{"format":{"type":"text"}}"#),
        ),
        (
            ChatOptions::builder().extra("text", low),
            Some(r#"{"verbosity":"low"}"#),
        ),
    ] {
        let canned = Canned::new(HELLO);
        let model = model(&canned);
        let prompt = Prompt::new("hi", options.build());
        for _ in 0..2 {
            model.call(prompt.clone()).await.unwrap();
            let sent = canned.last_sent();
            let expected = expected.map(|text| format!(r#""text":{text}"#));
            assert_eq!(sent.contains(r#""text":{"#), expected.is_some(), "{sent}");
            assert!(sent.contains(&expected.unwrap_or_default()), "{sent}");
        }
    }
    let wrong = forecast_options().extra("text", 7).build();
    let error = model(&Canned::new(HELLO))
        .call(Prompt::new("hi", wrong))
        .await;
    assert!(error.unwrap_err().to_string().contains("`text`"));
}

#[tokio::test]
async fn an_entity_is_asked_for_natively() {
    let answer = json!({"id": "r", "status": "completed", "model": "m", "output": [{"type": "message",
        "id": "m", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": FORECAST, "annotations": []}]}]});
    let canned = Canned::new(answer.to_string());
    let client = ChatClient::create(model(&canned));
    let forecast: Forecast = client.prompt("Weather?").entity().await.unwrap();
    assert_eq!(forecast, jeju());
    let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    assert_eq!(sent["text"]["format"]["type"], "json_schema");
    assert!(!canned.last_sent().contains("JSON Schema"));
}

#[test]
fn whether_a_schema_is_held_depends_on_the_server_and_the_tools() {
    let with_tools = || forecast_options().tool_callbacks(tools(&["now"])).unwrap();
    let no_calls = || with_tools().tool_choice(ToolChoice::None);
    let openai = OpenAiResponsesModel::builder()
        .api_key("k")
        .build()
        .unwrap();
    let other = builder(&Canned::new(HELLO)).build().unwrap();
    for (model, options, holds) in [
        (&openai, with_tools(), true),
        (&openai, forecast_options().model("gpt-3.5-turbo"), false),
        (&other, with_tools(), false),
        (&other, no_calls(), true),
        (&other, forecast_options(), true),
    ] {
        assert_eq!(model.supports_response_schema(&options.build()), holds);
    }
}

#[tokio::test]
async fn json_is_asked_for_by_its_word_where_the_server_wants_it() {
    let any = || ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    let kept = || any().extra("previous_response_id", "resp_1");
    let template = || any().extra("prompt", json!({"id": "pmpt_1"}));
    let own = || any().extra("text", json!({"format": {"type": "text"}}));
    let word = || vec![Message::system("Answer in JSON."), Message::user("hi")];
    let none = || vec![Message::user("hi")];
    for (provider, options, messages, is_sent) in [
        ("openai-responses", any(), none(), false),
        ("openai-responses", any(), word(), true),
        ("openai-responses", forecast_options(), none(), true),
        // What the server keeps may have the word.
        ("openai-responses", kept(), none(), true),
        ("openai-responses", template(), none(), true),
        ("openai-responses", own(), none(), true),
        ("xai-responses", any(), none(), true),
    ] {
        let canned = Canned::new(HELLO);
        let model = builder(&canned).provider(provider).build().unwrap();
        let answer = model.call(Prompt::new(messages, options.build())).await;
        assert_eq!(canned.sent.lock().unwrap().len(), usize::from(is_sent));
        assert_eq!(answer.is_ok(), is_sent, "{provider}");
        if let Err(error) = answer {
            assert_eq!(error.kind(), ModelErrorKind::Configuration);
            assert!(error.to_string().contains("`JSON`"), "{error}");
        }
    }
}
