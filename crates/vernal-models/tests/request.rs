//! The bytes of requests.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "request/media.rs"]
mod media;
mod support;

use std::sync::Arc;

use serde_json::{Value, json};
use support::canned::Canned;
use support::tools;
use support::view::{collect, view};
use vernal_core::message::{
    Message, Part, PartContent, Role, ToolCall, ToolContent, ToolOutcome, ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt, ToolChoice};
use vernal_core::tool::{ToolCallback, ToolDefinition, ToolFuture, ToolInput};
use vernal_models::openai::{OpenAiProfile, ToolNames};

const HELLO: &str = r#"{"choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}]}"#;

/// What is sent for a prompt.
async fn sent(prompt: Prompt) -> String {
    sent_with(OpenAiProfile::COMPATIBLE, prompt).await
}

async fn sent_with(profile: OpenAiProfile, prompt: Prompt) -> String {
    let canned = Canned::new(HELLO);
    canned.model_with(profile).call(prompt).await.unwrap();
    let sent = canned.last_sent();
    serde_json::from_str::<Value>(&sent).unwrap();
    sent
}

/// What is sent for some messages, as a value.
async fn messages(messages: Vec<Message>) -> Value {
    messages_with(OpenAiProfile::COMPATIBLE, messages).await
}

async fn messages_with(profile: OpenAiProfile, messages: Vec<Message>) -> Value {
    let sent = sent_with(profile, Prompt::new(messages, ChatOptions::default())).await;
    serde_json::from_str::<Value>(&sent).unwrap()["messages"].take()
}

fn with_tools(names: &[&str]) -> vernal_core::model::ChatOptionsBuilder {
    ChatOptions::builder().tool_callbacks(tools(names)).unwrap()
}

/// A tool whose schema has an order of its own.
struct Weather(ToolDefinition);

impl Weather {
    fn tool() -> Arc<dyn ToolCallback> {
        let definition = ToolDefinition::builder("날씨_조회")
            .description("Says the \"weather\".")
            .input_schema(r#"{"type":"object","properties":{"도시":{"type":"string"}},"required":["도시"],"additionalProperties":false}"#)
            .build()
            .unwrap();
        Arc::new(Self(definition))
    }
}

impl ToolCallback for Weather {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _: ToolInput, _: vernal_core::tool::ToolContext) -> ToolFuture<'a> {
        Box::pin(async { Err(vernal_core::tool::ToolError::model("not called")) })
    }
}

