//! Answers that come piece by piece.

use serde_json::{Value, json};
use vernal_core::message::FinishReason;
use vernal_core::model::ModelErrorKind;

use crate::support::canned::Canned;
use crate::{body, call, called, events, stream_of, streamed, view, whole_stream};

fn added(index: usize, item: Value) -> String {
    json!({"type": "response.output_item.added", "output_index": index, "item": item}).to_string()
}

/// The item as it is written.
fn done(index: usize, item: &str) -> String {
    format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{item}}}"#)
}

fn event(kind: &str, index: usize, fields: Value) -> String {
    let mut event = json!({"type": format!("response.{kind}"), "output_index": index});
    event
        .as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    event.to_string()
}

fn text(index: usize, delta: &str) -> String {
    event(
        "output_text.delta",
        index,
        json!({"content_index": 0, "delta": delta}),
    )
}

fn arguments(index: usize, delta: &str) -> String {
    event(
        "function_call_arguments.delta",
        index,
        json!({"delta": delta}),
    )
}

fn function(name: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": format!("fc_{name}"), "call_id": format!("call_{name}"),
        "name": name, "arguments": arguments})
}

const REASONING: &str = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Let me see."},{"type":"summary_text","text":"So."}],"encrypted_content":"gAAA"}"#;
const MESSAGE: &str = r#"{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"I look 서울.","annotations":[]}]}"#;

