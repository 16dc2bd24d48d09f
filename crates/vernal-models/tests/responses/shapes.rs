//! Answers that came whole, in the shapes that servers give them.

use serde_json::json;
use vernal_core::message::{FinishReason, Message, ToolContent, ToolResponse};
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt, ToolChoice};

use crate::model::{builder, model};
use crate::support::canned::Canned;
use crate::support::tools;
use crate::{HELLO, answer, body, call, called, message_of, sent_by, view};

async fn failed(body: impl Into<bytes::Bytes>) -> vernal_core::model::ModelError {
    model(&Canned::new(body))
        .call("hi".into())
        .await
        .unwrap_err()
}

#[tokio::test]
async fn reasoning_text_and_calls_keep_their_order() {
    let view = called(
        r#"[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"A"},{"type":"summary_text","text":"B"}],"content":[{"type":"reasoning_text","text":"no"}]},
            {"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"I look."}]},
            {"type":"function_call","id":"fc_1","call_id":"call_a","name":"sum","arguments":"{\"x\": 1}","status":"completed"},
            {"type":"function_call","id":"fc_2","call_id":"call_b","name":"now","arguments":""}]"#,
    )
    .await;
    assert_eq!(view.reasoning, "A\n\nB");
    assert_eq!(view.text, "I look.");
    assert_eq!(
        view.calls,
        [
            call("call_a", "sum", r#"{"x": 1}"#),
            call("call_b", "now", "{}")
        ]
    );
    assert_eq!(view.finish, Some(FinishReason::ToolCalls));
    let kinds: Vec<&str> = view
        .parts
        .iter()
        .map(|p| p.split(' ').next().unwrap())
        .collect();
    assert_eq!(kinds, ["reasoning", "text", "call", "call"]);
    assert_eq!(view.parts[2], r#"call {"id":"fc_1"}"#);
    assert_eq!(
        (view.id.as_deref(), view.model.as_deref()),
        (Some("resp_1"), Some("m"))
    );
    assert_eq!(view.usage.unwrap().total_tokens, 5);
}

#[tokio::test]
async fn why_an_answer_ended() {
    let output = r#"[{"type":"message","content":[{"type":"output_text","text":"So"}]}]"#;
    let cut = |reason: &str| {
        let details = format!(r#""incomplete_details":{{"reason":"{reason}"}},"error":null"#);
        body(output, "incomplete").replace(r#""error":null"#, &details)
    };
    for (body, finish) in [
        (body(output, "completed"), Some(FinishReason::Stop)),
        (cut("max_output_tokens"), Some(FinishReason::Length)),
        (cut("content_filter"), Some(FinishReason::ContentFilter)),
        (
            cut("max_tool_calls"),
            Some(FinishReason::Other("max_tool_calls".into())),
        ),
        (
            body(output, "queued"),
            Some(FinishReason::Other("queued".into())),
        ),
        (body(output, ""), None),
    ] {
        let response = model(&Canned::new(body.clone()))
            .call("hi".into())
            .await
            .unwrap();
        assert_eq!(response.finish_reason(), finish.as_ref(), "{body}");
        let details = response.generations[0].metadata.get("incomplete_details");
        assert_eq!(details.is_some(), body.contains("incomplete_details"));
    }
}

#[tokio::test]
async fn a_call_that_was_cut_is_not_made_to_look_whole() {
    let output = r#"[{"type":"function_call","call_id":"call_a","name":"sum","arguments":"{\"x\":","status":"incomplete"}]"#;
    let body = body(output, "incomplete").replace(
        r#""error":null"#,
        r#""error":null,"incomplete_details":{"reason":"max_output_tokens"}"#,
    );
    let view = view(&model(&Canned::new(body)).call("hi".into()).await.unwrap());
    assert_eq!(view.calls, [call("call_a", "sum", r#"{"x":"#)]);
    assert_eq!(view.finish, Some(FinishReason::Length));
}

#[tokio::test]
async fn a_refusal_is_told_apart() {
    let refusal = r#"[{"type":"message","content":[{"type":"refusal","refusal":"I can't."}]}]"#;
    let view = called(refusal).await;
    assert_eq!(
        (view.refusal.as_str(), view.text.as_str()),
        ("I can't.", "")
    );
    assert_eq!(view.finish, Some(FinishReason::Refusal));
}

#[tokio::test]
async fn items_of_the_provider_are_opaque() {
    let view = called(
        r#"[{"type":"web_search_call","id":"ws_1","status":"completed"},
            {"type":"mcp_call","id":"mcp_1","name":"sum","arguments":"{}","output":"2"},
            {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"},
            {"type":"message","id":"msg_1","content":[]},
            {"type":"brand_new","x":[1]}, 5, null, {"no":"type"}]"#,
    )
    .await;
    assert!(
        view.parts.iter().all(|part| part.starts_with("opaque {")),
        "{:?}",
        view.parts
    );
    assert_eq!(view.parts.len(), 5);
    assert_eq!(view.finish, Some(FinishReason::Stop));
}

#[tokio::test]
async fn calls_without_ids_or_with_arguments_as_objects() {
    let view = called(
        r#"[{"type":"function_call","id":"fc_1","name":"a","arguments":{"x":1}},
            {"type":"function_call","name":"b","arguments":null},
            {"type":"function_call","call_id":"fc_1","name":"c","arguments":"\"{}\""},
            {"type":"function_call","call_id":"call_d","arguments":"{}"}]"#,
    )
    .await;
    let ids: Vec<&str> = view.calls.iter().map(|(id, _, _)| id.as_str()).collect();
    assert_eq!(ids[0], "fc_1");
    assert_eq!(
        ids.iter().collect::<std::collections::BTreeSet<_>>().len(),
        3
    );
    let rest: Vec<_> = view
        .calls
        .iter()
        .map(|(_, name, a)| (name.as_str(), a.as_str()))
        .collect();
    assert_eq!(rest, [("a", r#"{"x":1}"#), ("b", "{}"), ("c", "{}")]);
}

#[tokio::test]
async fn a_custom_tool_gets_its_text_as_an_argument() {
    let output = r#"[{"type":"custom_tool_call","id":"ctc_1","call_id":"call_a","name":"sql","input":"SELECT \"x\"\n","status":"completed"}]"#;
    let canned = Canned::new(body(output, "completed"));
    let definition = json!({"type": "custom", "name": "sql", "format": {"type": "text"}});
    let model = builder(&canned)
        .server_tool(definition.clone())
        .build()
        .unwrap();
    let options = ChatOptions::builder()
        .tool_choice(ToolChoice::Tool("sql".into()))
        .tool_callbacks(tools(&["sql", "now"]))
        .unwrap();
    let prompt = Prompt::new("hi", options.build());
    let response = model.call(prompt.clone()).await.unwrap();
    let asked = response.tool_calls().next().unwrap().clone();
    assert_eq!(asked.arguments.as_str(), r#"{"input":"SELECT \"x\"\n"}"#);
    let sent: serde_json::Value = serde_json::from_str(&canned.last_sent()).unwrap();
    assert_eq!(sent["tools"][0]["name"], "now");
    assert_eq!(sent["tools"][1], definition);
    assert_eq!(
        sent["tool_choice"],
        json!({"type": "custom", "name": "sql"})
    );

    // It is answered as what it is.
    let result = ToolResponse::success(&asked, vec![ToolContent::Text("1".into())]);
    let messages = vec![message_of(&response), Message::tool([result])];
    let sent = sent_by(&model, &canned, prompt.with_messages(messages.into())).await;
    assert_eq!(
        sent["input"],
        json!([
            {"type": "custom_tool_call", "call_id": "call_a", "name": "sql",
             "input": "SELECT \"x\"\n", "id": "ctc_1"},
            {"type": "custom_tool_call_output", "call_id": "call_a", "output": "1"},
        ])
    );
}

#[tokio::test]
async fn names_of_tools_are_mapped_and_mapped_back() {
    let output = r#"[{"type":"function_call","call_id":"a","name":"tool_1696e60650d8809b","arguments":"{}"},
                     {"type":"function_call","call_id":"b","name":"unknown","arguments":"{}"}]"#;
    let canned = Canned::new(body(output, "completed"));
    let options = ChatOptions::builder()
        .tool_callbacks(tools(&["날씨_조회"]))
        .unwrap();
    let prompt = Prompt::new("hi", options.build());
    let response = model(&canned).call(prompt).await.unwrap();
    let names: Vec<_> = response
        .tool_calls()
        .map(|call| call.name.to_string())
        .collect();
    assert_eq!(names, ["날씨_조회", "unknown"]);
}

#[tokio::test]
async fn failures_with_a_good_status() {
    let error = r#"{"code":"rate_limit_exceeded","message":"Slow down."}"#;
    let said = body("[]", "failed").replace(r#""error":null"#, &format!(r#""error":{error}"#));
    let limited = failed(said).await;
    assert_eq!(limited.kind(), ModelErrorKind::RateLimit);
    assert!(limited.to_string().ends_with("Slow down."), "{limited}");
    assert_eq!(limited.code(), Some("rate_limit_exceeded"));

    let server = failed(body("[]", "failed")).await;
    assert_eq!(server.kind(), ModelErrorKind::Server);
    let wrong = failed(r#"{"error":{"message":"m","type":"invalid_request_error"}}"#).await;
    assert_eq!(wrong.kind(), ModelErrorKind::InvalidRequest);
    for odd in [
        r#"{"object":"chat.completion","choices":[]}"#,
        r#"{"output":null}"#,
        "[1]",
    ] {
        let error = failed(odd).await;
        assert_eq!(error.kind(), ModelErrorKind::Response, "{odd}");
    }
    let other = failed(r#"{"choices":[]}"#).await.to_string();
    assert!(
        other.contains("`output`") && other.contains("/responses"),
        "{other}"
    );
}

#[tokio::test]
async fn garbled_answers_cost_no_more_than_themselves() {
    let full = body(
        r#"[{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"A"}]},
            {"type":"message","id":"m","content":[{"type":"output_text","text":"B","annotations":[]}]},
            {"type":"function_call","id":"f","call_id":"c","name":"n","arguments":"{}"}]"#,
        "completed",
    );
    // Each value of another kind in turn.
    let value: serde_json::Value = serde_json::from_str(&full).unwrap();
    let mut paths = Vec::new();
    all_paths("", &value, &mut paths);
    for path in paths {
        for other in [
            json!(null),
            json!(1),
            json!("x"),
            json!([1]),
            json!({"x": [2]}),
        ] {
            let mut changed = value.clone();
            *changed.pointer_mut(&path).unwrap() = other;
            let _ = model(&Canned::new(changed.to_string()))
                .call("hi".into())
                .await;
        }
    }
    // Every beginning.
    for end in (0..full.len()).filter(|end| full.is_char_boundary(*end)) {
        let _ = model(&Canned::new(full[..end].to_owned()))
            .call("hi".into())
            .await;
    }
    assert_eq!(view(&answer("[]").await).text, "");
    assert_eq!(
        view(&model(&Canned::new(HELLO)).call("hi".into()).await.unwrap()).text,
        "Hello."
    );
}

fn all_paths(path: &str, value: &serde_json::Value, paths: &mut Vec<String>) {
    paths.push(path.to_owned());
    match value {
        serde_json::Value::Object(members) => {
            members
                .iter()
                .for_each(|(name, v)| all_paths(&format!("{path}/{name}"), v, paths));
        }
        serde_json::Value::Array(list) => {
            let each = list.iter().enumerate();
            each.for_each(|(at, v)| all_paths(&format!("{path}/{at}"), v, paths));
        }
        _ => {}
    }
}
