//! The bytes of requests.

use std::sync::Arc;

use serde_json::{Value, json};
use vernal_core::message::{
    History, Message, PartContent, ToolCall, ToolContent, ToolOutcome, ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt, ToolChoice};
use vernal_core::tool::{FunctionToolCallback, ToolCallback};
use vernal_models::anthropic::{AnthropicCache, AnthropicChatModel, CacheTtl, DEFAULT_MAX_TOKENS};

use crate::model::{builder, model};
use crate::support::canned::Canned;
use crate::support::tools;
use crate::{HELLO, events, sent};

fn with_tools(names: &[&str]) -> vernal_core::model::ChatOptionsBuilder {
    ChatOptions::builder().tool_callbacks(tools(names)).unwrap()
}

fn weather() -> Arc<dyn ToolCallback> {
    let tool = FunctionToolCallback::builder("날씨_조회", || "done")
        .description("Says the \"weather\".")
        .build();
    Arc::new(tool.unwrap())
}

fn conversation() -> Vec<Message> {
    let call = ToolCall::new("toolu_a", "날씨_조회", r#"{"도시":"서울"}"#);
    let other = ToolCall::new("toolu_b", "now", "");
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
    r#"{"model":"small","max_tokens":64,"temperature":0.2,"top_p":1,"stop_sequences":["END","\n"],"#,
    r#""stream":true,"metadata":{"user_id":"u"},"#,
    r#""tool_choice":{"type":"tool","name":"tool_1696e60650d8809b","disable_parallel_tool_use":true},"#,
    r#""tools":[{"name":"tool_1696e60650d8809b","#,
    r#""description":"Says the \"weather\".","input_schema":SCHEMA},"#,
    r#"{"name":"now","description":"now","input_schema":SCHEMA}],"#,
    r#""system":[{"type":"text","text":"Be brief."}],"#,
    r#""messages":[{"role":"user","content":[{"type":"text","text":"서울 날씨?"}]},"#,
    r#"{"role":"assistant","content":[{"type":"text","text":"I \"look\".\n"},"#,
    r#"{"type":"tool_use","id":"toolu_a","name":"tool_1696e60650d8809b","input":{"도시":"서울"}},"#,
    r#"{"type":"tool_use","id":"toolu_b","name":"now","input":{}}]},"#,
    r#"{"role":"user","content":["#,
    r#"{"type":"tool_result","tool_use_id":"toolu_a","content":"비, 12°C"},"#,
    r#"{"type":"tool_result","tool_use_id":"toolu_b","content":"no clock","is_error":true}]}]}"#,
);

#[tokio::test]
async fn a_request_byte_for_byte() {
    let now = tools(&["now"]).remove(0);
    let golden = GOLDEN.replace("SCHEMA", now.tool_definition().input_schema());
    let options = ChatOptions::builder()
        .model("small")
        .temperature(0.2)
        .top_p(1.0)
        .max_tokens(64)
        .stop("END")
        .stop("\n")
        .tool_choice(ToolChoice::Tool("날씨_조회".into()))
        .parallel_tool_calls(false)
        .tool_callbacks([weather(), now])
        .unwrap()
        .extra("metadata", json!({"user_id": "u"}))
        .build();
    let prompt = Prompt::new(conversation(), options);
    let canned = events(&[
        r#"{"type":"message_start","message":{}}"#,
        r#"{"type":"message_stop"}"#,
    ]);
    for _ in 0..2 {
        let stream = model(&canned).stream(prompt.clone());
        crate::collect(stream).await.1.unwrap();
        assert_eq!(canned.last_sent(), golden);
    }
}

#[tokio::test]
async fn what_was_sent_before_is_a_prefix_of_what_is_sent_next() {
    let canned = Canned::new(HELLO);
    let model = builder(&canned).cache(AnthropicCache::ALL).build().unwrap();
    let options = Arc::new(with_tools(&["a", "b"]).temperature(0.1).build());
    let mut history = History::from(conversation());
    let prompt = Prompt::new(history.clone(), options.clone());
    model.call(prompt).await.unwrap();
    let before = canned.last_sent();
    for next in [Message::assistant("12°C."), Message::user("And tomorrow?")] {
        history.push(next);
        let prompt = Prompt::new(history.clone(), options.clone());
        model.call(prompt).await.unwrap();
        let kept = before.strip_suffix("]}]}").unwrap();
        assert!(canned.last_sent().starts_with(kept));
    }
}

#[tokio::test]
async fn choices_and_switches_need_tools() {
    for (choice, parallel, expected) in [
        (ToolChoice::Auto, None, Value::Null),
        (ToolChoice::Auto, Some(true), Value::Null),
        (
            ToolChoice::Auto,
            Some(false),
            json!({"type": "auto", "disable_parallel_tool_use": true}),
        ),
        (ToolChoice::None, Some(false), json!({"type": "none"})),
        (ToolChoice::Required, Some(true), json!({"type": "any"})),
        (
            ToolChoice::Required,
            Some(false),
            json!({"type": "any", "disable_parallel_tool_use": true}),
        ),
        (
            ToolChoice::Tool("now".into()),
            None,
            json!({"type": "tool", "name": "now"}),
        ),
    ] {
        let set = |mut options: vernal_core::model::ChatOptionsBuilder| {
            options = options.tool_choice(choice.clone());
            if let Some(allowed) = parallel {
                options = options.parallel_tool_calls(allowed);
            }
            Prompt::new("hi", options.build())
        };
        let with: Value = serde_json::from_str(&sent(set(with_tools(&["now"]))).await).unwrap();
        assert_eq!(with["tool_choice"], expected);
        let without = sent(set(ChatOptions::builder())).await;
        assert_eq!(
            without,
            r#"{"model":"asked","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#
        );
    }
}

#[tokio::test]
async fn only_the_tools_of_a_choice_among_them_are_sent() {
    for (choice, said) in [
        (ToolChoice::allowed(["now"]), Value::Null),
        (ToolChoice::required_of(["now"]), json!({"type": "any"})),
    ] {
        let options = with_tools(&["weather", "now"]).tool_choice(choice).build();
        let request: Value = serde_json::from_str(&sent(Prompt::new("hi", options)).await).unwrap();
        assert_eq!(request["tool_choice"], said);
        assert_eq!(request["tools"].as_array().unwrap().len(), 1);
        assert_eq!(request["tools"][0]["name"], "now");
    }
}

#[tokio::test]
async fn the_most_tokens_are_always_named() {
    let most = |options: vernal_core::model::ChatOptionsBuilder| async {
        let sent = sent(Prompt::new("hi", options.build())).await;
        serde_json::from_str::<Value>(&sent).unwrap()["max_tokens"].as_u64()
    };
    let default = u64::from(DEFAULT_MAX_TOKENS);
    let thinking = json!({"type": "enabled", "budget_tokens": 2000});
    assert_eq!(most(ChatOptions::builder()).await, Some(default));
    assert_eq!(most(ChatOptions::builder().max_tokens(9)).await, Some(9));
    let budget = ChatOptions::builder().extra("thinking", thinking.clone());
    assert_eq!(most(budget.clone()).await, Some(default + 2000));
    assert_eq!(most(budget.max_tokens(3000)).await, Some(3000));
    let canned = Canned::new(HELLO);
    let defaults = ChatOptions::builder().max_tokens(77).build();
    let model = builder(&canned).default_options(defaults).build().unwrap();
    model.call("hi".into()).await.unwrap();
    assert!(canned.last_sent().contains(r#""max_tokens":77"#));
}

#[tokio::test]
async fn extra_fields_take_the_place_of_ours() {
    let options = with_tools(&["now"])
        .temperature(0.5)
        .max_tokens(9)
        .extra("temperature", 1)
        .extra("max_tokens", Value::Null)
        .extra("tools", json!([]))
        .extra("system", "You.")
        .extra("top_k", 5);
    let messages = vec![Message::system("Me."), Message::user("hi")];
    let sent = sent(Prompt::new(messages, options.build())).await;
    assert_eq!(
        sent,
        r#"{"model":"asked","system":"You.","temperature":1,"tools":[],"top_k":5,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#
    );
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
        (ChatOptions::builder().temperature(f64::NAN), "temperature"),
    ] {
        let error = model.call(Prompt::new("hi", options.build())).await;
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains(said), "{error}");
    }
    let nameless = AnthropicChatModel::builder()
        .base_url("http://127.0.0.1:1")
        .transport(Canned::new(HELLO))
        .build()
        .unwrap();
    let error = nameless.call("hi".into()).await.unwrap_err();
    assert!(error.to_string().contains("`model`"), "{error}");
}

#[tokio::test]
async fn the_cache_is_marked_where_it_is_asked_for() {
    let options = Arc::new(with_tools(&["a", "b"]).build());
    let mut messages = conversation();
    messages.insert(1, Message::system("In Korean."));
    let mut hour = AnthropicCache::NONE;
    (hour.system, hour.ttl) = (true, CacheTtl::OneHour);
    let mark = json!({"type": "ephemeral"});
    let long = json!({"type": "ephemeral", "ttl": "1h"});
    let none = Value::Null;
    for (cache, tools, system, conversation) in [
        (AnthropicCache::NONE, &none, &none, &none),
        (AnthropicCache::ALL, &mark, &mark, &mark),
        (hour, &none, &long, &none),
    ] {
        let canned = Canned::new(HELLO);
        let model = builder(&canned).cache(cache).build().unwrap();
        let prompt = Prompt::new(messages.clone(), options.clone());
        model.call(prompt).await.unwrap();
        let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
        assert_eq!(&sent["tools"][1]["cache_control"], tools);
        assert_eq!(&sent["system"][1]["cache_control"], system);
        assert_eq!(&sent["cache_control"], conversation);
        assert_eq!(sent["tools"][0]["cache_control"], none);
        assert_eq!(sent["system"][0]["cache_control"], none);
        assert_eq!(sent["system"][1]["text"], "In Korean.");
    }
}

#[tokio::test]
async fn tools_of_the_provider_stand_after_ours() {
    let search = json!({"type": "web_search_20250305", "name": "web_search"});
    let canned = Canned::new(HELLO);
    let model = builder(&canned)
        .server_tool(search.clone())
        .build()
        .unwrap();
    for options in [ChatOptions::default(), with_tools(&["now"]).build()] {
        let ours = options.tools().len();
        model.call(Prompt::new("hi", options)).await.unwrap();
        let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
        assert_eq!(sent["tools"][ours], search);
        assert_eq!(sent["tools"].as_array().unwrap().len(), ours + 1);
    }
}

#[tokio::test]
async fn fields_of_tools_stand_in_their_definitions() {
    let canned = Canned::new(HELLO);
    let mark = json!({"type": "ephemeral", "ttl": "1h"});
    let marked = builder(&canned)
        .cache(AnthropicCache::ALL)
        .tool_field("날씨_조회", "defer_loading", true)
        .tool_field("now", "strict", true)
        .tool_field("now", "cache_control", mark.clone())
        .build()
        .unwrap();
    let plain = model(&canned);
    let options = ChatOptions::builder()
        .tool_callbacks([weather(), tools(&["now"]).remove(0)])
        .unwrap();
    // One set of tools, and two adapters that write it in their own ways.
    let prompt = Prompt::new("hi", options.build());
    for _ in 0..2 {
        marked.call(prompt.clone()).await.unwrap();
        let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
        assert_eq!(sent["tools"][0]["defer_loading"], true);
        assert_eq!(sent["tools"][0]["strict"], Value::Null);
        assert_eq!(sent["tools"][1]["strict"], true);
        assert_eq!(sent["tools"][1]["cache_control"], mark);
        assert_eq!(canned.last_sent().matches("\"ttl\"").count(), 1);
        assert_eq!(canned.last_sent().matches("cache_control").count(), 2);
        plain.call(prompt.clone()).await.unwrap();
        assert!(!canned.last_sent().contains("strict"));
    }
}
