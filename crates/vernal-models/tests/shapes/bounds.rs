//! Answers of more things than anybody asks for.

use vernal_core::model::{ChatModel, ModelError, ModelErrorKind};

use crate::support::canned::Canned;
use crate::support::view::collect;

async fn both(list: &str, field: &str) -> [Result<(), ModelError>; 2] {
    let choices = list.replace("MESSAGE", field);
    let body = format!(r#"{{"choices":[{choices}]}}"#);
    let called = Canned::new(body.clone()).model().call("hi".into()).await;
    let streamed = Canned::events(&[&body]).model();
    let (_, streamed) = collect(streamed.stream("hi".into())).await;
    [called.map(drop), streamed.map(drop)]
}

fn choices(count: usize) -> String {
    let one = |n| format!(r#"{{"index":{n},"MESSAGE":{{"content":"a"}},"finish_reason":"stop"}}"#);
    (0..count).map(one).collect::<Vec<_>>().join(",")
}

fn calls(count: usize) -> String {
    let one =
        |n| format!(r#"{{"index":{n},"id":"c{n}","function":{{"name":"f","arguments":"{{}}"}}}}"#);
    let calls = (0..count).map(one).collect::<Vec<_>>().join(",");
    format!(r#"{{"index":0,"MESSAGE":{{"tool_calls":[{calls}]}},"finish_reason":"stop"}}"#)
}

#[tokio::test]
async fn an_answer_has_at_most_4096_choices_and_calls() {
    for (what, list) in [
        ("choices", choices as fn(usize) -> String),
        ("tool calls", calls),
    ] {
        for field in ["message", "delta"] {
            for end in both(&list(4096), field).await {
                end.unwrap();
            }
            let [one, many] = [4097, 20_000].map(&list);
            let too_many = [both(&one, field).await, both(&many, field).await];
            for end in too_many.into_iter().flatten() {
                let error = end.unwrap_err();
                assert_eq!(error.kind(), ModelErrorKind::Response);
                let text = error.to_string();
                assert!(text.contains(&format!("more than 4096 {what}")), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn blanks_before_an_answer_are_read_up_to_a_bound() {
    let answer = r#"{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}"#;
    let after = |blanks: usize| Canned::new("\n".repeat(blanks) + answer).in_pieces(1000);
    let (told, end) = collect(after(60_000).model().stream("hi".into())).await;
    end.unwrap();
    assert_eq!(told.text, "a");
    let (_, end) = collect(after(100_000).model().stream("hi".into())).await;
    let error = end.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Response);
    assert!(
        error.to_string().contains("65536 bytes of blanks"),
        "{error}"
    );
}