fn conversation() -> Vec<Message> {
    let call = ToolCall::new("call_a", "날씨_조회", r#"{"도시":"서울"}"#);
    let other = ToolCall::new("call_b", "now", "");
    let mut asks = Message::assistant("I \"look\".\n");
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
    r#"{"model":"small","temperature":0.2,"top_p":1,"max_tokens":64,"stop":["END","\n"],"#,
    r#""stream":true,"stream_options":{"include_usage":true},"seed":7,"#,
    r#""parallel_tool_calls":false,"#,
    r#""tool_choice":{"type":"function","function":{"name":"tool_1696e60650d8809b"}},"#,
    r#""tools":[{"type":"function","function":{"name":"tool_1696e60650d8809b","#,
    r#""description":"Says the \"weather\".","parameters":{"type":"object","#,
    r#""properties":{"도시":{"type":"string"}},"required":["도시"],"additionalProperties":false}}},"#,
    r#"{"type":"function","function":{"name":"now","description":"now","parameters":NOW}}],"#,
    r#""messages":[{"role":"system","content":"Be brief."},"#,
    r#"{"role":"user","content":"서울 날씨?"},"#,
    r#"{"role":"assistant","content":"I \"look\".\n","tool_calls":["#,
    r#"{"id":"call_a","type":"function","function":{"name":"tool_1696e60650d8809b","#,
    r#""arguments":"{\"도시\":\"서울\"}"}},"#,
    r#"{"id":"call_b","type":"function","function":{"name":"now","arguments":"{}"}}]},"#,
    r#"{"role":"tool","tool_call_id":"call_a","content":"비, 12°C"},"#,
    r#"{"role":"tool","tool_call_id":"call_b","content":"no clock"}]}"#,
);

#[tokio::test]
async fn a_request_byte_for_byte() {
    let now = tools(&["now"]).remove(0);
    let golden = GOLDEN.replace("NOW", now.tool_definition().input_schema());
    let options = ChatOptions::builder()
        .model("small")
        .temperature(0.2)
        .top_p(1.0)
        .max_tokens(64)
        .stop("END")
        .stop("\n")
        .tool_choice(ToolChoice::Tool("날씨_조회".into()))
        .parallel_tool_calls(false)
        .tool_callbacks([Weather::tool(), now])
        .unwrap()
        .extra("seed", 7)
        .build();
    let prompt = Prompt::new(conversation(), options);
    let canned = Canned::events(&[r#"{"choices":[{"delta":{"content":"a"}}]}"#]);
    let model = canned.model();
    for _ in 0..2 {
        collect(model.stream(prompt.clone())).await.1.unwrap();
        assert_eq!(canned.last_sent(), golden);
    }
}

#[tokio::test]
async fn what_was_sent_before_is_a_prefix_of_what_is_sent_next() {
    let canned = Canned::new(HELLO);
    let model = canned.model();
    let options = Arc::new(with_tools(&["a", "b"]).temperature(0.1).build());
    let mut history = vernal_core::message::History::from(conversation());
    let mut prompt = Prompt::new(history.clone(), options.clone());
    model.call(prompt).await.unwrap();
    let before = canned.last_sent();
    history.push(Message::user("And tomorrow?"));
    prompt = Prompt::new(history, options);
    model.call(prompt).await.unwrap();
    assert!(
        canned
            .last_sent()
            .starts_with(before.strip_suffix("]}").unwrap())
    );
}

#[tokio::test]
async fn names_of_any_script_come_back_in_call_and_stream() {
    let wire = r#""tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"tool_1696e60650d8809b","arguments":"{}"}}]"#;
    let whole = Canned::new(format!(r#"{{"choices":[{{"message":{{{wire}}}}}]}}"#));
    let stream = Canned::events(&[&format!(r#"{{"choices":[{{"delta":{{{wire}}}}}]}}"#)]);
    let options = || with_tools(&["now", "날씨_조회"]).build();
    let called = whole
        .model()
        .call(Prompt::new("hi", options()))
        .await
        .unwrap();
    let (told, streamed) = collect(stream.model().stream(Prompt::new("hi", options()))).await;
    assert_eq!(told.events[0], "call 0 a 날씨_조회");
    for response in [called, streamed.unwrap()] {
        assert_eq!(view(&response).calls[0].1, "날씨_조회");
    }
    // A server that takes any name gets it as it is.
    let mut profile = OpenAiProfile::COMPATIBLE;
    profile.tool_names = ToolNames::AsTheyAre;
    let sent = sent_with(profile, Prompt::new(conversation(), options())).await;
    assert_eq!(sent.matches(r#""name":"날씨_조회""#).count(), 2);
}

#[tokio::test]
async fn choices_and_switches_need_tools() {
    for (choice, expected) in [
        (ToolChoice::Auto, ""),
        (ToolChoice::None, r#""tool_choice":"none""#),
        (ToolChoice::Required, r#""tool_choice":"required""#),
        (
            ToolChoice::Tool("now".into()),
            r#""tool_choice":{"type":"function","function":{"name":"now"}}"#,
        ),
    ] {
        let options = with_tools(&["now"])
            .tool_choice(choice.clone())
            .parallel_tool_calls(true);
        let with = sent(Prompt::new("hi", options.build())).await;
        assert!(
            with.contains(expected) && with.contains(r#""parallel_tool_calls":true"#),
            "{with}"
        );
        assert_eq!(with.contains("tool_choice"), choice != ToolChoice::Auto);
        let options = ChatOptions::builder()
            .tool_choice(choice)
            .parallel_tool_calls(true);
        let without = sent(Prompt::new("hi", options.build())).await;
        assert_eq!(
            without,
            r#"{"model":"asked","messages":[{"role":"user","content":"hi"}]}"#
        );
    }
}

#[tokio::test]
async fn the_profile_names_the_field_for_the_most_tokens() {
    let prompt = || Prompt::new("hi", ChatOptions::builder().max_tokens(9).build());
    assert!(sent(prompt()).await.contains(r#""max_tokens":9"#));
    let openai = sent_with(OpenAiProfile::OPENAI, prompt()).await;
    assert!(openai.contains(r#""max_completion_tokens":9"#) && !openai.contains("max_tokens"));
}

#[tokio::test]
async fn extra_fields_take_the_place_of_ours() {
    let options = with_tools(&["now"])
        .temperature(0.5)
        .max_tokens(9)
        .extra("temperature", 1.5)
        .extra("max_tokens", Value::Null)
        .extra("tools", json!([]))
        .extra("response_format", json!({"type": "json_object"}));
    let sent = sent(Prompt::new("hi", options.build())).await;
    assert_eq!(
        sent,
        r#"{"model":"asked","response_format":{"type":"json_object"},"temperature":1.5,"tools":[],"messages":[{"role":"user","content":"hi"}]}"#
    );
}

#[tokio::test]
async fn settings_that_cannot_be_sent() {
    let model = Canned::new(HELLO).model();
    for (options, said) in [
        (ChatOptions::builder().extra("stream", true), "`stream`"),
        (
            ChatOptions::builder().extra("messages", json!([])),
            "`messages`",
        ),
        (ChatOptions::builder().temperature(f64::NAN), "temperature"),
        (ChatOptions::builder().top_p(f64::INFINITY), "top_p"),
    ] {
        let error = model
            .call(Prompt::new("hi", options.build()))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[tokio::test]
async fn options_of_the_request_go_over_those_of_the_adapter() {
    let canned = Canned::new(HELLO);
    let defaults = with_tools(&["now"])
        .model("default")
        .temperature(0.5)
        .max_tokens(9)
        .build();
    let model = vernal_models::openai::OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .default_options(defaults)
        .transport(canned.clone())
        .build()
        .unwrap();
    model.call("hi".into()).await.unwrap();
    let sent = canned.last_sent();
    assert!(sent.starts_with(r#"{"model":"default","temperature":0.5,"max_tokens":9,"tools":[{"#));
    let own = with_tools(&["later"]).model("own").temperature(0.0).build();
    model.call(Prompt::new("hi", own)).await.unwrap();
    let sent = canned.last_sent();
    assert!(
        sent.starts_with(r#"{"model":"own","temperature":0,"max_tokens":9,"tools":[{"#),
        "{sent}"
    );
    assert!(sent.contains("later") && !sent.contains("now"));
    let nameless = vernal_models::openai::OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .transport(canned)
        .build()
        .unwrap();
    let error = nameless.call("hi".into()).await.unwrap_err();
    assert!(error.to_string().contains("`model`"), "{error}");
}

#[tokio::test]
async fn assistant_messages_that_say_little() {
    let call = |arguments: &str| PartContent::ToolCall(ToolCall::new("a", "now", arguments)).into();
    let sent = messages(vec![
        Message::new(Role::Assistant, vec![]),
        Message::new(
            Role::Assistant,
            vec![PartContent::Refusal("No.".into()).into()],
        ),
        Message::new(
            Role::Assistant,
            vec![PartContent::Reasoning("Hm.".into()).into(), Part::text("a")],
        ),
        Message::tool([]),
        Message::new(Role::Assistant, vec![call("null")]),
        Message::new(Role::Assistant, vec![call("{broken")]),
    ])
    .await;
    assert_eq!(sent[0], json!({"role": "assistant", "content": ""}));
    assert_eq!(sent[1], json!({"role": "assistant", "content": "No."}));
    assert_eq!(sent[2], json!({"role": "assistant", "content": "a"}));
    assert_eq!(sent[3]["content"], Value::Null);
    assert_eq!(sent[3]["tool_calls"][0]["function"]["arguments"], "{}");
    // Between them and behind them stand results.
    let wrapped = &sent[5]["tool_calls"][0]["function"]["arguments"];
    assert_eq!(*wrapped, r#"{"_invalid_arguments":"{broken"}"#);
    assert_eq!(sent.as_array().unwrap().len(), 7);
}

#[tokio::test]
async fn stored_data_writes_no_other_field() {
    use vernal_core::message::ProviderData;
    let forged = serde_json::value::to_raw_value(&json!({"field": "tool_calls"})).unwrap();
    let data = ProviderData::new(OpenAiProfile::COMPATIBLE.name, forged);
    let part = Part::from(PartContent::Reasoning("[]".into())).with_provider_data(data);
    let sent = messages(vec![Message::new(Role::Assistant, vec![part])]).await;
    assert_eq!(sent[0], json!({"role": "assistant", "content": ""}));
}

#[tokio::test]
async fn a_choice_of_a_tool_that_is_not_there_is_not_sent() {
    let canned = Canned::new(r#"{"choices":[]}"#);
    let options = ChatOptions::builder()
        .tool_choice(ToolChoice::Tool("zzz".into()))
        .tool_callbacks(tools(&["now"]))
        .unwrap();
    let prompt = Prompt::new("hi", options.build());
    let error = canned.model().call(prompt).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("`zzz`"), "{error}");
    assert!(canned.sent.lock().unwrap().is_empty());
}
