//! What is sent, and what comes back in good order.

use std::time::{Duration, Instant};

use futures::StreamExt;
use vernal_core::model::{ChatModel, ModelEvent};

use crate::support::server::{Server, Step, event, events_end, events_head, json, response};
use crate::support::view::{collect, view};
use crate::{HELLO, chunk, model, stop};

#[tokio::test]
async fn a_call_sends_what_it_should_and_reads_the_answer() {
    let hello = response(200, &[("x-request-id", "req-7")], HELLO);
    let server = Server::start([hello]).await;
    let answer = model(&server).call("Hi!".into()).await.unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    assert_eq!(answer.usage().total_tokens, 5);
    assert_eq!(answer.metadata.request_id.as_deref(), Some("req-7"));
    let request = &server.requests()[0];
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(
        head.starts_with("post /v1/chat/completions http/1.1"),
        "{head}"
    );
    for header in [
        "authorization: bearer sk-canary-0123456789",
        "content-type: application/json",
        "x-extra: extra-canary-987654",
        "user-agent: vernal/",
    ] {
        assert!(head.contains(header), "{head}");
    }
    assert_eq!(
        body,
        r#"{"model":"m","messages":[{"role":"user","content":"Hi!"}]}"#
    );
}

#[tokio::test]
async fn connections_are_used_again() {
    let stream = |body: &str| {
        response(
            200,
            &[("content-type", "text/event-stream")],
            format!("data: {body}\n\ndata: [DONE]\n\n"),
        )
    };
    let chunked = vec![
        events_head(),
        chunk(r#"{"content":"a"}"#),
        stop(),
        event("[DONE]"),
        events_end(),
    ];
    let delta = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#;
    let script = [json(200, HELLO), stream(delta), chunked, json(200, HELLO)];
    let server = Server::start(script).await;
    let model = model(&server);
    model.call("1".into()).await.unwrap();
    for _ in 0..2 {
        collect(model.stream("2".into())).await.1.unwrap();
        // Whoever reads the end of a body does so a moment after the last event.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    model.clone().call("3".into()).await.unwrap();
    assert_eq!((server.requests().len(), server.connections()), (4, 1));
}

#[tokio::test]
async fn a_stream_is_lazy_and_tells_each_piece_as_it_comes() {
    let slow = Step::Wait(Duration::from_millis(300));
    let script = vec![
        events_head(),
        chunk(r#"{"role":"assistant","content":"Hel"}"#),
        slow,
        chunk(r#"{"content":"lo."}"#),
        stop(),
        event(
            r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}"#,
        ),
        event("[DONE]"),
        events_end(),
    ];
    let server = Server::start([script]).await;
    let mut stream = model(&server).stream("Hi!".into());
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(server.connections(), 0);
    let started = Instant::now();
    let first = stream.next().await.unwrap().unwrap();
    assert!(matches!(first, ModelEvent::TextDelta(text) if &*text == "Hel"));
    assert!(started.elapsed() < Duration::from_millis(250));
    let (told, end) = collect(stream).await;
    assert_eq!(told.events, ["text lo."]);
    assert_eq!(view(&end.unwrap()).text, "Hello.");
    let body = &server.requests()[0];
    assert!(
        body.contains(r#""stream":true,"stream_options":{"include_usage":true}"#),
        "{body}"
    );
}

#[tokio::test]
async fn a_dropped_stream_ends_the_exchange() {
    let script = vec![events_head(), chunk(r#"{"content":"a"}"#), Step::Stall];
    let server = Server::start([script]).await;
    let mut stream = model(&server).stream("Hi!".into());
    stream.next().await.unwrap().unwrap();
    assert_eq!(server.closed_by_peer(), 0);
    drop(stream);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(server.closed_by_peer(), 1);
}

#[tokio::test]
async fn a_dropped_call_ends_the_exchange() {
    let server = Server::start([vec![Step::Stall]]).await;
    let call = model(&server).call("Hi!".into());
    assert!(
        tokio::time::timeout(Duration::from_millis(50), call)
            .await
            .is_err()
    );
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(server.closed_by_peer(), 1);
}
