//! Characters that a server cuts in two, and numbers that are none in JSON.

use vernal_core::model::ChatModel;

use crate::model::model;
use crate::support::canned::Canned;
use crate::support::view::view;
use crate::{HELLO, call, streamed};

fn start(index: usize, block: &str) -> String {
    format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
}

fn delta(index: usize, kind: &str, field: &str, text: &str) -> String {
    format!(
        r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"{kind}","{field}":"{text}"}}}}"#
    )
}

#[tokio::test]
async fn blocks_are_joined_where_they_were_cut() {
    let thinking = |text| delta(0, "thinking_delta", "thinking", text);
    let text = |text| delta(1, "text_delta", "text", text);
    let json = |text| delta(2, "input_json_delta", "partial_json", text);
    let summary = |text| delta(3, "compaction_delta", "content", text);
    let (told, view) = streamed(&[
        &start(0, r#"{"type":"thinking","thinking":"","signature":""}"#),
        &thinking(r"a\ud83d"),
        &start(1, r#"{"type":"text","text":"b\ud83d"}"#),
        &thinking(r"\ude00"),
        &text(r"\ude00\ud83d"),
        &start(2, r#"{"type":"tool_use","id":"t","name":"f","input":{}}"#),
        &json(r#"{\"city\":\"\ud83d"#),
        &json(r#"\ude00\"}"#),
        &start(3, r#"{"type":"compaction","content":null}"#),
        &summary(r"c\ud83d"),
        &summary(r"\ude00"),
        r#"{"type":"content_block_stop","index":1}"#,
    ])
    .await;
    assert_eq!((&*view.reasoning, &*view.text), ("a😀", "b😀\u{fffd}"));
    assert_eq!((&*told.reasoning, &*told.text), ("a😀", "b😀\u{fffd}"));
    let arguments = r#"{"city":"\ud83d\ude00"}"#;
    assert_eq!(view.calls, [call("t", "f", arguments)]);
    assert_eq!(told.arguments, [arguments]);
    assert_eq!(
        (&*view.parts[0], &*view.parts[3]),
        (
            r#"reasoning {"type":"thinking","thinking":"a😀","signature":""}"#,
            r#"opaque {"type":"compaction","content":"c😀"}"#
        )
    );
}

#[tokio::test]
async fn numbers_that_are_none_cost_no_answer() {
    let plain = Canned::new(HELLO);
    let odd = Canned::new(HELLO.replace(r#""id""#, r#""x":[NaN,-Infinity],"id""#));
    let answers = [plain, odd].map(|canned| model(&canned));
    let plain = answers[0].call("hi".into()).await.unwrap();
    let odd = answers[1].call("hi".into()).await.unwrap();
    assert_eq!(view(&odd), view(&plain));
    let (_, view) = streamed(&[
        &start(0, r#"{"type":"text","text":"","x":NaN}"#),
        &delta(0, "text_delta", "text", "a"),
    ])
    .await;
    assert_eq!(view.text, "a");
}

#[tokio::test]
async fn a_stream_has_at_most_4096_blocks() {
    let blocks: Vec<_> = (0..4097)
        .map(|n| start(n, r#"{"type":"text","text":"a"}"#))
        .collect();
    let blocks: Vec<_> = blocks.iter().map(String::as_str).collect();
    let canned = crate::whole_stream(&blocks, "end_turn");
    let error = model(&canned).call("hi".into()).await.unwrap_err();
    assert!(
        error.to_string().contains("more than 4096 blocks"),
        "{error}"
    );
}
