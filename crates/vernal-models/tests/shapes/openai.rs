//! What OpenAI itself and its first followers send.

use vernal_core::message::FinishReason;
use vernal_core::model::ChatModel;

use crate::support::canned::Canned;
use crate::support::view::{collect, view_of};
use crate::{call, called, calls, deltas, heard, message, streamed};

#[tokio::test]
async fn a_single_call() {
    let (told, view) = streamed(&[
        r#"{"id":"c1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"sum","arguments":""}}]},"finish_reason":null}],"obfuscation":"xx"}"#,
        r#"{"id":"c1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":"}}]}}]}"#,
        r#"{"id":"c1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}"#,
        r#"{"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
    ])
    .await;
    assert_eq!(
        told.events,
        ["call 0 a sum", "arguments 0 {\"x\":", "arguments 0 1}"]
    );
    assert_eq!(view.calls, [call("a", "sum", "{\"x\":1}")]);
    assert_eq!(view.finish, Some(FinishReason::ToolCalls));
    assert_eq!(
        (view.id.as_deref(), view.model.as_deref()),
        (Some("c1"), Some("m"))
    );
}

#[tokio::test]
async fn two_calls_by_turns() {
    let got = calls(&[
        r#"{"index":0,"id":"a","function":{"name":"sum","arguments":""}}"#,
        r#"{"index":1,"id":"b","function":{"name":"max","arguments":""}}"#,
        r#"{"index":0,"function":{"arguments":"{\"x\":1}"}}"#,
        r#"{"index":1,"function":{"arguments":"{\"y\":2}"}}"#,
    ])
    .await;
    assert_eq!(
        got,
        [call("a", "sum", "{\"x\":1}"), call("b", "max", "{\"y\":2}")]
    );
}

#[tokio::test]
async fn empty_choices_first_and_last_and_usage_in_its_own_chunk() {
    let (_, view) = streamed(&[
        r#"{"id":"","model":"","choices":[],"prompt_filter_results":[{}]}"#,
        r#"{"id":"c","model":"m","choices":[{"delta":{"content":"Hi"}}],"usage":null}"#,
        r#"{"id":"d","choices":[{"delta":{},"finish_reason":"stop"}],"usage":null}"#,
        r#"{"id":"e","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}"#,
    ])
    .await;
    assert_eq!((view.id.as_deref(), view.text.as_str()), (Some("c"), "Hi"));
    assert_eq!(view.usage.unwrap().total_tokens, 3);
}

#[tokio::test]
async fn a_refusal() {
    let (told, streamed) = deltas(&[
        r#"{"role":"assistant","content":"","refusal":null}"#,
        r#"{"refusal":"I can"}"#,
        r#"{"refusal":"not."}"#,
    ])
    .await;
    assert!(told.events.is_empty());
    let whole = message(r#"{"role":"assistant","content":null,"refusal":"I cannot."}"#).await;
    for view in [streamed, whole] {
        assert_eq!(
            (view.refusal.as_str(), view.text.as_str()),
            ("I cannot.", "")
        );
        assert_eq!(view.parts, ["refusal"]);
    }
    assert_eq!(
        message(r#"{"content":"a","refusal":""}"#).await.parts,
        ["text"]
    );
}

#[tokio::test]
async fn an_error_after_some_text() {
    for error in [
        "event: error\ndata: {\"error\":{\"message\":\"boom\",\"code\":\"x\",\"status_code\":400}}\n\n",
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
async fn calls_with_the_reason_stop() {
    let body = r#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"sum","arguments":"{}"}}]},"finish_reason":"stop"}]}"#;
    let view = called(body).await;
    assert_eq!(view.calls, [call("a", "sum", "{}")]);
    assert_eq!(view.finish, Some(FinishReason::ToolCalls));
}

#[tokio::test]
async fn a_custom_tool_call_is_known_by_its_type() {
    let custom = r#"{"id":"a","type":"custom","custom":{"name":"sql","input":"SELECT 1"}}"#;
    let both = r#"{"id":"b","type":"function","custom":{"name":"","input":""},"function":{"name":"sum","arguments":"{}"}}"#;
    let view = message(&format!(r#"{{"tool_calls":[{custom},{both}]}}"#)).await;
    let expected = [call("a", "sql", "SELECT 1"), call("b", "sum", "{}")];
    assert_eq!(view.calls, expected);
    assert_eq!(calls(&[custom, both]).await, expected);
}

#[tokio::test]
async fn a_filter_chunk_without_a_delta() {
    let (_, view) = streamed(&[
        r#"{"choices":[{"index":0,"delta":{"content":"Hi"}}]}"#,
        r#"{"id":"","model":"","choices":[{"index":0,"finish_reason":null,"content_filter_results":{},"content_filter_offsets":{}}]}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}"#,
    ])
    .await;
    assert_eq!(
        (view.text.as_str(), view.finish),
        ("Hi", Some(FinishReason::ContentFilter))
    );
}

#[tokio::test]
async fn other_line_ends_comments_and_no_space() {
    let body = "\u{feff}: OPENROUTER PROCESSING\r\n\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\r\n\r\n: ping\r\n\r\ndata: {\"choices\":\r\ndata: [{\"delta\":{\"content\":\"!\"}}]}\r\n\r\ndata:[DONE]\r\n\r\n";
    for piece in [1, 3, usize::MAX] {
        let (_, view) = heard(Canned::new(body).in_pieces(piece)).await;
        assert_eq!(view.text, "Hi!");
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
    let none = Canned::new(r#"{"choices":[],"usage":{"prompt_tokens":1}}"#).model();
    let none = none.call("hi".into()).await.unwrap();
    assert!(none.generations.is_empty() && none.usage().input_tokens == 1);
}
