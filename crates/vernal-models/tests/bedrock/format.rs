//! The form of answers, natively and in words.

use serde_json::{Value, json};
use vernal_core::client::ChatClient;
use vernal_core::model::{
    ChatModel, ChatOptions, ModelErrorKind, Prompt, ResponseFormat, ResponseSchema, Severity,
};
use vernal_models::capabilities::CapabilityTable;

use crate::HELLO;
use crate::model::builder;
use crate::support::canned::Canned;
use crate::support::{FORECAST, Forecast, forecast_options, jeju, tools};

const KNOWN: &str = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const OLDER: &str = "anthropic.claude-3-5-sonnet-20240620-v1:0";

fn answer() -> String {
    let text = serde_json::to_string(FORECAST).unwrap();
    HELLO.replace("\"Hello.\"", &text)
}

/// What a model of this id is sent.
async fn sent_to(id: &str, options: ChatOptions) -> Value {
    let canned = Canned::new(HELLO);
    let model = builder(&canned).model(id).build().unwrap();
    model.call(Prompt::new("hi", options)).await.unwrap();
    serde_json::from_str(&canned.last_sent()).unwrap()
}

#[tokio::test]
async fn a_schema_is_sent_as_a_text_that_strict_mode_takes() {
    let options = || forecast_options().max_tokens(9).build();
    let canned = Canned::new(HELLO);
    let model = builder(&canned).model(KNOWN).build().unwrap();
    model.call(Prompt::new("hi", options())).await.unwrap();
    let schema = concat!(
        r#"{\"additionalProperties\":false,\"properties\":{\"city\":{\"type\":\"string\"},"#,
        r#"\"degrees\":{\"type\":[\"integer\",\"null\"],\"description\":\"(maximum: 255, minimum: 0)\"}},"#,
        r#"\"required\":[\"city\"],\"type\":\"object\"}"#,
    );
    let config = format!(
        r#"{{"inferenceConfig":{{"maxTokens":9}},"outputConfig":{{"textFormat":{{"type":"json_schema","structure":{{"jsonSchema":{{"name":"Forecast","schema":"{schema}"}}}}}}}},"messages""#
    );
    assert!(
        canned.last_sent().starts_with(&config),
        "{}",
        canned.last_sent()
    );
    // A model of which nothing is known may take it; one that is known not to does not get it.
    let sent = sent_to("asked", options()).await;
    assert_eq!(sent["outputConfig"]["textFormat"]["type"], "json_schema");
    assert_eq!(sent_to(OLDER, options()).await.get("outputConfig"), None);
}

#[tokio::test]
async fn an_entity_is_asked_for_natively_of_models_that_can() {
    for (id, is_native) in [
        (KNOWN, true),
        (
            "arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-opus-4-6-v1",
            true,
        ),
        ("us.anthropic.claude-sonnet-4-6", true),
        (OLDER, false),
        ("anthropic.claude-sonnet-4-20250514-v1:0", false),
        ("amazon.nova-lite-v1:0", false),
        ("mine", false),
    ] {
        let canned = Canned::new(answer());
        let client = ChatClient::create(builder(&canned).model(id).build().unwrap());
        let request = client.prompt("Weather?").tools(tools(&["now"]));
        let forecast: Forecast = request.entity().await.unwrap();
        assert_eq!(forecast, jeju());
        let sent = canned.last_sent();
        assert_eq!(sent.contains("outputConfig"), is_native, "{id}: {sent}");
        assert_eq!(sent.contains("\"system\""), !is_native, "{id}: {sent}");
    }
}

#[test]
fn what_is_known_of_a_model_decides_and_is_told() {
    let canned = Canned::new(HELLO);
    let of = |id: &str| builder(&canned).model(id);
    let rows = r#"[{"provider":"bedrock","model":"mine","can":{"response_schema":true}}]"#;
    let told = CapabilityTable::from_json(rows).unwrap();
    let options = forecast_options().build();
    for (builder, supports, found) in [
        (of(KNOWN), true, None),
        (of("mine").capabilities(told), true, None),
        (of("mine"), false, Some((Severity::Note, "is not known"))),
        (of(OLDER), false, Some((Severity::Warning, "`entity`"))),
    ] {
        let model = builder.build().unwrap();
        assert_eq!(model.supports_response_schema(&options), supports);
        let findings = model.check(&options);
        let of_model = findings
            .iter()
            .filter(|one| !one.to_string().contains("`Forecast`"));
        let of_model: Vec<_> = of_model.collect();
        assert_eq!(of_model.len(), usize::from(found.is_some()), "{findings:?}");
        if let Some((severity, text)) = found {
            assert_eq!(of_model[0].severity, severity);
            assert!(of_model[0].to_string().contains(text), "{findings:?}");
        }
        assert_eq!(model.check(&ChatOptions::default()), []);
    }
}

#[tokio::test]
async fn json_without_a_schema_is_left_out_and_told() {
    let options = ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    let options = options.build();
    let canned = Canned::new(HELLO);
    let model = builder(&canned).model(KNOWN).build().unwrap();
    let [found] = &model.check(&options)[..] else {
        panic!("one finding is expected")
    };
    assert_eq!(found.severity, Severity::Warning);
    assert!(
        found.to_string().contains("`ResponseFormat::JsonSchema`"),
        "{found}"
    );
    assert_eq!(sent_to(KNOWN, options).await.get("outputConfig"), None);
}

#[tokio::test]
async fn an_output_config_of_ones_own_stands_beside_ours_or_in_its_place() {
    let own = |value: Value| forecast_options().extra("outputConfig", value).build();
    let sent = sent_to(KNOWN, own(json!({"effort": "low", "more": null}))).await;
    let config = sent["outputConfig"].as_object().unwrap();
    assert_eq!(config["effort"], "low");
    assert_eq!(config["textFormat"]["type"], "json_schema");
    assert_eq!(config.len(), 2);
    let mine = json!({"textFormat": {"mine": 1}});
    assert_eq!(
        sent_to(KNOWN, own(mine.clone())).await["outputConfig"],
        mine
    );
    // Without a schema of ours, it is a field like any other.
    let alone = ChatOptions::builder().extra("outputConfig", json!({"effort": "low"}));
    let sent = sent_to(KNOWN, alone.build()).await;
    assert_eq!(sent["outputConfig"], json!({"effort": "low"}));
    let model = builder(&Canned::new(HELLO)).model(KNOWN).build().unwrap();
    let prompt = Prompt::new("hi", own(json!(3)));
    let error = model.call(prompt).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("`outputConfig`"), "{error}");
}

#[tokio::test]
async fn sch_8_what_an_answer_cannot_be_held_to_is_left_out_and_found() {
    let schema = r#"{"type":"object","properties":{"labels":{"type":"object",
        "additionalProperties":{"type":"string"}}},"required":["labels"]}"#;
    let schema = ResponseSchema::new("Labels", schema).unwrap();
    let options = ChatOptions::builder()
        .response_format(ResponseFormat::JsonSchema(schema))
        .build();
    let model = builder(&Canned::new(HELLO)).model(KNOWN).build().unwrap();
    assert!(!model.supports_response_schema(&options));
    let sent = sent_to(KNOWN, options.clone()).await;
    assert_eq!(sent.get("outputConfig"), None);
    let found = model.check(&options);
    assert_eq!(found.len(), 1, "{found:?}");
    let text = found[0].to_string();
    assert_eq!(found[0].severity, Severity::Warning);
    for part in [
        "`Labels`",
        "`additionalProperties`",
        "/properties/labels",
        "`entity`",
        "left out",
    ] {
        assert!(text.contains(part), "{text}");
    }
}
