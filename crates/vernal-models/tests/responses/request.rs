//! The bytes of requests.

use std::sync::Arc;

use serde_json::{Value, json};
use vernal_core::message::{
    History, Message, PartContent, ToolCall, ToolContent, ToolOutcome, ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt, ToolChoice};
use vernal_core::tool::{FunctionToolCallback, ToolCallback};
use vernal_models::openai::OpenAiCache;

use crate::model::{builder, model};
use crate::support::canned::Canned;
use crate::support::tools;
use crate::{HELLO, sent, sent_by};

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
    let call = ToolCall::new("call_a", "날씨_조회", r#"{"도시":"서울"}"#);
    let other = ToolCall::new("call_b", "now", "");
    let mut asks = Message::assistant("I \"look\".\n");
    asks.push(PartContent::ToolCall(call.clone()));
    asks.push(PartContent::ToolCall(other.clone()));
    let rain = ToolResponse::success(&call, vec![ToolContent::Text("비, 12°C".into())]);
    let failed = ToolResponse::error(&other, ToolOutcome::Failed, "no clock");
    vec![
        Message::system("Be \"brief\"."),
        Message::system("Be kind."),
        Message::user("서울 날씨?"),
        asks,
        Message::tool([rain, failed]),
        Message::system("Hurry."),
    ]
}

const GOLDEN: &str = concat!(
    r#"{"model":"small","temperature":0.2,"top_p":1,"max_output_tokens":64,"#,
    r#""prompt_cache_key":"k","reasoning":{"effort":"low"},"#,
    r#""store":false,"include":["reasoning.encrypted_content"],"parallel_tool_calls":false,"#,
    r#""tool_choice":{"type":"function","name":"tool_1696e60650d8809b"},"#,
    r#""tools":[{"type":"function","name":"tool_1696e60650d8809b","#,
    r#""description":"Says the \"weather\".","parameters":SCHEMA,"strict":false},"#,
    r#"{"type":"function","name":"now","description":"now","parameters":SCHEMA,"strict":false}],"#,
    r#""instructions":"Be \"brief\".\n\nBe kind.","#,
    r#""input":[{"type":"message","role":"user","content":"서울 날씨?"},"#,
    r#"{"type":"message","role":"assistant","content":"I \"look\".\n"},"#,
    r#"{"type":"function_call","call_id":"call_a","name":"tool_1696e60650d8809b","#,
    r#""arguments":"{\"도시\":\"서울\"}"},"#,
    r#"{"type":"function_call","call_id":"call_b","name":"now","arguments":"{}"},"#,
    r#"{"type":"function_call_output","call_id":"call_a","output":"비, 12°C"},"#,
    r#"{"type":"function_call_output","call_id":"call_b","output":"no clock"},"#,
    r#"{"type":"message","role":"system","content":"Hurry."}]}"#,
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
        .tool_choice(ToolChoice::Tool("날씨_조회".into()))
        .parallel_tool_calls(false)
        .tool_callbacks([weather(), now])
        .unwrap()
        .extra("reasoning", json!({"effort": "low"}))
        .extra("prompt_cache_key", "k")
        .build();
    let prompt = Prompt::new(conversation(), options);
    let canned = Canned::new(HELLO);
    let model = model(&canned);
    for _ in 0..2 {
        model.call(prompt.clone()).await.unwrap();
        assert_eq!(canned.last_sent(), golden);
    }
    crate::collect(model.stream(prompt)).await.1.unwrap();
    let streamed = golden.replace(
        r#""max_output_tokens":64,"#,
        r#""max_output_tokens":64,"stream":true,"#,
    );
    assert_eq!(canned.last_sent(), streamed);
}

#[tokio::test]
async fn what_was_sent_before_is_a_prefix_of_what_is_sent_next() {
    let canned = Canned::new(HELLO);
    let model = model(&canned);
    let options = Arc::new(with_tools(&["a", "b"]).temperature(0.1).build());
    let mut history = History::from(conversation());
    let prompt = Prompt::new(history.clone(), options.clone());
    model.call(prompt).await.unwrap();
    for next in [Message::assistant("12°C."), Message::user("And tomorrow?")] {
        let before = canned.last_sent();
        history.push(next);
        let prompt = Prompt::new(history.clone(), options.clone());
        model.call(prompt).await.unwrap();
        let kept = before.strip_suffix("]}").unwrap();
        assert!(canned.last_sent().starts_with(kept));
    }
}