#[tokio::test]
async fn reasoning_text_and_parallel_calls() {
    let calls = [function("sum", r#"{"x": 1}"#), function("now", "{}")].map(|c| c.to_string());
    let summary = |number: usize, delta: &str| {
        event(
            "reasoning_summary_text.delta",
            0,
            json!({"summary_index": number, "delta": delta}),
        )
    };
    let between = [
        added(
            0,
            json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gA"}),
        ),
        event(
            "reasoning_summary_part.added",
            0,
            json!({"summary_index": 0}),
        ),
        summary(0, "Let me "),
        summary(0, "see."),
        event(
            "reasoning_summary_text.done",
            0,
            json!({"summary_index": 0, "text": "Let me see."}),
        ),
        summary(1, "So."),
        done(0, REASONING),
        added(
            1,
            json!({"type": "message", "id": "msg_1", "role": "assistant", "content": []}),
        ),
        event(
            "content_part.added",
            1,
            json!({"part": {"type": "output_text", "text": ""}}),
        ),
        text(1, "I look "),
        text(1, "서울."),
        event(
            "output_text.done",
            1,
            json!({"content_index": 0, "text": "I look 서울."}),
        ),
        done(1, MESSAGE),
        added(2, function("sum", "")),
        added(3, function("now", "")),
        arguments(2, r#"{"x""#),
        arguments(3, "{}"),
        arguments(2, ": 1}"),
        event("brand_new.delta", 2, json!({"delta": "?"})),
        event(
            "function_call_arguments.done",
            2,
            json!({"arguments": r#"{"x": 1}"#}),
        ),
        done(3, &calls[1]),
        done(2, &calls[0]),
    ];
    let output = format!("[{REASONING},{MESSAGE},{},{}]", calls[0], calls[1]);
    let (told, streamed) = streamed(&between, &output).await;
    assert_eq!(
        told.events,
        [
            "reasoning Let me ",
            "reasoning see.",
            "reasoning \n\nSo.",
            "text I look ",
            "text 서울.",
            "call 0 call_sum sum",
            "call 1 call_now now",
            r#"arguments 0 {"x""#,
            "arguments 1 {}",
            "arguments 0 : 1}",
        ]
    );
    // It is what the same answer gives in one piece, whether or not the end repeats it.
    assert_eq!(streamed, called(&output).await);
    let (_, short) = crate::streamed(&between, "[]").await;
    assert_eq!(short, streamed);
}

#[tokio::test]
async fn an_answer_that_comes_whole_at_its_end_is_told_there() {
    let output = format!("[{REASONING},{MESSAGE},{}]", function("sum", "{\"x\":1}"));
    let items = [
        done(0, REASONING),
        done(1, MESSAGE),
        done(2, &function("sum", "{\"x\":1}").to_string()),
    ];
    for between in [&[][..], &items] {
        let (told, streamed) = streamed(between, &output).await;
        assert_eq!(
            told.events,
            [
                "reasoning Let me see.\n\nSo.",
                "text I look 서울.",
                "call 0 call_sum sum",
                "arguments 0 {\"x\":1}",
            ]
        );
        assert_eq!(streamed, called(&output).await);
    }
}

#[tokio::test]
async fn items_that_were_never_ended() {
    let between = [
        added(0, json!({"type": "reasoning", "id": "rs_1", "summary": []})),
        event(
            "reasoning_text.delta",
            0,
            json!({"content_index": 0, "delta": "Hm."}),
        ),
        added(1, json!({"type": "message", "id": "msg_1", "content": []})),
        text(1, "So."),
        event(
            "refusal.delta",
            1,
            json!({"content_index": 1, "delta": "No"}),
        ),
        event(
            "refusal.done",
            1,
            json!({"content_index": 1, "refusal": "No"}),
        ),
        added(2, function("sum", "")),
        arguments(2, "{\"x\":1}"),
        added(3, json!({"type": "web_search_call", "id": "ws_1"})),
    ];
    let (_, view) = streamed(&between, "[]").await;
    assert_eq!((view.text.as_str(), view.refusal.as_str()), ("So.", "No"));
    assert_eq!(view.reasoning, "Hm.");
    assert_eq!(view.calls, [call("call_sum", "sum", "{\"x\":1}")]);
    // What is not whole carries nothing to be sent back.
    assert_eq!(view.parts[..3], ["reasoning", "text", "refusal"]);
    assert!(view.parts[4].starts_with("opaque {"));
}

#[tokio::test]
async fn what_is_said_only_when_it_ends() {
    let between = [
        added(0, json!({"type": "message", "id": "msg_1", "content": []})),
        event(
            "output_text.done",
            0,
            json!({"content_index": 0, "text": "A"}),
        ),
        event(
            "output_text.done",
            0,
            json!({"content_index": 1, "text": "B"}),
        ),
        added(1, function("sum", "")),
        event(
            "function_call_arguments.done",
            1,
            json!({"arguments": "{\"x\":1}"}),
        ),
        // A server that says it twice.
        event(
            "function_call_arguments.done",
            1,
            json!({"arguments": "{\"x\":1}"}),
        ),
    ];
    let (told, view) = streamed(&between, "[]").await;
    assert_eq!(
        told.events,
        [
            "text A",
            "text B",
            "call 0 call_sum sum",
            "arguments 0 {\"x\":1}"
        ]
    );
    assert_eq!(view.calls, [call("call_sum", "sum", "{\"x\":1}")]);
}

#[tokio::test]
async fn the_end_of_an_item_is_the_truth() {
    let whole = function("sum", "{\"x\":2}").to_string();
    let between = [
        added(0, function("sum", "")),
        arguments(0, "{\"x\":1}"),
        event(
            "function_call_arguments.done",
            0,
            json!({"arguments": "{\"x\":2}"}),
        ),
        done(0, &whole),
    ];
    let (told, view) = streamed(&between, &format!("[{whole}]")).await;
    assert_eq!(told.arguments, ["{\"x\":1}"]);
    assert_eq!(view.calls, [call("call_sum", "sum", "{\"x\":2}")]);
}

#[tokio::test]
async fn ids_that_change_and_places_that_do_not() {
    // Every event has another id: the place counts.
    let between = [
        added(0, json!({"type": "message", "id": "a", "content": []})),
        event(
            "output_text.delta",
            0,
            json!({"item_id": "b", "delta": "So"}),
        ),
        event(
            "output_text.delta",
            0,
            json!({"item_id": "c", "delta": "."}),
        ),
        done(
            0,
            r#"{"type":"message","id":"d","content":[{"type":"output_text","text":"So."}]}"#,
        ),
    ];
    let output = r#"[{"type":"message","id":"e","content":[{"type":"output_text","text":"So."}]}]"#;
    let (told, view) = streamed(&between, output).await;
    assert_eq!(told.events, ["text So", "text ."]);
    assert!(
        view.parts.len() == 1 && view.parts[0].contains(r#""id":"d""#),
        "{view:?}"
    );

    // All items have one place: the id counts.
    let delta = |id: &str, delta: &str| {
        event(
            "function_call_arguments.delta",
            0,
            json!({"item_id": id, "delta": delta}),
        )
    };
    let between = [
        added(0, function("a", "")),
        added(0, function("b", "")),
        delta("fc_b", "{\"b\":"),
        delta("fc_a", "{}"),
        delta("fc_b", "1}"),
        done(0, &function("a", "{}").to_string()),
        done(0, &function("b", "{\"b\":1}").to_string()),
    ];
    let (told, view) = streamed(&between, "[]").await;
    assert_eq!(told.arguments, ["{}", "{\"b\":1}"]);
    assert_eq!(
        view.calls,
        [call("call_a", "a", "{}"), call("call_b", "b", "{\"b\":1}")]
    );

    // There are neither.
    let bare = |event: &str| {
        let mut event: Value = serde_json::from_str(event).unwrap();
        event.as_object_mut().unwrap().remove("output_index");
        event.to_string()
    };
    let between = [
        bare(&added(0, function("a", ""))),
        bare(&arguments(0, "{\"a\":1}")),
    ];
    let (_, view) = streamed(&between, "[]").await;
    assert_eq!(view.calls, [call("call_a", "a", "{\"a\":1}")]);
}

#[tokio::test]
async fn items_that_only_the_end_has_stand_in_their_place() {
    let listed = r#"{"type":"mcp_list_tools","id":"mcpl_1","tools":[]}"#;
    let between = [
        added(1, json!({"type": "message", "id": "msg_1", "content": []})),
        text(1, "I look 서울."),
        done(1, MESSAGE),
    ];
    let output = format!("[{listed},{MESSAGE}]");
    let (_, view) = streamed(&between, &output).await;
    assert_eq!(view, called(&output).await);
}

#[tokio::test]
async fn a_custom_tool_is_streamed_as_its_argument() {
    let item = json!({"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_a", "name": "sql",
        "input": "a \"b\"\n"});
    let mut begun = item.clone();
    begun["input"] = "".into();
    let delta = |delta: &str| event("custom_tool_call_input.delta", 0, json!({"delta": delta}));
    let between = [
        added(0, begun),
        delta("a \"b"),
        delta("\"\n"),
        event(
            "custom_tool_call_input.done",
            0,
            json!({"input": "a \"b\"\n"}),
        ),
        done(0, &item.to_string()),
    ];
    let output = format!("[{item}]");
    for between in [&between[..], &between[..3], &between[3..]] {
        let (told, view) = streamed(between, &output).await;
        assert_eq!(told.arguments, [r#"{"input":"a \"b\"\n"}"#]);
        assert_eq!(view, called(&output).await);
    }
    let (_, view) = streamed(&between[..4], "[]").await;
    assert_eq!(
        view.calls,
        [call("call_a", "sql", r#"{"input":"a \"b\"\n"}"#)]
    );
}

#[tokio::test]
async fn answers_that_are_cut_off_or_fail() {
    let said = |error: &str| {
        let whole = body("[]", "failed").replace(r#""error":null"#, &format!(r#""error":{error}"#));
        format!(r#"{{"type":"response.failed","response":{whole}}}"#)
    };
    let begun = added(0, json!({"type": "message", "id": "msg_1", "content": []}));
    for (last, kind, code) in [
        (said(r#"{"code":"server_error","message":"m"}"#), ModelErrorKind::Server, Some("server_error")),
        (said("null"), ModelErrorKind::Server, None),
        (
            r#"{"type":"error","code":"context_length_exceeded","message":"m","param":null}"#.to_owned(),
            ModelErrorKind::ContextLength,
            Some("context_length_exceeded"),
        ),
        (
            r#"{"type":"error","error":{"type":"invalid_request_error","code":null,"message":"m"}}"#.to_owned(),
            ModelErrorKind::InvalidRequest,
            Some("invalid_request_error"),
        ),
        (text(0, "."), ModelErrorKind::Connection, None),
    ] {
        let (told, end) = stream_of(&events(&[begun.clone(), text(0, "So"), last.clone()])).await;
        let error = end.unwrap_err();
        assert!(told.text.starts_with("So"), "{last}");
        assert_eq!(error.kind(), kind, "{last}: {error}");
        if code.is_some() {
            assert_eq!(error.code(), code, "{last}");
        }
    }
    let bare = Canned::events(&[r#"{"error":{"message":"m","code":"rate_limit_exceeded"}}"#]);
    assert_eq!(
        stream_of(&bare).await.1.unwrap_err().kind(),
        ModelErrorKind::RateLimit
    );
    let ping = Canned::events(&["ping", r#"{"type":"response.in_progress"}"#]);
    // The stream ended as it should, with nothing in it.
    assert_eq!(view(&stream_of(&ping).await.1.unwrap()).text, "");
    let nothing = stream_of(&events(&[r#"{"type":"keepalive"}"#.to_owned()]))
        .await
        .1
        .unwrap_err();
    assert!(
        nothing.to_string().contains("before anything had come"),
        "{nothing}"
    );
}

#[tokio::test]
async fn an_answer_that_is_not_complete() {
    let whole = body(&format!("[{MESSAGE}]"), "incomplete").replace(
        r#""error":null"#,
        r#""error":null,"incomplete_details":{"reason":"max_output_tokens"}"#,
    );
    let last = format!(r#"{{"type":"response.incomplete","response":{whole}}}"#);
    let (_, end) = stream_of(&events(&[last])).await;
    assert_eq!(end.unwrap().finish_reason(), Some(&FinishReason::Length));
}

#[tokio::test]
async fn garbled_events_cost_no_more_than_themselves() {
    let between = [
        added(0, json!({"type": "message", "id": "msg_1", "content": []})),
        text(0, "I look 서울."),
        done(0, MESSAGE),
        added(1, function("sum", "")),
        arguments(1, "{}"),
        done(1, &function("sum", "{}").to_string()),
    ];
    for at in 0..between.len() {
        let event: Value = serde_json::from_str(&between[at]).unwrap();
        for name in event.as_object().unwrap().keys() {
            for other in [
                json!(null),
                json!(-1),
                json!("x"),
                json!([1]),
                json!({"x": 1}),
            ] {
                let mut between = between.clone();
                let mut event = event.clone();
                event[name] = other;
                between[at] = event.to_string();
                let canned = Canned::new(
                    whole_stream(&[], "[]")
                        .body
                        .to_vec()
                        .into_iter()
                        .chain(
                            between
                                .iter()
                                .flat_map(|e| format!("data: {e}\n\n").into_bytes()),
                        )
                        .collect::<Vec<u8>>(),
                );
                let _ = stream_of(&canned).await;
                let unnamed: String = between.iter().map(|e| format!("data: {e}\n\n")).collect();
                let _ = stream_of(&Canned::new(unnamed + "data: [DONE]\n\n")).await;
            }
        }
    }
}
