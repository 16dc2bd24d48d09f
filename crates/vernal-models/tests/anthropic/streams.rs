//! Answers that come piece by piece.

use vernal_core::message::FinishReason;
use vernal_core::model::ModelErrorKind;

use crate::{call, events, stream_of, streamed, view, whole_stream};

const TEXT: &str =
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;

fn delta(index: usize, delta: &str) -> String {
    format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)
}

fn start(index: usize, block: &str) -> String {
    format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
}

fn stop(index: usize) -> String {
    format!(r#"{{"type":"content_block_stop","index":{index}}}"#)
}

fn texts(events: &[String]) -> Vec<&str> {
    events.iter().map(String::as_str).collect()
}

fn json(index: usize, piece: &str) -> String {
    let piece = serde_json::to_string(piece).unwrap();
    delta(
        index,
        &format!(r#"{{"type":"input_json_delta","partial_json":{piece}}}"#),
    )
}

#[tokio::test]
async fn blocks_of_the_provider() {
    let between = [
        start(
            1,
            r#"{"type":"server_tool_use","id":"s","name":"web_search","input":{}}"#,
        ),
        json(1, r#"{"query":"#),
        json(1, r#""x"}"#),
        stop(1),
        start(
            2,
            r#"{"type":"web_search_tool_result","tool_use_id":"s","content":[{"b":1}]}"#,
        ),
        stop(2),
        start(3, r#"{"type":"text","text":"","citations":[]}"#),
        delta(3, r#"{"type":"text_delta","text":"So."}"#),
        delta(
            3,
            r#"{"type":"citations_delta","citation":{"type":"char_location"}}"#,
        ),
        stop(3),
        start(4, r#"{"type":"compaction","content":null}"#),
        delta(4, r#"{"type":"compaction_delta","content":"Sum"}"#),
        stop(4),
        start(
            5,
            r#"{"type":"server_tool_use","id":"t","name":"bash","input":{}}"#,
        ),
        json(5, r#"{"cut"#),
    ];
    let (told, view) = streamed(&texts(&between)).await;
    assert_eq!(told.events, ["text So."]);
    assert_eq!(
        view.parts,
        [
            r#"opaque {"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"x"}}"#,
            r#"opaque {"type":"web_search_tool_result","tool_use_id":"s","content":[{"b":1}]}"#,
            r#"text {"type":"text","text":"So.","citations":[{"type":"char_location"}]}"#,
            r#"opaque {"type":"compaction","content":"Sum"}"#,
            r#"opaque {"type":"server_tool_use","id":"t","name":"bash","input":{"_invalid_arguments":"{\"cut"}}"#,
        ]
    );
}

#[tokio::test]
async fn a_thought_that_is_not_shown_keeps_its_signature() {
    let between = [
        start(0, r#"{"type":"thinking","thinking":""}"#),
        delta(0, r#"{"type":"signature_delta","signature":"sig"}"#),
        stop(0),
    ];
    let (told, view) = streamed(&texts(&between)).await;
    assert!(told.events.is_empty());
    assert_eq!(
        view.parts,
        [r#"opaque {"type":"thinking","thinking":"","signature":"sig"}"#]
    );
}

#[tokio::test]
async fn an_input_that_was_cut_stays_as_it_came() {
    let between = [
        start(
            0,
            r#"{"type":"tool_use","id":"a","name":"write","input":{}}"#,
        ),
        json(0, r#"{"path":"a.txt","te"#),
    ];
    let (_, end) = stream_of(&whole_stream(&texts(&between), "max_tokens")).await;
    let view = view(&end.unwrap());
    assert_eq!(view.calls, [call("a", "write", r#"{"path":"a.txt","te"#)]);
    assert_eq!(view.finish, Some(FinishReason::Length));
}

#[tokio::test]
async fn an_input_that_stands_at_the_beginning_is_taken() {
    let between = [
        start(
            0,
            r#"{"type":"tool_use","id":"a","name":"f","input":{"x":1}}"#,
        ),
        stop(0),
        start(
            1,
            r#"{"type":"tool_use","id":"b","name":"f","input":{"x":1}}"#,
        ),
        json(1, r#"{"x":2}"#),
        stop(1),
    ];
    let (told, view) = streamed(&texts(&between)).await;
    assert_eq!(
        view.calls,
        [call("a", "f", r#"{"x":1}"#), call("b", "f", r#"{"x":2}"#)]
    );
    assert_eq!(told.arguments, [r#"{"x":1}"#, r#"{"x":2}"#]);
    assert_eq!(view.finish, Some(FinishReason::ToolCalls));
}

#[tokio::test]
async fn what_is_unknown_is_passed_over() {
    let between = [
        TEXT.to_owned(),
        delta(0, r#"{"type":"text_delta","text":7}"#),
        delta(0, r#"{"type":"text_delta","text":"Hel"}"#),
        delta(0, r#"[]"#),
        delta(0, r#"null"#),
        delta(0, r#"{"type":"input_json_delta","partial_json":"{}"}"#),
        delta(0, r#"{"type":"text_delta","text":"lo."}"#),
        // Pieces of blocks that were never begun.
        delta(7, r#"{"type":"input_json_delta","partial_json":"{}"}"#),
        delta(8, r#"{"type":"text_delta","text":" Bye."}"#),
        stop(9),
    ];
    let (told, view) = streamed(&texts(&between)).await;
    assert_eq!(told.text, "Hello. Bye.");
    assert_eq!(view.text, "Hello. Bye.");
    assert_eq!(view.parts.len(), 2);
}

#[tokio::test]
async fn a_failure_in_the_middle_is_an_error_after_what_came() {
    for (kind, expected, retryable) in [
        ("api_error", ModelErrorKind::Server, true),
        ("rate_limit_error", ModelErrorKind::RateLimit, true),
        ("timeout_error", ModelErrorKind::Timeout, true),
        (
            "invalid_request_error",
            ModelErrorKind::InvalidRequest,
            false,
        ),
        (
            "authentication_error",
            ModelErrorKind::Authentication,
            false,
        ),
        ("billing_error", ModelErrorKind::Quota, false),
    ] {
        let failure = format!(
            r#"{{"type":"error","error":{{"type":"{kind}","message":"It is so."}},"request_id":"req_1"}}"#
        );
        let hello = delta(0, r#"{"type":"text_delta","text":"Hel"}"#);
        let canned = events(&[
            r#"{"type":"message_start","message":{"content":[]}}"#,
            TEXT,
            &hello,
            &failure,
            r#"{"type":"message_stop"}"#,
        ]);
        let (told, end) = stream_of(&canned).await;
        let error = end.unwrap_err();
        assert_eq!(told.text, "Hel");
        assert_eq!((error.kind(), error.code()), (expected, Some(kind)));
        assert_eq!(error.is_retryable(), retryable, "{kind}");
        assert!(
            error.to_string().contains("in the middle of its answer"),
            "{error}"
        );
        assert!(error.to_string().contains("It is so."), "{error}");
    }
}

#[tokio::test]
async fn a_stream_that_ends_too_early_is_no_answer() {
    let hello = delta(0, r#"{"type":"text_delta","text":"Hel"}"#);
    let begun = r#"{"type":"message_start","message":{"id":"m1"}}"#;
    for (sent, said) in [
        (vec![], "is empty"),
        (vec![r#"{"type":"ping"}"#], "before anything had come"),
        (vec![begun, TEXT, &hello], "before the answer was complete"),
        (vec![begun, TEXT, &hello, begun], "another one began"),
    ] {
        // A call finds no body at all; a stream, none that says anything.
        let canned = events(&sent);
        let (_, end) = crate::collect(vernal_core::model::ChatModel::stream(
            &crate::model(&canned),
            "hi".into(),
        ))
        .await;
        let error = end.unwrap_err();
        assert!(error.is_connection(), "{error}");
        if !sent.is_empty() {
            assert!(error.to_string().contains(said), "{error}");
        }
    }
    // Without its last event, an answer whose end was told is whole.
    let ended = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    let (_, end) = stream_of(&events(&[begun, TEXT, &hello, ended])).await;
    assert_eq!(view(&end.unwrap()).text, "Hel");
}
