//! Answers that come piece by piece.

use serde_json::json;
use vernal_core::message::FinishReason;

use crate::pieces::{MESSAGE, REASONING, added, arguments, done, event, function, text};
use crate::{body, call, called, events, stream_of, streamed};

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
async fn reasoning_that_is_said_twice_is_told_once() {
    let summary = |delta: &str| {
        event(
            "reasoning_summary_text.delta",
            0,
            json!({"summary_index": 0, "delta": delta}),
        )
    };
    let open = |delta: &str| {
        event(
            "reasoning_text.delta",
            0,
            json!({"content_index": 0, "delta": delta}),
        )
    };
    let item = json!({"type": "reasoning", "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "In short."}],
        "content": [{"type": "reasoning_text", "text": "At length."}]});
    let between = [
        added(0, json!({"type": "reasoning", "id": "rs_1", "summary": []})),
        summary("In "),
        open("At length."),
        summary("short."),
        done(0, &item.to_string()),
    ];
    let (told, _) = streamed(&between, &format!("[{item}]")).await;
    assert_eq!(told.events, ["reasoning In ", "reasoning short."]);
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
