//! Characters that a server cuts in two, and numbers that are none in JSON.

use vernal_core::model::ChatModel;

use crate::support::canned::Canned;
use crate::{STOP, heard, model, parts};

#[tokio::test]
async fn texts_are_joined_where_they_were_cut() {
    let (told, end) = heard(&[
        &parts(r#"{"text":"a\ud83d","thought":true}"#),
        &parts(r#"{"text":"b\ud83d"}"#),
        &parts(r#"{"text":"\ude00","thought":true}"#),
        &parts(r#"{"text":"\ude00"},{"text":"\ud83d"}"#),
        STOP,
    ])
    .await;
    let view = end.unwrap();
    assert_eq!((&*view.reasoning, &*view.text), ("a😀", "b😀\u{fffd}"));
    assert_eq!((told.reasoning, told.text), (view.reasoning, view.text));
}

#[tokio::test]
async fn numbers_that_are_none_cost_no_answer() {
    let odd = r#"{"candidates":[{"avgLogprobs":NaN,"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f","args":{"n":-Infinity}}}]}}]}"#;
    let (told, end) = heard(&[odd, STOP]).await;
    let view = end.unwrap();
    assert_eq!(told.text, "a");
    assert_eq!(view.calls[0].2, r#"{"n":"-Infinity"}"#);
}

#[tokio::test]
async fn an_answer_has_at_most_4096_candidates() {
    let one = |n: usize| format!(r#"{{"index":{n},"finishReason":"STOP"}}"#);
    let candidates: Vec<_> = (0..4097).map(one).collect();
    let body = format!(r#"{{"candidates":[{}]}}"#, candidates.join(","));
    let model = model(&Canned::new(body));
    let error = model.call("hi".into()).await.unwrap_err();
    assert!(
        error.to_string().contains("more than 4096 candidates"),
        "{error}"
    );
}
