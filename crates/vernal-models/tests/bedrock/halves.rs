//! Characters that a server cuts in two, and numbers that are none in JSON.

use crate::{call, streamed};

fn delta(index: usize, delta: &str) -> String {
    format!(r#"{{"contentBlockIndex":{index},"delta":{delta},"p":NaN}}"#)
}

#[tokio::test]
async fn blocks_are_joined_where_they_were_cut() {
    let deltas = [
        delta(0, r#"{"reasoningContent":{"text":"a\ud83d"}}"#),
        delta(1, r#"{"text":"b\ud83d"}"#),
        delta(0, r#"{"reasoningContent":{"text":"\ude00"}}"#),
        delta(1, r#"{"text":"\ude00\ud83d"}"#),
        delta(2, r#"{"toolUse":{"input":"{\"city\":\"\ud83d"}}"#),
        delta(2, r#"{"toolUse":{"input":"\ude00\"}"}}"#),
    ];
    let start = r#"{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t","name":"f"}}}"#;
    let mut events = vec![("contentBlockStart", start)];
    events.extend(deltas.iter().map(|delta| ("contentBlockDelta", &**delta)));
    let (told, view) = streamed(&events).await;
    assert_eq!((&*view.reasoning, &*view.text), ("a😀", "b😀\u{fffd}"));
    assert_eq!((&*told.reasoning, &*told.text), ("a😀", "b😀\u{fffd}"));
    let arguments = r#"{"city":"\ud83d\ude00"}"#;
    assert_eq!(view.calls, [call("t", "f", arguments)]);
    assert_eq!(told.arguments, [arguments]);
}
