//! Answers that come piece by piece.

use serde_json::json;

use crate::pieces::{MESSAGE, REASONING, added, done, event, function, text};
use crate::{call, called, streamed};

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
