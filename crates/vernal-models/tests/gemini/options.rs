//! Every setting is in the request, or is told before it is sent.

use vernal_core::model::{ChatModel, FindingKind, ResponseFormat, Severity};
use vernal_models::gemini::SchemaForm;

use crate::builder;
use crate::support::canned::Canned;
use crate::support::options::every_setting_is_sent_or_found;
use crate::support::{forecast_options, tools};

const HELLO: &str =
    r#"{"candidates":[{"content":{"parts":[{"text":"Hi."}]},"finishReason":"STOP"}]}"#;

#[tokio::test]
async fn a_setting_is_sent_or_found() {
    let canned = Canned::new(HELLO);
    let model = builder(&canned).build().unwrap();
    let config = |mode: &str| format!(r#""functionCallingConfig":{{"mode":"{mode}"}}"#);
    let named = |mode: &str, name: &str| {
        format!(r#""functionCallingConfig":{{"mode":"{mode}","allowedFunctionNames":["{name}"]}}"#)
    };
    let table = [
        ("model", "/models/another:generateContent"),
        ("temperature", r#""temperature":0.25"#),
        ("top_p", r#""topP":0.75"#),
        ("max_tokens", r#""maxOutputTokens":77"#),
        ("stop", r#""stopSequences":["END"]"#),
        ("tools", r#""functionDeclarations":[{"name":"now""#),
        ("choice none", &config("NONE")),
        ("choice required", &config("ANY")),
        ("choice named", &named("ANY", "now")),
        ("choice allowed", &named("VALIDATED", "then")),
        ("choice required of", &named("ANY", "then")),
        ("choice without tools", "?the tool choice is not sent"),
        ("one call", "?no switch for parallel calls"),
        ("json", r#""responseMimeType":"application/json""#),
        ("schema", r#""responseJsonSchema":{"#),
        ("extra", r#""own":7"#),
    ];
    every_setting_is_sent_or_found(&model, &canned, &table).await;
}

#[test]
fn a_form_of_answers_that_would_be_refused_is_found() {
    let canned = Canned::new(HELLO);
    let check = |name: &str, options: &vernal_core::model::ChatOptions| {
        let model = builder(&canned).model(name).build().unwrap();
        model.check(options)
    };
    let options = forecast_options().tool_callbacks(tools(&["now"])).unwrap();
    let options = options.build();
    let [found] = &check("gemini-2.5-pro", &options)[..] else {
        panic!("one finding is expected")
    };
    assert_eq!(
        (found.severity, &found.kind),
        (Severity::Error, &FindingKind::Refused)
    );
    assert!(found.to_string().contains("`gemini-2.5-pro`"), "{found}");
    for taken in ["gemini-3-pro-preview", "asked"] {
        assert_eq!(check(taken, &options), []);
    }
    assert_eq!(check("gemini-2.5-pro", &forecast_options().build()), []);
}

#[test]
fn sch_8_what_the_schema_of_an_answer_loses_is_found() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string","contentEncoding":"x",
        "uniqueItems":true}},"required":["a"]}"#;
    let schema = vernal_core::model::ResponseSchema::new("Answer", schema).unwrap();
    let options = vernal_core::model::ChatOptions::builder()
        .response_format(ResponseFormat::JsonSchema(schema))
        .build();
    for (form, loses) in [(SchemaForm::JsonSchema, false), (SchemaForm::OpenApi, true)] {
        let canned = Canned::new(HELLO);
        let model = builder(&canned).schema_form(form).build().unwrap();
        let found = model.check(&options);
        assert_eq!(!found.is_empty(), loses, "{found:?}");
        for finding in found {
            let text = finding.to_string();
            assert!(
                text.starts_with("the schema of the answer `Answer`: `"),
                "{text}"
            );
            assert_eq!(finding.tool, None);
        }
    }
}
