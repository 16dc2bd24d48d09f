//! How an answer ends: with a reason, with a mark of the end, in one piece, or not at all.

use vernal_core::message::FinishReason;
use vernal_core::model::{ChatModel, ModelErrorKind};

use crate::support::canned::Canned;
use crate::support::view::{Told, collect, view};
use crate::{STOP, heard, model, parts};

/// What a stream of these events tells, and the error that ends it.
async fn cut(events: &[&str]) -> (Told, vernal_core::model::ModelError) {
    let frames: String = events.iter().map(|e| format!("data: {e}\n\n")).collect();
    for piece in [1, usize::MAX] {
        let canned = Canned::new(frames.clone()).in_pieces(piece);
        let called = model(&canned).call("hi".into()).await.unwrap_err();
        let (told, end) = collect(model(&canned).stream("hi".into())).await;
        let error = end.unwrap_err();
        assert_eq!(
            (called.kind(), called.to_string()),
            (error.kind(), error.to_string())
        );
        if piece == usize::MAX {
            return (told, error);
        }
    }
    unreachable!()
}

#[tokio::test]
async fn a_stream_without_a_reason_was_cut() {
    let hel = parts(r#"{"text":"Hel"}"#);
    let call = parts(r#"{"functionCall":{"name":"f","args":{"a":1}}}"#);
    let usage = r#"{"usageMetadata":{"promptTokenCount":3}}"#;
    let nameless = r#"{"candidates":[{"finishReason":""}]}"#;
    let other = r#"{"candidates":[{"index":1,"finishReason":"STOP"}]}"#;
    for (events, told) in [
        (&[&*hel][..], &["text Hel"][..]),
        (&[&*hel, usage], &["text Hel"]),
        (&[&*hel, nameless], &["text Hel"]),
        // One of two candidates is complete.
        (&[&*hel, other], &["text Hel"]),
        (&[&*call], &["call 0 - f", r#"arguments 0 {"a":1}"#]),
        (&[usage], &[]),
        (&[r#"{"candidates":[{}]}"#], &[]),
        (&["{}"], &[]),
    ] {
        let (heard, error) = cut(events).await;
        assert_eq!(heard.events, told, "{events:?}");
        assert_eq!(
            error.kind(),
            ModelErrorKind::Connection,
            "{events:?}: {error}"
        );
        assert!(
            error.to_string().contains("before the answer was complete"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn what_says_that_nothing_follows_needs_no_reason() {
    let hel = parts(r#"{"text":"Hel"}"#);
    // A server that is compatible marks the end as others do.
    let events = format!("data: {hel}\n\ndata: [DONE]\n\n");
    let (_, end) = collect(model(&Canned::new(events)).stream("hi".into())).await;
    let marked = view(&end.unwrap());
    // An answer in one piece is all there, or it is no JSON.
    for whole in [hel.clone(), format!("[{hel}]")] {
        let answer = model(&Canned::new(whole)).call("hi".into()).await.unwrap();
        assert_eq!(view(&answer), marked);
    }
    assert_eq!((&*marked.text, marked.finish), ("Hel", None));
}

#[tokio::test]
async fn counts_may_follow_the_reason_and_a_candidate_may_be_empty() {
    let counts = r#"{"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1}}"#;
    let (_, end) = heard(&[&parts(r#"{"text":"Hi."}"#), STOP, counts]).await;
    let view = end.unwrap();
    assert_eq!((&*view.text, view.usage.unwrap().input_tokens), ("Hi.", 3));
    let (told, end) = heard(&[r#"{"candidates":[{"finishReason":"SAFETY"}]}"#]).await;
    assert_eq!(end.unwrap().finish, Some(FinishReason::ContentFilter));
    assert!(told.events.is_empty());
}

#[tokio::test]
async fn a_prompt_that_is_blocked_late_is_no_cut() {
    let blocked = r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#;
    let (told, error) = cut(&[&parts(r#"{"text":"Hel"}"#), blocked]).await;
    assert_eq!(error.kind(), ModelErrorKind::ContentFilter);
    assert_eq!((&*told.text, error.code()), ("Hel", Some("SAFETY")));
}
