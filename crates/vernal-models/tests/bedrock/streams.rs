//! Answers that come in pieces.

use vernal_core::message::{FinishReason, PartContent};
use vernal_core::model::{ChatModel, ModelEvent};

use crate::frames::{event, events};
use crate::model::model;
use crate::support::view::collect;
use crate::{METADATA, STOP, call, called, heard, streamed, streaming};

#[tokio::test]
async fn a_text_comes_piece_by_piece() {
    let (told, view) = streamed(&[
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"text":"Hel"},"p":"abc"}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"text":"lo."},"p":"a"}"#,
        ),
        (
            "contentBlockStop",
            r#"{"contentBlockIndex":0,"p":"abcdef"}"#,
        ),
    ])
    .await;
    assert_eq!(told.events, ["text Hel", "text lo."]);
    assert_eq!(view, called(r#"[{"text":"Hello."}]"#, "end_turn").await);
}

#[tokio::test]
async fn thoughts_are_put_together_as_they_would_have_come_whole() {
    let (told, view) = streamed(&[
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Let \"me"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":" see"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":""}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"c2ln/+=="}}}"#,
        ),
        ("contentBlockStop", r#"{"contentBlockIndex":0}"#),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":1,"delta":{"reasoningContent":{"redactedContent":"AAA="}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":2,"delta":{"reasoningContent":{"signature":"bare"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":3,"delta":{"reasoningContent":{"text":"unsigned"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":4,"delta":{"text":"Yes."}}"#,
        ),
    ])
    .await;
    assert_eq!(told.reasoning, "Let \"me seeunsigned");
    let whole = r#"[{"reasoningContent":{"reasoningText":{"text":"Let \"me see","signature":"c2ln/+=="}}},
        {"reasoningContent":{"redactedContent":"AAA="}},
        {"reasoningContent":{"reasoningText":{"text":"","signature":"bare"}}},
        {"reasoningContent":{"reasoningText":{"text":"unsigned"}}},
        {"text":"Yes."}]"#;
    assert_eq!(view, called(whole, "end_turn").await);
}

#[tokio::test]
async fn citations_and_tools_of_the_server_are_put_together_too() {
    let (told, view) = streamed(&[
        ("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"text":"It is so."}}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"citation":{"title":"t","source":"s"}}}"#),
        ("contentBlockStart", r#"{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"s","name":"nova_grounding","type":"server_tool_use"}}}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"q\""}}}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":":1}"}}}"#),
        ("contentBlockStart", r#"{"contentBlockIndex":2,"start":{"toolResult":{"toolUseId":"s","type":"nova_grounding_result"}}}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":2,"delta":{"toolResult":[{"json":{"a":1}}]}}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":2,"delta":{"toolResult":[{"text":"b"}]}}"#),
    ])
    .await;
    assert_eq!(told.events, ["text It is so."]);
    assert_eq!(
        view.parts,
        [
            r#"text {"citationsContent":{"content":[{"text":"It is so."}],"citations":[{"title":"t","source":"s"}]}}"#,
            r#"opaque {"toolUse":{"toolUseId":"s","name":"nova_grounding","type":"server_tool_use","input":{"q":1}}}"#,
            r#"opaque {"toolResult":{"toolUseId":"s","type":"nova_grounding_result","content":[{"json":{"a":1}},{"text":"b"}]}}"#,
        ]
    );
}

#[tokio::test]
async fn an_image_is_put_together_too() {
    let stream = events(&[
        (
            "contentBlockStart",
            r#"{"contentBlockIndex":0,"start":{"image":{"format":"webp"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"image":{"source":{"bytes":"UklG"}}}}"#,
        ),
        STOP,
        METADATA,
    ]);
    let (_, end) = collect(model(&streaming(stream)).stream("hi".into())).await;
    let answer = end.unwrap();
    let parts = answer.generation().unwrap().message.parts();
    let PartContent::Media(media) = &parts[0].content else {
        panic!("{parts:?}");
    };
    assert_eq!(&*media.mime_type, "image/webp");
}

#[tokio::test]
async fn the_end_is_where_reason_and_usage_are_known() {
    use futures::StreamExt;
    let beginning = events(&[
        ("contentBlockDelta", r#"{"delta":{"text":"x"}}"#),
        STOP,
        METADATA,
    ]);
    // What follows is not waited for, and not read: it is no frame.
    let canned = streaming([beginning, b"rubbish".to_vec()].concat());
    let mut stream = model(&canned.in_pieces(16)).stream("hi".into());
    let mut last = None;
    while let Some(item) = stream.next().await {
        last = Some(item.unwrap());
    }
    assert!(matches!(last, Some(ModelEvent::Completed(_))));
    // The usage may come first, or not at all.
    for end in [vec![METADATA, STOP], vec![STOP]] {
        let counted = end.len() == 2;
        let mut all = vec![("contentBlockDelta", r#"{"delta":{"text":"x"}}"#)];
        all.extend(end);
        let (_, end) = heard(events(&all)).await;
        assert_eq!(end.unwrap().usage.is_some(), counted);
    }
}

#[tokio::test]
async fn a_cut_off_call_keeps_its_arguments_as_they_came() {
    let (_, end) = heard(events(&[
        (
            "contentBlockStart",
            r#"{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"a","name":"f"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{\"x\":"}}}"#,
        ),
        ("messageStop", r#"{"stopReason":"max_tokens"}"#),
        METADATA,
    ]))
    .await;
    let view = end.unwrap();
    assert_eq!(view.calls, [call("a", "f", "{\"x\":")]);
    assert_eq!(view.finish, Some(FinishReason::Length));
}

#[tokio::test]
async fn a_stream_that_ends_early_is_an_error_after_what_came() {
    let text = event(
        "contentBlockDelta",
        r#"{"contentBlockIndex":0,"delta":{"text":"Hel"}}"#,
    );
    let stop = event(STOP.0, STOP.1);
    for (bytes, told_text) in [
        (vec![], ""),
        (event("messageStart", r#"{"role":"assistant"}"#), ""),
        (text.clone(), "Hel"),
        (
            [text.clone(), stop[..stop.len() - 1].to_vec()].concat(),
            "Hel",
        ),
    ] {
        let (told, end) = heard(bytes).await;
        assert_eq!(told.text, told_text);
        assert!(end.unwrap_err().is_connection());
    }
    let again = event("messageStart", r#"{"role":"assistant"}"#);
    let (_, end) = heard([text, again].concat()).await;
    assert!(end.unwrap_err().to_string().contains("another one began"));
}

#[tokio::test]
async fn unknown_events_and_blocks_are_passed_over() {
    let (told, view) = streamed(&[
        ("initial-response", ""),
        ("", "{}"),
        ("news", "no json"),
        (
            "contentBlockStart",
            r#"{"contentBlockIndex":0,"start":{"future":{}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"future":{}}}"#,
        ),
        (
            "contentBlockStart",
            r#"{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"a"}}}"#,
        ),
        (
            "contentBlockStart",
            r#"{"contentBlockIndex":2,"start":null}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":3,"delta":{"text":"x"}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":3,"delta":{"toolUse":{"input":"y"}}}"#,
        ),
    ])
    .await;
    assert_eq!((told.text.as_str(), view.parts.len()), ("x", 1));
}