#[tokio::test]
async fn choices_and_switches_need_tools() {
    for (choice, parallel, expected) in [
        (ToolChoice::Auto, None, json!([null, null])),
        (ToolChoice::Auto, Some(true), json!([null, true])),
        (ToolChoice::None, Some(false), json!(["none", false])),
        (ToolChoice::Required, None, json!(["required", null])),
        (
            ToolChoice::Tool("a".into()),
            None,
            json!([{"type": "function", "name": "a"}, null]),
        ),
    ] {
        for names in [&["a"][..], &[]] {
            let mut options = with_tools(names).tool_choice(choice.clone());
            if let Some(parallel) = parallel {
                options = options.parallel_tool_calls(parallel);
            }
            let sent = sent(Prompt::new("hi", options.build())).await;
            let found = json!([sent["tool_choice"], sent["parallel_tool_calls"]]);
            let expected = if names.is_empty() {
                json!([null, null])
            } else {
                expected.clone()
            };
            assert_eq!(found, expected);
        }
    }
}

#[tokio::test]
async fn a_subset_of_the_tools_is_allowed_and_all_are_sent() {
    for (names, required, mode) in [
        (&["a"][..], false, "auto"),
        (&["b", "날씨"], true, "required"),
    ] {
        let tools = names.iter().map(|name| (*name).into()).collect();
        let choice = ToolChoice::Allowed { tools, required };
        let options = with_tools(&["a", "b", "날씨"]).tool_choice(choice);
        let sent = sent(Prompt::new("hi", options.build())).await;
        assert_eq!(sent["tool_choice"]["type"], "allowed_tools");
        assert_eq!(sent["tool_choice"]["mode"], mode);
        let listed = sent["tool_choice"]["tools"].as_array().unwrap();
        assert_eq!(listed.len(), names.len());
        // Under the names that the definitions have.
        let all = sent["tools"].as_array().unwrap();
        assert_eq!(all.len(), 3);
        for tool in listed {
            assert!(
                all.iter().any(|known| known["name"] == tool["name"]),
                "{tool}"
            );
        }
    }
    let unknown = with_tools(&["a"]).tool_choice(ToolChoice::allowed(["b"]));
    let prompt = Prompt::new("hi", unknown.build());
    let error = model(&Canned::new(HELLO)).call(prompt).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("`b`"), "{error}");
}

#[tokio::test]
async fn sch_8_strict_tools_are_strict_where_they_can_be() {
    let schema = |text: &str| -> Arc<dyn ToolCallback> {
        let tool = FunctionToolCallback::builder("f", || "done").description(text);
        Arc::new(tool.build().unwrap())
    };
    let canned = Canned::new(HELLO);
    let model = builder(&canned)
        .strict_tools(true)
        .tool_field("g", "strict", false)
        .build()
        .unwrap();
    let options = ChatOptions::builder()
        .tool_callbacks([schema("none"), tools(&["g"]).remove(0)])
        .unwrap()
        .build();
    let first = sent_by(&model, &canned, Prompt::new("hi", options.clone())).await;
    assert_eq!(first["tools"][0]["strict"], true);
    assert_eq!(first["tools"][1]["strict"], false);
    let again = sent_by(&model, &canned, Prompt::new("hi", options)).await;
    assert_eq!(first, again);
}

