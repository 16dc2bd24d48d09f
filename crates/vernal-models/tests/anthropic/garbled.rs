//! Answers that were cut or damaged on their way: an error or less than all, never a panic.

use serde_json::Value;
use vernal_core::model::ChatModel;

use crate::model::model;
use crate::support::canned::Canned;
use crate::{HELLO, collect, view, whole_stream};

const BETWEEN: [&str; 13] = [
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"흠 \"\u00e9"}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}}"#,
    r#"{"type":"content_block_stop","index":0}"#,
    r#"{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{}}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"q\":1}"}}"#,
    r#"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"","citations":[]}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"x":1}}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"서울"}}"#,
    r#"{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}"#,
    r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"x\""}}"#,
    r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":":1}"}}"#,
    r#"{"type":"content_block_stop","index":3}"#,
];

/// Reads an answer both ways. What is told is what is given, and what is given can be sent back.
async fn read(body: impl Into<bytes::Bytes>) -> bool {
    let canned = Canned::new(body);
    let (told, end) = collect(model(&canned).stream("hi".into())).await;
    let called = model(&canned).call("hi".into()).await;
    if canned.body.starts_with(b"event: ") {
        assert_eq!(end.is_ok(), called.is_ok());
    }
    let Ok(response) = end else { return false };
    let seen = view(&response);
    assert_eq!((&told.text, &told.reasoning), (&seen.text, &seen.reasoning));
    assert_eq!(told.arguments.len(), seen.calls.len());
    let again = vec![(*response.generations[0].message).clone()];
    assert!(matches!(crate::turns_of(again).await, Value::Array(_)));
    true
}

#[tokio::test]
async fn a_stream_that_is_cut_anywhere() {
    let whole = whole_stream(&BETWEEN, "tool_use").body;
    let mut complete = 0;
    for end in 0..=whole.len() {
        complete += usize::from(read(whole.slice(..end)).await);
    }
    // Only what comes after the reason to end can be missing.
    let after_reason = r#"event: message_stop data: {"type":"message_stop"}"#.len();
    assert!((1..after_reason + 8).contains(&complete), "{complete}");
}

#[tokio::test]
async fn a_stream_with_pieces_that_were_changed() {
    let whole = whole_stream(&BETWEEN, "tool_use").body;
    // The same numbers in every run.
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    const OTHERS: [&str; 8] = [
        "null",
        "true",
        "-7",
        "1e99",
        "\"x\"",
        "[]",
        "{}",
        "[{\"a\":1}]",
    ];
    let text = std::str::from_utf8(&whole).unwrap();
    let colons: Vec<_> = text.match_indices("\":").map(|(at, _)| at + 2).collect();
    let mut read_whole = 0;
    for round in 0..2000 {
        let mut bytes = whole.to_vec();
        if round % 2 == 0 {
            // The beginning of some value becomes a value of another kind.
            let from = colons[next(colons.len())];
            let simple = |c: char| matches!(c, ',' | '}' | ']' | '{' | '[');
            let length = text[from..].find(simple).unwrap_or(0);
            bytes.splice(from..from + length, OTHERS[next(8)].bytes());
        }
        for _ in 0..next(3) {
            let at = next(bytes.len());
            bytes[at] = b"\"{}[],:\\0 \n\xed"[next(12)];
        }
        read_whole += usize::from(read(bytes).await);
    }
    assert!((100..1900).contains(&read_whole), "{read_whole}");
}

#[tokio::test]
async fn an_answer_that_is_cut_anywhere() {
    for end in 0..HELLO.len() {
        let cut = Canned::new(&HELLO.as_bytes()[..end]);
        model(&cut).call("hi".into()).await.unwrap_err();
    }
}
