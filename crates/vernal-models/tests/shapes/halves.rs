//! Characters that a server cuts in two: the halves of a surrogate pair, each written as an escape.

use vernal_core::model::ChatModel;

use crate::support::canned::Canned;
use crate::support::view::{collect, view};
use crate::{call, deltas, heard, message};

#[tokio::test]
async fn texts_are_joined_where_they_were_cut() {
    for (field, told_as) in [
        ("content", "text"),
        ("reasoning", "reasoning"),
        ("reasoning_content", "reasoning"),
    ] {
        let piece = |text: &str| format!(r#"{{"{field}":"{text}"}}"#);
        let (told, view) = deltas(&[
            &piece(r"a\ud83d"),
            &piece(""),
            &piece(r"\ude00b\ud83d"),
            &piece(r"\ude00"),
            &piece(r"\ud83d"),
        ])
        .await;
        let events = ["a", "😀b", "😀", "\u{fffd}"].map(|text| format!("{told_as} {text}"));
        assert_eq!(told.events, events);
        assert_eq!(view.text + &view.reasoning, "a😀b😀\u{fffd}");
    }
}

#[tokio::test]
async fn refusals_and_lists_are_joined_too() {
    let (_, view) = deltas(&[r#"{"refusal":"a\ud83d"}"#, r#"{"refusal":"\ude00"}"#]).await;
    assert_eq!(view.refusal, "a😀");
    let (told, view) = deltas(&[
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"a\ud83d"}]}]}"#,
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"\ude00"}]}]}"#,
        r#"{"content":[{"type":"text","text":"b\ud83d"},{"type":"text","text":"\ude00"}]}"#,
    ])
    .await;
    assert_eq!((&*view.reasoning, &*view.text), ("a😀", "b😀"));
    assert_eq!((told.reasoning, told.text), (view.reasoning, view.text));
}

#[tokio::test]
async fn details_of_reasoning_go_back_whole() {
    let (_, view) = deltas(&[
        r#"{"reasoning_details":[{"type":"reasoning.text","text":"a\ud83d","index":0}]}"#,
        r#"{"reasoning_details":[{"type":"reasoning.text","text":"\ude00","index":0}]}"#,
    ])
    .await;
    assert_eq!(view.reasoning, "a😀");
    assert_eq!(
        view.parts,
        [
            r#"reasoning {"reasoning_details":[{"index":0,"text":"a\ud83d\ude00","type":"reasoning.text"}]}"#
        ]
    );
}

fn arguments(index: usize, text: &str) -> String {
    format!(
        r#"{{"tool_calls":[{{"index":{index},"id":"c{index}","function":{{"name":"f","arguments":"{text}"}}}}]}}"#
    )
}

#[tokio::test]
async fn arguments_of_calls_side_by_side_are_joined() {
    let (told, view) = deltas(&[
        &arguments(0, r#"{\"city\":\"\ud83d"#),
        &arguments(1, r#"{\"city\":\"\ud83c"#),
        &arguments(0, r#"\ude00\"}"#),
        &arguments(1, r#"\udf0d\"}"#),
    ])
    .await;
    let cities: Vec<String> = view
        .calls
        .iter()
        .map(|(_, _, arguments)| {
            serde_json::from_str::<serde_json::Value>(arguments).unwrap()["city"].to_string()
        })
        .collect();
    assert_eq!(cities, ["\"😀\"", "\"🌍\""]);
    let said: Vec<_> = view.calls.iter().map(|(_, _, said)| said.clone()).collect();
    assert_eq!(told.arguments, said);
}

/// Nothing runs on half a character: who reads the arguments says that they are no JSON.
#[tokio::test]
async fn a_half_that_stays_alone_in_arguments_is_no_other_character() {
    let (_, streamed) = deltas(&[&arguments(0, r#"{\"city\":\"\ud83d!\"}"#)]).await;
    let whole = message(
        r#"{"tool_calls":[{"id":"c0","function":{"name":"f","arguments":"{\"city\":\"\ud83d!\"}"}}]}"#,
    )
    .await;
    let expected = [call("c0", "f", r#"{"city":"\ud83d!"}"#)];
    assert_eq!(streamed.calls, expected);
    assert_eq!(whole.calls, expected);
    let error = vernal_core::tool::ToolInput::parse(&expected[0].2).unwrap_err();
    assert!(
        error.to_string().contains("half of a surrogate pair"),
        "{error}"
    );
}

#[tokio::test]
async fn texts_for_custom_tools_are_joined() {
    let piece = |text: &str| {
        format!(
            r#"{{"tool_calls":[{{"index":0,"id":"a","type":"custom","custom":{{"name":"sh","input":"{text}"}}}}]}}"#
        )
    };
    let (told, view) = deltas(&[
        &piece(r"echo \ud83d"),
        &piece(r"\ude00\n"),
        &piece(r"\ud83d"),
    ])
    .await;
    let arguments = "{\"input\":\"echo 😀\\n\u{fffd}\"}";
    assert_eq!(view.calls, [call("a", "sh", arguments)]);
    assert_eq!(told.arguments, [arguments]);
}

#[tokio::test]
async fn numbers_that_are_none_in_json_cost_no_answer() {
    let chunk = r#"{"choices":[{"index":0,"delta":{"content":"a"},"logprobs":{"content":[{"logprob":-Infinity,"top":NaN}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":NaN}}"#;
    let (told, streamed) = heard(Canned::events(&[chunk])).await;
    let whole = Canned::new(chunk.replace("delta", "message"));
    let called = view(&whole.model().call("hi".into()).await.unwrap());
    assert_eq!(told.text, "a");
    assert_eq!(streamed, called);
    assert_eq!(streamed.usage.unwrap().output_tokens, 2);
    // Where such a number is read, it is one to nobody.
    let chunk = r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"name":"f","arguments":{"n":Infinity}}}]},"finish_reason":"stop"}]}"#;
    let (_, streamed) = heard(Canned::events(&[chunk])).await;
    assert_eq!(streamed.calls[0].2, r#"{"n":"Infinity"}"#);
    let (_, end) = collect(
        Canned::events(&[r#"{"choices":NaN"#])
            .model()
            .stream("hi".into()),
    )
    .await;
    assert!(end.unwrap_err().to_string().contains("is no JSON"));
}