#[tokio::test]
async fn a_choice_of_the_callers_own_takes_the_place_of_ours() {
    let subset = json!({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "a"}]});
    let options = with_tools(&["a", "b"])
        .tool_choice(ToolChoice::Required)
        .extra("tool_choice", subset.clone());
    let sent = sent(Prompt::new("hi", options.build())).await;
    assert_eq!(sent["tool_choice"], subset);
    assert_eq!(sent["tools"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn strictness_is_said_for_every_tool_and_the_providers_tools_come_last() {
    let canned = Canned::new(HELLO);
    let model = builder(&canned)
        .server_tool(json!({"type": "web_search"}))
        .tool_field("a", "strict", true)
        .tool_field("b", "defer_loading", true)
        .build()
        .unwrap();
    let sent = sent_by(
        &model,
        &canned,
        Prompt::new("hi", with_tools(&["a", "b"]).build()),
    )
    .await;
    let tools = &sent["tools"];
    assert_eq!(
        (&tools[0]["name"], &tools[0]["strict"]),
        (&json!("a"), &json!(true))
    );
    assert_eq!(
        (&tools[1]["strict"], &tools[1]["defer_loading"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(tools[2], json!({"type": "web_search"}));
    let alone = sent_by(&model, &canned, "hi".into()).await;
    assert_eq!(alone["tools"], json!([{"type": "web_search"}]));
}

#[tokio::test]
async fn extra_fields_take_the_place_of_ours() {
    let options = ChatOptions::builder()
        .max_tokens(5)
        .extra("max_output_tokens", 7)
        .extra("include", Value::Null)
        .extra("store", true)
        .extra("metadata", json!({"a": "b"}));
    let sent = sent(Prompt::new("hi", options.build())).await;
    assert_eq!(sent["max_output_tokens"], 7);
    assert_eq!(sent.get("include"), None);
    assert_eq!(sent["store"], true);
    assert_eq!(sent["metadata"], json!({"a": "b"}));
    for name in ["input", "messages", "stream"] {
        let options = ChatOptions::builder().extra(name, "x").build();
        let error = model(&Canned::new(HELLO))
            .call(Prompt::new("hi", options))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[tokio::test]
async fn reasoning_is_asked_for_where_a_model_may_reason() {
    for (model, asked) in [("gpt-5", true), ("gpt-4o", false)] {
        let options = ChatOptions::builder().model(model).build();
        let sent = sent(Prompt::new("hi", options)).await;
        assert_eq!(sent["store"], false);
        assert_eq!(sent.get("include").is_some(), asked, "{model}");
    }
}

#[tokio::test]
async fn instructions_alone_are_asked_as_they_are() {
    let sent = sent(Prompt::new(
        vec![Message::system("Say hi.")],
        ChatOptions::default(),
    ))
    .await;
    assert_eq!(sent.get("instructions"), None);
    assert_eq!(
        sent["input"],
        json!([{"type": "message", "role": "system", "content": "Say hi."}])
    );
}

#[tokio::test]
async fn texts_that_end_an_answer_have_no_word() {
    let canned = Canned::new(HELLO);
    let stop = ChatOptions::builder().stop("END");
    let error = model(&canned)
        .call(Prompt::new("hi", stop.build()))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("`stop`"), "{error}");
    assert!(canned.sent.lock().unwrap().is_empty());
    let own = ChatOptions::builder().stop("END").extra("stop", "END");
    assert_eq!(sent(Prompt::new("hi", own.build())).await["stop"], "END");
}

/// Instructions have no place for a mark, so the texts are the first item.
#[tokio::test]
async fn the_systems_texts_are_marked_where_it_is_asked_for() {
    let canned = Canned::new(HELLO);
    let mut cache = OpenAiCache::ALL;
    cache.conversation = false;
    let model = builder(&canned).cache(cache).build().unwrap();
    let said = ["Be brief.", "Be \"kind\"."].map(Message::system);
    let said: Vec<Message> = said.into_iter().chain([Message::user("hi")]).collect();
    let request = sent_by(&model, &canned, Prompt::new(said, ChatOptions::default())).await;
    let explicit = json!({"mode": "explicit"});
    assert_eq!(request["prompt_cache_options"], explicit);
    assert_eq!(request.get("instructions"), None);
    assert_eq!(
        request["input"],
        json!([
            {"type": "message", "role": "system", "content": [{"type": "input_text",
                "text": "Be brief.\n\nBe \"kind\".", "prompt_cache_breakpoint": explicit}]},
            {"type": "message", "role": "user", "content": "hi"},
        ])
    );
    let request = sent_by(&model, &canned, Prompt::new("hi", ChatOptions::default())).await;
    assert_eq!(request["input"].as_array().unwrap().len(), 1);
}
