//! The form of answers, natively and in words.

use vernal_core::client::ChatClient;
use vernal_core::model::{
    ChatModel, ChatOptions, ModelErrorKind, Prompt, ResponseFormat, ResponseSchema,
};
use vernal_models::gemini::{GeminiChatModel, SchemaForm};

use crate::builder;
use crate::support::canned::Canned;
use crate::support::server::{Server, json};
use crate::support::{FORECAST, FORECAST_SCHEMA, Forecast, forecast_options, jeju, tools};

fn says(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"text":{text}}}]}},"finishReason":"STOP"}}]}}"#
    )
}

const CALLS: &str = r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"now","args":{}}}]},"finishReason":"STOP"}]}"#;

fn config(schema: &str) -> String {
    format!(
        r#""generationConfig":{{"responseMimeType":"application/json","responseJsonSchema":{schema}}}"#
    )
}

fn model(server: &Server, name: &str) -> GeminiChatModel {
    let builder = GeminiChatModel::builder()
        .base_url(server.url.clone())
        .api_key("k");
    builder.model(name).build().unwrap()
}

#[tokio::test]
async fn an_entity_is_asked_for_natively_without_tools() {
    let server = Server::start([json(200, &says(FORECAST))]).await;
    let client = ChatClient::create(model(&server, "gemini-2.5-flash"));
    let forecast: Forecast = client.prompt("Weather?").entity().await.unwrap();
    assert_eq!(forecast, jeju());
    let [request] = &server.requests()[..] else {
        panic!()
    };
    assert!(request.contains(&config(FORECAST_SCHEMA)), "{request}");
    assert!(!request.contains("systemInstruction"), "{request}");
}

#[tokio::test]
async fn with_tools_only_models_since_the_third_are_asked_natively() {
    for (name, is_native) in [
        ("gemini-3-pro-preview", true),
        ("gemini-2.5-flash", false),
        ("mine", false),
    ] {
        let server = Server::start([json(200, CALLS), json(200, &says(FORECAST))]).await;
        let client = ChatClient::create(model(&server, name));
        let request = client.prompt("Weather?").tools(tools(&["now"]));
        let forecast: Forecast = request.entity().await.unwrap();
        assert_eq!(forecast, jeju());
        assert_eq!(server.requests().len(), 2);
        for request in server.requests() {
            assert_eq!(request.contains("responseMimeType"), is_native, "{request}");
            assert_eq!(
                request.contains("systemInstruction"),
                !is_native,
                "{request}"
            );
        }
    }
}

#[tokio::test]
async fn what_an_older_model_would_refuse_is_refused_with_words() {
    let options = forecast_options().tool_callbacks(tools(&["now"])).unwrap();
    let canned = Canned::new(says("hi"));
    let old = builder(&canned).model("gemini-2.5-pro").build().unwrap();
    let prompt = Prompt::new("hi", options.build());
    let error = old.call(prompt.clone()).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("`gemini-2.5-pro`"), "{error}");
    // Of a name that says nothing the server has to judge.
    crate::model(&canned).call(prompt).await.unwrap();
    assert!(canned.last_sent().contains("responseJsonSchema"));
}

#[tokio::test]
async fn the_form_stands_among_the_settings_of_the_model() {
    let canned = Canned::new(says("hi"));
    let any = ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    let own = serde_json::json!({"seed": 7, "responseMimeType": "text/x.enum"});
    for (options, form, expected) in [
        (
            forecast_options().max_tokens(9),
            SchemaForm::JsonSchema,
            format!(
                r#"{{"maxOutputTokens":9,"responseMimeType":"application/json","responseJsonSchema":{FORECAST_SCHEMA}}}"#
            ),
        ),
        (
            any,
            SchemaForm::JsonSchema,
            r#"{"responseMimeType":"application/json"}"#.to_owned(),
        ),
        (
            forecast_options().extra("generationConfig", own),
            SchemaForm::JsonSchema,
            format!(
                r#"{{"responseJsonSchema":{FORECAST_SCHEMA},"responseMimeType":"text/x.enum","seed":7}}"#
            ),
        ),
        (
            forecast_options(),
            SchemaForm::OpenApi,
            concat!(
                r#"{"responseMimeType":"application/json","responseSchema":{"properties":{"city":{"type":"string"},"#,
                r#""degrees":{"maximum":255,"minimum":0,"type":"integer","nullable":true}},"#,
                r#""required":["city"],"type":"object"}}"#,
            )
            .to_owned(),
        ),
    ] {
        let model = builder(&canned).schema_form(form).build().unwrap();
        model.call(Prompt::new("hi", options.build())).await.unwrap();
        let expected = format!(r#""generationConfig":{expected}"#);
        assert!(canned.last_sent().contains(&expected), "{}", canned.last_sent());
    }
}

#[test]
fn older_words_hold_only_what_they_can_say() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Tree {
        #[allow(dead_code)]
        children: Vec<Tree>,
    }
    let tree = ResponseFormat::JsonSchema(ResponseSchema::of::<Tree>().unwrap());
    let tree = ChatOptions::builder().response_format(tree).build();
    for (form, holds_tree) in [(SchemaForm::JsonSchema, true), (SchemaForm::OpenApi, false)] {
        let model = builder(&Canned::new(says("hi"))).schema_form(form);
        let model = model.build().unwrap();
        assert_eq!(
            model.supports_response_schema(&tree),
            holds_tree,
            "{form:?}"
        );
        assert!(model.supports_response_schema(&forecast_options().build()));
    }
}
