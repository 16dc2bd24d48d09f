//! OpenAI Responses at Azure: where it is asked, with which key, and what is known of its models.

use http::HeaderMap;
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind};
use vernal_models::capabilities::CapabilityTable;
use vernal_models::openai::responses::{OpenAiResponsesModel, OpenAiResponsesModelBuilder};

use crate::HELLO;
use crate::support::canned::Canned;

const ENDPOINT: &str = "https://my-team.openai.azure.com";

async fn asked(builder: OpenAiResponsesModelBuilder) -> (String, HeaderMap) {
    let canned = Canned::new(HELLO);
    let model = builder.transport(canned.clone()).build().unwrap();
    model.call("hi".into()).await.unwrap();
    assert!(canned.last_sent().starts_with(r#"{"model":"my gpt""#));
    canned.head.lock().unwrap().take().unwrap()
}

#[tokio::test]
async fn a_deployment_is_asked_with_the_key_of_azure() {
    let azure = |version| OpenAiResponsesModelBuilder::azure(ENDPOINT, "my gpt", version).unwrap();
    let azure_at = |form: &str, version| {
        let endpoint = format!("{ENDPOINT}{form}");
        OpenAiResponsesModelBuilder::azure(&endpoint, "my gpt", version).unwrap()
    };
    let newest = format!("{ENDPOINT}/openai/v1/responses");
    let by_url = OpenAiResponsesModel::builder()
        .base_url(format!("{ENDPOINT}/openai/v1"))
        .model("my gpt");
    for (builder, url) in [
        (azure(None), newest.clone()),
        (
            azure(Some("2025-04-01-preview")),
            format!("{ENDPOINT}/openai/responses?api-version=2025-04-01-preview"),
        ),
        (by_url, newest.clone()),
        (azure_at("/openai/v1", None), newest.clone()),
        (azure_at("/openai/v1/", None), newest.clone()),
        (
            azure_at("/openai/v1/", Some("preview")),
            format!("{newest}?api-version=preview"),
        ),
        (
            azure_at("/openai/v1", Some("2025-04-01-preview")),
            format!("{ENDPOINT}/openai/responses?api-version=2025-04-01-preview"),
        ),
    ] {
        let (found, headers) = asked(builder.api_key("key-0123456789")).await;
        assert_eq!(found, url);
        assert_eq!(headers["api-key"], "key-0123456789");
        assert!(!headers.contains_key("authorization"));
    }
    let token = azure(None).header("authorization", "Bearer token-0123456789");
    let (_, headers) = asked(token).await;
    assert_eq!(headers["authorization"], "Bearer token-0123456789");
    assert!(!headers.contains_key("api-key"));
}

#[test]
fn what_is_known_of_a_model_is_what_azure_has() {
    let rows = r#"[{"provider":"azure","model":"my gpt","can":{"context_window":7}}]"#;
    let model = OpenAiResponsesModelBuilder::azure("http://127.0.0.1:1", "my gpt", None)
        .unwrap()
        .capabilities(CapabilityTable::from_json(rows).unwrap())
        .build()
        .unwrap();
    let can = model.capabilities(&ChatOptions::default());
    assert_eq!(can.context_window, Some(7));
    assert_eq!(can.required_tool_choice, Some(true));
}

#[test]
fn what_cannot_be_asked_is_named() {
    for (endpoint, deployment, said) in [
        ("my-team.openai.azure.com", "gpt", "base URL"),
        (ENDPOINT, " ", "deployment"),
    ] {
        let error = OpenAiResponsesModelBuilder::azure(endpoint, deployment, None).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains(said), "{error}");
    }
}
