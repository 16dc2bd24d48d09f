//! What OpenAI itself and its first followers send.

use vernal_core::message::FinishReason;
use vernal_core::model::ChatModel;

use crate::message;
use crate::support::canned::Canned;
use crate::support::view::{collect, view, view_of};

#[tokio::test]
async fn a_refusal_that_says_nothing_is_none() {
    assert_eq!(
        message(r#"{"content":"a","refusal":""}"#).await.parts,
        ["text"]
    );
}

#[tokio::test]
async fn an_error_after_some_text() {
    for error in [
        "data: {\"error\":{\"message\":\"boom\",\"code\":\"x\",\"status_code\":400}}\n\n",
        "data: {\"error\":\"boom\",\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}\n\n",
        "event: error\ndata: boom\n\n",
    ] {
        let text = "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n";
        let stream = Canned::new(format!("{text}{error}data: [DONE]\n\n"))
            .model()
            .stream("hi".into());
        let (told, end) = collect(stream).await;
        assert_eq!(told.text, "Hel");
        let error = end.unwrap_err();
        assert!(error.to_string().contains("boom"), "{error}");
    }
}

#[tokio::test]
async fn several_choices() {
    let body = r#"{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"},{"index":1,"message":{"content":"b"},"finish_reason":"length"}]}"#;
    let chunks = Canned::events(&[
        r#"{"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}"#,
        r#"{"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
    ]);
    let whole = Canned::new(body).model().call("hi".into()).await.unwrap();
    let (told, end) = collect(chunks.model().stream("hi".into())).await;
    assert_eq!(told.text, "a");
    for response in [whole, end.unwrap()] {
        let views: Vec<_> = response.generations.iter().map(view_of).collect();
        let seen: Vec<_> = views
            .iter()
            .map(|v| (v.text.as_str(), v.finish.clone()))
            .collect();
        assert_eq!(
            seen,
            [
                ("a", Some(FinishReason::Stop)),
                ("b", Some(FinishReason::Length))
            ]
        );
    }
}

#[tokio::test]
async fn a_stream_cut_before_its_usage_is_an_answer_of_unknown_cost() {
    let end = r#"{"choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}"#;
    let usage = r#"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#;
    for (tail, known) in [(String::new(), false), (format!("data: {usage}\n\n"), true)] {
        let canned = Canned {
            content_type: "text/event-stream",
            ..Canned::new(format!("data: {end}\n\n{tail}"))
        };
        let response = collect(canned.model().stream("hi".into())).await.1.unwrap();
        assert_eq!(view(&response).text, "Hi.");
        assert_eq!(response.metadata.usage.is_some(), known, "{tail}");
    }
}
