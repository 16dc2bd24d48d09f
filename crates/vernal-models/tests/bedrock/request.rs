//! The bytes of requests.

use std::sync::Arc;

use serde_json::{Value, json};
use vernal_core::message::{
    History, Message, PartContent, ToolCall, ToolContent, ToolOutcome, ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt, ToolChoice};
use vernal_models::bedrock::{BedrockCache, CacheTtl};

use crate::model::{builder, model};
use crate::support::canned::Canned;
use crate::support::tools;
use crate::support::view::collect;
use crate::{HELLO, sent, turns_of};

fn conversation() -> Vec<Message> {
    let call = ToolCall::new("tooluse_1", "날씨_조회", r#"{"도시":"서울"}"#);
    let other = ToolCall::new("no fit!", "now", "");
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
    r#"{"inferenceConfig":{"maxTokens":64,"temperature":0.2,"topP":1,"stopSequences":["END"]},"#,
    r#""additionalModelRequestFields":{"top_k":5},"#,
    r#""toolConfig":{"tools":[{"toolSpec":{"name":"tool_1696e60650d8809b","#,
    r#""description":"날씨 조회","inputSchema":{"json":SCHEMA}}}],"#,
    r#""toolChoice":{"tool":{"name":"tool_1696e60650d8809b"}}},"#,
    r#""system":[{"text":"Be brief."},{"text":"Be kind."}],"#,
    r#""messages":[{"role":"user","content":[{"text":"서울 날씨?"}]},"#,
    r#"{"role":"assistant","content":[{"text":"I \"look\".\n"},"#,
    r#"{"toolUse":{"toolUseId":"tooluse_1","name":"tool_1696e60650d8809b","input":{"도시":"서울"}}},"#,
    r#"{"toolUse":{"toolUseId":"call_IDHASH","name":"now","input":{}}}]},"#,
    r#"{"role":"user","content":["#,
    r#"{"toolResult":{"toolUseId":"tooluse_1","content":[{"json":{"rain":true}}]}},"#,
    r#"{"toolResult":{"toolUseId":"call_IDHASH","content":[{"text":"no clock"}],"status":"error"}}]}]}"#,
);

#[tokio::test]
async fn a_request_byte_for_byte() {
    let tool = tools(&["날씨_조회"]).remove(0);
    let hash = vernal_core::message::DialectKey::from_name("no fit!").0;
    let golden = GOLDEN
        .replace("SCHEMA", tool.tool_definition().input_schema())
        .replace("IDHASH", &format!("{hash:016x}"));
    let options = ChatOptions::builder()
        .temperature(0.2)
        .top_p(1.0)
        .max_tokens(64)
        .stop("END")
        .parallel_tool_calls(false)
        .tool_choice(ToolChoice::Tool("날씨_조회".into()))
        .tool_callbacks([tool])
        .unwrap()
        .extra("additionalModelRequestFields", json!({"top_k": 5}))
        .extra("guardrailConfig", Value::Null)
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
async fn a_bare_request_says_nothing_but_the_message() {
    assert_eq!(
        sent("hi".into()).await,
        r#"{"messages":[{"role":"user","content":[{"text":"hi"}]}]}"#
    );
}

#[tokio::test]
async fn what_was_sent_before_is_a_prefix_of_what_is_sent_next() {
    let canned = Canned::new(HELLO);
    let model = model(&canned);
    let options = ChatOptions::builder().tool_callbacks(tools(&["a", "b"]));
    let options = Arc::new(options.unwrap().build());
    let mut history = History::from(conversation());
    let prompt = |history: &History| Prompt::new(history.clone(), options.clone());
    model.call(prompt(&history)).await.unwrap();
    for message in [
        Message::user("And tomorrow?"),
        Message::user("Well?"),
        Message::assistant("Rain."),
    ] {
        let before = canned.last_sent();
        history.push(message);
        model.call(prompt(&history)).await.unwrap();
        let after = canned.last_sent();
        let prefix = before.strip_suffix("]}]}").unwrap();
        assert!(after.starts_with(prefix), "{after}");
    }
}

#[tokio::test]
async fn a_conversation_begins_with_the_user_and_is_never_empty() {
    let opening = json!({"role": "user", "content": [{"text": "Go on."}]});
    let said = json!({"role": "assistant", "content": [{"text": "a"}, {"text": "b"}]});
    assert_eq!(
        turns_of(vec![Message::assistant("a"), Message::assistant("b")]).await,
        json!([opening, said])
    );
    let canned = Canned::new(HELLO);
    let model = model(&canned);
    crate::support::nobody_speaks(&model, "Bedrock").await;
    // The server takes no blank text.
    model.call(" \n\u{3000}".into()).await.unwrap_err();
    assert!(canned.sent.lock().unwrap().is_empty());
}

#[tokio::test]
async fn extra_fields_stand_beside_ours_or_in_their_place() {
    let options = ChatOptions::builder()
        .max_tokens(9)
        .temperature(0.5)
        .extra(
            "inferenceConfig",
            json!({"maxTokens": 7, "topP": null, "more": 1}),
        )
        .extra(
            "guardrailConfig",
            json!({"guardrailIdentifier": "g", "guardrailVersion": "1"}),
        )
        .extra("system", json!([{"text": "other"}]))
        .extra("requestMetadata", Value::Null)
        .build();
    let prompt = Prompt::new(vec![Message::system("ours"), Message::user("hi")], options);
    let sent: Value = serde_json::from_str(&sent(prompt).await).unwrap();
    assert_eq!(
        sent["inferenceConfig"],
        json!({"maxTokens": 7, "temperature": 0.5, "more": 1})
    );
    assert_eq!(sent["guardrailConfig"]["guardrailVersion"], "1");
    assert_eq!(sent["system"], json!([{"text": "other"}]));
    assert!(sent.get("requestMetadata").is_none());
}

#[tokio::test]
async fn what_cannot_be_sent_is_named() {
    let options = ChatOptions::builder;
    for (options, said) in [
        (options().temperature(f64::NAN), "temperature"),
        (options().extra("messages", json!([])), "messages"),
        (options().extra("stream", true), "stream"),
        (options().extra("inferenceConfig", 1), "inferenceConfig"),
        (options().model(".."), "`..`"),
        (options().model(""), "id of a model"),
    ] {
        let prompt = Prompt::new("hi", options.build());
        let error = model(&Canned::new(HELLO)).call(prompt).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains(said), "{error}");
    }
    let canned = Canned::new(HELLO);
    let nameless = vernal_models::bedrock::BedrockChatModel::builder()
        .base_url("http://127.0.0.1:1")
        .transport(canned)
        .build()
        .unwrap();
    let error = nameless.call("hi".into()).await.unwrap_err();
    assert!(error.to_string().contains("no model is named"), "{error}");
}

async fn cached(cache: BedrockCache, prompt: Prompt) -> String {
    let canned = Canned::new(HELLO);
    let model = builder(&canned).cache(cache).build().unwrap();
    model.call(prompt).await.unwrap();
    canned.last_sent()
}

#[tokio::test]
async fn marks_for_the_cache_stand_where_they_are_wanted() {
    let options = ChatOptions::builder()
        .tool_callbacks(tools(&["a"]))
        .unwrap();
    let messages = vec![Message::system("s"), Message::user("u")];
    let prompt = Prompt::new(messages, options.build());
    let plain = cached(BedrockCache::NONE, prompt.clone()).await;
    assert!(!plain.contains("cachePoint"));
    let mark = r#",{"cachePoint":{"type":"default"}}]"#;
    let all = cached(BedrockCache::ALL, prompt.clone()).await;
    assert!(
        all.contains(&format!(
            r#"}}}}}}{mark}}},"system":[{{"text":"s"}}{mark},"#
        )),
        "{all}"
    );
    assert!(
        all.ends_with(&format!(r#"{{"text":"u"}}{mark}}}]}}"#)),
        "{all}"
    );
    assert_eq!(
        all.replace(r#",{"cachePoint":{"type":"default"}}"#, ""),
        plain
    );
    let mut hour = BedrockCache::NONE;
    hour.system = true;
    hour.ttl = CacheTtl::OneHour;
    let sent = cached(hour, prompt).await;
    assert_eq!(
        sent.matches(r#"{"cachePoint":{"type":"default","ttl":"1h"}}"#)
            .count(),
        1
    );
    // Where there is nothing, nothing is marked.
    let bare = cached(BedrockCache::ALL, "hi".into()).await;
    assert_eq!(bare.matches("cachePoint").count(), 1);
}
