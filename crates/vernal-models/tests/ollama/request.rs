//! The bytes of requests.

use std::sync::Arc;

use serde_json::{Value, json};
use vernal_core::message::{
    History, Media, Message, Part, PartContent, ProviderData, Role, ToolCall, ToolContent,
    ToolOutcome, ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt, ToolChoice};

use crate::support::canned::Canned;
use crate::support::tools;
use crate::support::view::collect;
use crate::{builder, model};

const HELLO: &str = r#"{"model":"m","message":{"role":"assistant","content":"Hi."},"done":true,"done_reason":"stop"}"#;

async fn sent(prompt: Prompt) -> String {
    let canned = Canned::new(HELLO);
    model(&canned).call(prompt).await.unwrap();
    canned.last_sent()
}

async fn messages(messages: Vec<Message>) -> Value {
    let sent = sent(Prompt::new(messages, ChatOptions::default())).await;
    serde_json::from_str::<Value>(&sent).unwrap()["messages"].take()
}

fn conversation() -> Vec<Message> {
    let call = ToolCall::new("call_a", "날씨_조회", r#"{"도시":"서울"}"#);
    let other = ToolCall::new("call_b", "now", "");
    let own = serde_json::value::to_raw_value(&json!({"field": "thinking"})).unwrap();
    let thought = Part::from(PartContent::Reasoning("Hm.".into()))
        .with_provider_data(ProviderData::new("ollama", own));
    let mut asks = Message::new(Role::Assistant, vec![thought, Part::text("I \"look\".\n")]);
    asks.push(PartContent::ToolCall(call.clone()));
    asks.push(PartContent::ToolCall(other.clone()));
    let rain = ToolResponse::success(&call, vec![ToolContent::Text("비, 12°C".into())]);
    let failed = ToolResponse::error(&other, ToolOutcome::Failed, "no clock");
    vec![
        Message::system("Be brief."),
        Message::user("서울 날씨?"),
        asks,
        Message::tool([rain, failed]),
    ]
}

const GOLDEN: &str = concat!(
    r#"{"model":"small","stream":true,"options":{"temperature":0.2,"top_p":1,"num_predict":64,"#,
    r#""stop":["END"],"num_ctx":8192,"seed":7},"think":true,"#,
    r#""tools":[{"type":"function","function":{"name":"날씨_조회","description":"날씨 조회","#,
    r#""parameters":SCHEMA}}],"#,
    r#""messages":[{"role":"system","content":"Be brief."},"#,
    r#"{"role":"user","content":"서울 날씨?"},"#,
    r#"{"role":"assistant","content":"I \"look\".\n","thinking":"Hm.","tool_calls":["#,
    r#"{"id":"call_a","function":{"name":"날씨_조회","arguments":{"도시":"서울"}}},"#,
    r#"{"id":"call_b","function":{"name":"now","arguments":{}}}]},"#,
    r#"{"role":"tool","content":"비, 12°C","tool_name":"날씨_조회","tool_call_id":"call_a"},"#,
    r#"{"role":"tool","content":"no clock","tool_name":"now","tool_call_id":"call_b"}]}"#,
);

#[tokio::test]
async fn a_request_byte_for_byte() {
    let tool = tools(&["날씨_조회"]).remove(0);
    let golden = GOLDEN.replace("SCHEMA", tool.tool_definition().input_schema());
    let options = ChatOptions::builder()
        .model("small")
        .temperature(0.2)
        .top_p(1.0)
        .max_tokens(64)
        .stop("END")
        .parallel_tool_calls(false)
        .tool_callbacks([tool])
        .unwrap()
        .extra("think", true)
        .extra("keep_alive", Value::Null)
        .extra("options", json!({"seed": 7}))
        .build();
    let prompt = Prompt::new(conversation(), options);
    let canned = Canned::new(HELLO);
    let model = builder(&canned).num_ctx(8192).build().unwrap();
    for _ in 0..2 {
        collect(model.stream(prompt.clone())).await.1.unwrap();
        assert_eq!(canned.last_sent(), golden);
    }
    model.call(prompt).await.unwrap();
    let whole = golden.replace(r#""stream":true"#, r#""stream":false"#);
    assert_eq!(canned.last_sent(), whole);
}

#[tokio::test]
async fn what_was_sent_before_is_a_prefix_of_what_is_sent_next() {
    let canned = Canned::new(HELLO);
    let model = model(&canned);
    let options = ChatOptions::builder().tool_callbacks(tools(&["a", "b"]));
    let options = Arc::new(options.unwrap().build());
    let mut history = History::from(conversation());
    let prompt = Prompt::new(history.clone(), options.clone());
    model.call(prompt).await.unwrap();
    let before = canned.last_sent();
    history.push(Message::user("And tomorrow?"));
    model.call(Prompt::new(history, options)).await.unwrap();
    let after = canned.last_sent();
    assert!(after.starts_with(before.strip_suffix("]}").unwrap()));
}

#[tokio::test]
async fn without_settings_there_are_no_options() {
    assert_eq!(
        sent("hi".into()).await,
        r#"{"model":"asked","stream":false,"messages":[{"role":"user","content":"hi"}]}"#
    );
}

#[tokio::test]
async fn the_callers_options_take_the_place_of_ours() {
    let options = ChatOptions::builder().temperature(0.5).max_tokens(9).extra(
        "options",
        json!({"temperature": 1.5, "num_predict": null, "num_ctx": 1}),
    );
    let canned = Canned::new(HELLO);
    let model = builder(&canned).num_ctx(8192).build().unwrap();
    model
        .call(Prompt::new("hi", options.build()))
        .await
        .unwrap();
    let sent = canned.last_sent();
    assert!(
        sent.contains(r#""options":{"num_ctx":1,"temperature":1.5},"#),
        "{sent}"
    );
}

#[tokio::test]
async fn a_call_cannot_be_made_to_happen() {
    let with = |choice| {
        let options = ChatOptions::builder()
            .tool_callbacks(tools(&["now", "weather"]))
            .unwrap();
        Prompt::new("hi", options.tool_choice(choice).build())
    };
    assert!(sent(with(ToolChoice::Auto)).await.contains(r#""tools":["#));
    assert!(!sent(with(ToolChoice::None)).await.contains("tools"));
    let some = sent(with(ToolChoice::allowed(["now"]))).await;
    assert!(some.contains(r#""name":"now""#) && !some.contains("weather"));
    for choice in [
        ToolChoice::Required,
        ToolChoice::Tool("now".into()),
        ToolChoice::required_of(["now"]),
    ] {
        let error = model(&Canned::new(HELLO))
            .call(with(choice))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains("tool choice"), "{error}");
    }
}

#[tokio::test]
async fn settings_that_cannot_be_sent() {
    let model = model(&Canned::new(HELLO));
    for (options, said) in [
        (ChatOptions::builder().extra("stream", true), "`stream`"),
        (
            ChatOptions::builder().extra("messages", json!([])),
            "`messages`",
        ),
        (ChatOptions::builder().extra("options", 3), "`options`"),
        (ChatOptions::builder().temperature(f64::NAN), "temperature"),
    ] {
        let prompt = Prompt::new("hi", options.build());
        let error = model.call(prompt).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[tokio::test]
async fn images_stand_beside_the_text() {
    let mut asks = Message::user("Look: ");
    asks.push(PartContent::Media(Media::base64("image/png", "AAAA")));
    asks.push(PartContent::Media(Media::url(
        "image/png",
        "https://h/x.png",
    )));
    let call = ToolCall::new("a", "draw", "{}");
    let image = ToolContent::Media(Media::base64("image/png", "BBBB"));
    let drawn = Message::tool([ToolResponse::success(&call, vec![image])]);
    let called = Message::new(Role::Assistant, vec![PartContent::ToolCall(call).into()]);
    let sent = messages(vec![asks, called, drawn]).await;
    assert_eq!(
        sent,
        json!([
            {"role": "user", "content": "Look: [image/png content]", "images": ["AAAA"]},
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "a", "function": {"name": "draw", "arguments": {}}},
            ]},
            {"role": "tool", "content": "[image/png content]", "tool_name": "draw",
             "tool_call_id": "a", "images": ["BBBB"]},
        ])
    );
}

#[tokio::test]
async fn assistant_messages_that_say_little() {
    let call = |arguments: &str| PartContent::ToolCall(ToolCall::new("a", "now", arguments)).into();
    let of = |parts| Message::new(Role::Assistant, parts);
    let sent = messages(vec![
        of(vec![]),
        of(vec![PartContent::Refusal("No.".into()).into()]),
        // The thoughts of another provider's model are not sent.
        of(vec![
            PartContent::Reasoning("Hm.".into()).into(),
            Part::text("a"),
        ]),
        Message::tool([]),
        of(vec![call("{broken")]),
    ])
    .await;
    let sent = sent.as_array().unwrap();
    assert_eq!(
        json!(sent[..4]),
        json!([
            {"role": "assistant", "content": ""},
            {"role": "assistant", "content": "No."},
            {"role": "assistant", "content": "a"},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": {
                "name": "now", "arguments": {"_invalid_arguments": "{broken"}
            }}]},
        ])
    );
}
