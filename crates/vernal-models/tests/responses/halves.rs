//! Characters that a server cuts in two, and numbers that are none in JSON.

use serde_json::json;

use crate::pieces::{added, function};
use crate::{call, streamed};

/// An event with a delta that no tree can hold.
fn delta(kind: &str, index: usize, text: &str) -> String {
    format!(r#"{{"type":"response.{kind}.delta","output_index":{index},"delta":"{text}"}}"#)
}

#[tokio::test]
async fn items_are_joined_where_they_were_cut() {
    let custom = json!({"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": ""});
    let (told, view) = streamed(
        &[
            added(0, json!({"type": "reasoning", "summary": []})),
            delta("reasoning_summary_text", 0, r"a\ud83d"),
            added(1, json!({"type": "message", "content": []})),
            delta("output_text", 1, r"b\ud83d"),
            delta("reasoning_summary_text", 0, r"\ude00"),
            delta("output_text", 1, r"\ude00\ud83d"),
            added(2, function("f", "")),
            delta("function_call_arguments", 2, r#"{\"city\":\"\ud83d"#),
            delta("function_call_arguments", 2, r#"\ude00\"}"#),
            added(3, custom),
            delta("custom_tool_call_input", 3, r"\ud83d"),
            delta("custom_tool_call_input", 3, r"\ude00"),
            r#"{"type":"response.custom_tool_call_input.done","output_index":3,"input":"😀"}"#
                .into(),
        ],
        "[]",
    )
    .await;
    assert_eq!((&*view.reasoning, &*view.text), ("a😀", "b😀\u{fffd}"));
    let (city, input) = (r#"{"city":"\ud83d\ude00"}"#, r#"{"input":"😀"}"#);
    let calls = [call("call_f", "f", city), call("c", "sh", input)];
    assert_eq!(view.calls, calls);
    assert_eq!(told.arguments, [city, input]);
}

#[tokio::test]
async fn numbers_that_are_none_cost_no_answer() {
    let odd =
        r#"{"type":"response.output_text.delta","output_index":0,"delta":"a","logprobs":[NaN]}"#;
    let (told, _) = streamed(&[odd.into()], "[]").await;
    assert_eq!(told.text, "a");
}
