//! The bytes of requests.

use std::sync::Arc;

use serde_json::{Value, json};
use vernal_core::message::{
    History, Media, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolOutcome,
    ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt, ToolChoice};
use vernal_models::gemini::SchemaForm;

use crate::support::canned::Canned;
use crate::support::tools;
use crate::support::view::{collect, view};
use crate::{builder, model};

const HELLO: &str =
    r#"{"candidates":[{"content":{"parts":[{"text":"Hi."}]},"finishReason":"STOP"}]}"#;

async fn sent(prompt: Prompt) -> String {
    let canned = Canned::new(HELLO);
    model(&canned).call(prompt).await.unwrap();
    canned.last_sent()
}

async fn contents(messages: Vec<Message>) -> Value {
    let sent = sent(Prompt::new(messages, ChatOptions::default())).await;
    serde_json::from_str::<Value>(&sent).unwrap()["contents"].take()
}

fn conversation() -> Vec<Message> {
    let call = ToolCall::new("x1", "날씨_조회", r#"{"도시":"서울"}"#);
    let other = ToolCall::new("call_2_1", "now", "");
    let mut asks = Message::assistant("I \"look\".\n");
    asks.push(PartContent::ToolCall(call.clone()));
    asks.push(PartContent::ToolCall(other.clone()));
    let json = serde_json::value::to_raw_value(&json!({"rain": true})).unwrap();
    let rain = ToolResponse::success(&call, vec![ToolContent::Json(json)]);
    let failed = ToolResponse::error(&other, ToolOutcome::Failed, "no clock");
    vec![
        Message::system("Be brief."),
        Message::system("Be kind."),
        Message::user("서울 날씨?"),
        asks,
        Message::tool([rain, failed]),
    ]
}

const GOLDEN: &str = concat!(
    r#"{"systemInstruction":{"parts":[{"text":"Be brief."},{"text":"Be kind."}]},"#,
    r#""generationConfig":{"temperature":0.2,"topP":1,"maxOutputTokens":64,"#,
    r#""stopSequences":["END"],"seed":7},"cachedContent":"c","#,
    r#""toolConfig":{"functionCallingConfig":{"mode":"ANY","#,
    r#""allowedFunctionNames":["tool_1696e60650d8809b"]}},"#,
    r#""tools":[{"functionDeclarations":[{"name":"tool_1696e60650d8809b","#,
    r#""description":"날씨 조회","parametersJsonSchema":SCHEMA}]}],"#,
    r#""contents":[{"role":"user","parts":[{"text":"서울 날씨?"}]},"#,
    r#"{"role":"model","parts":[{"text":"I \"look\".\n"},"#,
    r#"{"functionCall":{"id":"x1","name":"tool_1696e60650d8809b","args":{"도시":"서울"}}},"#,
    r#"{"functionCall":{"name":"now","args":{}}}]},"#,
    r#"{"role":"user","parts":["#,
    r#"{"functionResponse":{"id":"x1","name":"tool_1696e60650d8809b","response":{"output":{"rain":true}}}},"#,
    r#"{"functionResponse":{"name":"now","response":{"error":"no clock"}}}]}]}"#,
);

#[tokio::test]
async fn a_request_byte_for_byte() {
    let tool = tools(&["날씨_조회"]).remove(0);
    let golden = GOLDEN.replace("SCHEMA", tool.tool_definition().input_schema());
    let options = ChatOptions::builder()
        .temperature(0.2)
        .top_p(1.0)
        .max_tokens(64)
        .stop("END")
        .parallel_tool_calls(false)
        .tool_choice(ToolChoice::Tool("날씨_조회".into()))
        .tool_callbacks([tool])
        .unwrap()
        .extra("cachedContent", "c")
        .extra("safetySettings", Value::Null)
        .extra("generationConfig", json!({"seed": 7}))
        .build();
    let prompt = Prompt::new(conversation(), options);
    let canned = Canned::new(HELLO);
    let model = model(&canned);
    for _ in 0..2 {
        collect(model.stream(prompt.clone())).await.1.unwrap();
        assert_eq!(canned.last_sent(), golden);
        model.call(prompt.clone()).await.unwrap();
        assert_eq!(canned.last_sent(), golden);
    }
}

#[tokio::test]
async fn what_was_sent_before_is_a_prefix_of_what_is_sent_next() {
    let canned = Canned::new(HELLO);
    let model = model(&canned);
    let options = ChatOptions::builder().tool_callbacks(tools(&["a", "b"]));
    let options = Arc::new(options.unwrap().build());
    let mut history = History::from(conversation());
    model
        .call(Prompt::new(history.clone(), options.clone()))
        .await
        .unwrap();
    // Another content, more of the same content, and words of the application in the middle.
    for message in [
        Message::user("And tomorrow?"),
        Message::user("Well?"),
        Message::system("Hurry."),
    ] {
        let before = canned.last_sent();
        history.push(message);
        model
            .call(Prompt::new(history.clone(), options.clone()))
            .await
            .unwrap();
        let after = canned.last_sent();
        assert!(
            after.starts_with(before.strip_suffix("]}]}").unwrap()),
            "{after}"
        );
    }
    let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    let texts = json!([{"text": "And tomorrow?"}, {"text": "Well?"}, {"text": "Hurry."}]);
    assert_eq!(sent["contents"][3], json!({"role": "user", "parts": texts}));
}

#[tokio::test]
async fn a_conversation_begins_with_the_user_and_is_never_empty() {
    let opening = json!({"role": "user", "parts": [{"text": "Go on."}]});
    let said = json!({"role": "model", "parts": [{"text": "a"}, {"text": "b"}]});
    assert_eq!(
        contents(vec![Message::assistant("a"), Message::assistant("b")]).await,
        json!([opening, said])
    );
    let canned = Canned::new(HELLO);
    crate::support::nobody_speaks(&model(&canned), "Gemini").await;
    assert!(canned.sent.lock().unwrap().is_empty());
}

#[tokio::test]
async fn choices_need_tools() {
    for (choice, expected) in [
        (ToolChoice::Auto, None),
        (ToolChoice::None, Some(json!({"mode": "NONE"}))),
        (ToolChoice::Required, Some(json!({"mode": "ANY"}))),
        (
            ToolChoice::Tool("3d".into()),
            Some(json!({"mode": "ANY", "allowedFunctionNames": ["_3d"]})),
        ),
        (
            ToolChoice::required_of(["3d"]),
            Some(json!({"mode": "ANY", "allowedFunctionNames": ["_3d"]})),
        ),
        (
            ToolChoice::allowed(["3d"]),
            Some(json!({"mode": "VALIDATED", "allowedFunctionNames": ["_3d"]})),
        ),
    ] {
        let options = ChatOptions::builder().tool_choice(choice.clone());
        let with = options.clone().tool_callbacks(tools(&["3d"])).unwrap();
        let with: Value =
            serde_json::from_str(&sent(Prompt::new("hi", with.build())).await).unwrap();
        let config = with
            .get("toolConfig")
            .map(|c| c["functionCallingConfig"].clone());
        assert_eq!(config, expected);
        let without = sent(Prompt::new("hi", options.build())).await;
        assert!(!without.contains("tool"), "{without}");
    }
}

#[tokio::test]
async fn names_come_back() {
    for (name, wire) in [
        ("날씨_조회", "tool_1696e60650d8809b"),
        ("3d", "_3d"),
        ("now", "now"),
    ] {
        let call = format!(r#"{{"functionCall":{{"name":"{wire}"}}}}"#);
        let canned = Canned::new(crate::parts(&call));
        let options = ChatOptions::builder().tool_callbacks(tools(&["3d", "now", "날씨_조회"]));
        let prompt = Prompt::new("hi", options.unwrap().build());
        let answer = model(&canned).call(prompt.clone()).await.unwrap();
        assert_eq!(view(&answer).calls[0].1, name);
        let (told, _) = collect(model(&canned).stream(prompt)).await;
        assert_eq!(told.events[0], format!("call 0 - {name}"));
    }
    let both = ChatOptions::builder()
        .tool_callbacks(tools(&["3d", "_3d"]))
        .unwrap();
    let prompt = Prompt::new("hi", both.build());
    let error = model(&Canned::new(HELLO)).call(prompt).await.unwrap_err();
    assert!(error.to_string().contains("`_3d`"), "{error}");
}

#[tokio::test]
async fn settings_that_cannot_be_sent() {
    let model = model(&Canned::new(HELLO));
    for (options, said) in [
        (ChatOptions::builder().extra("stream", true), "`stream`"),
        (
            ChatOptions::builder().extra("contents", json!([])),
            "`contents`",
        ),
        (
            ChatOptions::builder().extra("generationConfig", 3),
            "`generationConfig`",
        ),
        (ChatOptions::builder().top_p(f64::NAN), "top_p"),
        (ChatOptions::builder().model("../x"), "`../x`"),
        (ChatOptions::builder().model("a//b"), "`a//b`"),
    ] {
        let prompt = Prompt::new("hi", options.build());
        let error = model.call(prompt).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[tokio::test]
async fn tools_in_the_words_of_open_api() {
    let canned = Canned::new(HELLO);
    let model = builder(&canned)
        .schema_form(SchemaForm::OpenApi)
        .build()
        .unwrap();
    let options = ChatOptions::builder()
        .tool_callbacks(tools(&["now"]))
        .unwrap();
    model
        .call(Prompt::new("hi", options.build()))
        .await
        .unwrap();
    let declared = r#""functionDeclarations":[{"name":"now","description":"now"}]"#;
    assert!(
        canned.last_sent().contains(declared),
        "{}",
        canned.last_sent()
    );
}

#[tokio::test]
async fn media() {
    let png = || Media::base64("image/png", "AAAA");
    let pdf = || Media::base64("application/pdf", "BBBB");
    let mut asks = Message::user("Look:");
    asks.push(PartContent::Media(png()));
    asks.push(PartContent::Media(Media::url(
        "image/jpeg",
        "https://h/x.jpg",
    )));
    asks.push(PartContent::Media(pdf()));
    let call = ToolCall::new("a", "draw", "{}");
    let drawn = [png(), pdf()].map(ToolContent::Media);
    let drawn = [vec![ToolContent::Text("Here:".into())], drawn.into()].concat();
    let drawn = Message::tool([ToolResponse::success(&call, drawn)]);
    let called = Message::new(Role::Assistant, vec![PartContent::ToolCall(call).into()]);
    let messages = vec![asks, called, drawn];
    let called = json!({"role": "model", "parts": [
        {"functionCall": {"id": "a", "name": "draw", "args": {}}},
    ]});
    let looked = json!({"role": "user", "parts": [
        {"text": "Look:"},
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
        {"fileData": {"mimeType": "image/jpeg", "fileUri": "https://h/x.jpg"}},
        {"inlineData": {"mimeType": "application/pdf", "data": "BBBB"}},
    ]});
    let mut response = json!({"id": "a", "name": "draw",
        "response": {"output": "Here:\n[image/png content]\n[application/pdf content]"}});
    let note = json!({"role": "user", "parts": [{"functionResponse": response}]});
    assert_eq!(
        contents(messages.clone()).await,
        json!([looked, called, note])
    );

    response["parts"] = json!([
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
        {"inlineData": {"mimeType": "application/pdf", "data": "BBBB"}},
    ]);
    let shown = json!({"role": "user", "parts": [{"functionResponse": response}]});
    let canned = Canned::new(HELLO);
    let model = builder(&canned).media_in_results(true).build().unwrap();
    model
        .call(Prompt::new(messages, ChatOptions::default()))
        .await
        .unwrap();
    let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    assert_eq!(sent["contents"], json!([looked, called, shown]));
}

#[tokio::test]
async fn parts_that_say_nothing_are_left_out() {
    let call = |arguments: &str| PartContent::ToolCall(ToolCall::new("a", "now", arguments)).into();
    let sent = contents(vec![
        Message::user("hi"),
        Message::new(
            Role::Assistant,
            vec![
                // The thoughts of another provider's model are not sent.
                PartContent::Reasoning("Hm.".into()).into(),
                Part::text(""),
                PartContent::Refusal("No.".into()).into(),
                PartContent::Opaque.into(),
                call("{broken"),
            ],
        ),
        Message::tool([]),
    ])
    .await;
    let sent = sent.as_array().unwrap();
    assert_eq!(
        json!(sent[..2]),
        json!([
            {"role": "user", "parts": [{"text": "hi"}]},
            {"role": "model", "parts": [
                {"text": "No."},
                {"functionCall": {"id": "a", "name": "now",
                    "args": {"_invalid_arguments": "{broken"}}},
            ]},
        ])
    );
}
