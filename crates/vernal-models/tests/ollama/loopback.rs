//! The adapter against servers over real sockets on this machine.

use std::time::Duration;

use vernal_core::model::{ChatModel, ModelErrorKind};
use vernal_models::http::{HttpLimits, RetryPolicy};
use vernal_models::ollama::{OllamaChatModel, OllamaChatModelBuilder};

use crate::support::server::{Server, Step, json, response};
use crate::support::view::{collect, view};

const KEY: &str = "sk-canary-0123456789";
const HELLO: &str =
    r#"{"model":"m","message":{"content":"Hello."},"done":true,"done_reason":"stop"}"#;

fn builder(server: &Server) -> OllamaChatModelBuilder {
    let quick = RetryPolicy::default().with_first_wait(Duration::from_millis(5));
    OllamaChatModel::builder()
        .base_url(server.url.trim_end_matches("/v1"))
        .model("m")
        .retry(quick)
}

fn lines_head() -> Step {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\n\r\n";
    Step::Write(head.into())
}

#[tokio::test]
async fn no_key_is_sent_unless_there_is_one() {
    let server = Server::start([json(200, HELLO), json(200, HELLO)]).await;
    builder(&server)
        .build()
        .unwrap()
        .call("hi".into())
        .await
        .unwrap();
    let with_key = builder(&server)
        .api_key(KEY)
        .header("x-extra", "1")
        .build()
        .unwrap();
    with_key.call("hi".into()).await.unwrap();
    let [bare, keyed] = server.requests().try_into().unwrap();
    assert!(bare.starts_with("POST /api/chat HTTP/1.1\r\n"), "{bare}");
    assert!(bare.contains("content-type: application/json") && !bare.contains("authorization"));
    assert!(
        keyed.contains(&format!("authorization: Bearer {KEY}")) && keyed.contains("x-extra: 1")
    );
}

#[tokio::test]
async fn errors_say_what_the_server_said_and_no_key() {
    for (status, body, kind) in [
        (
            404,
            r#"{"error":"model 'm' not found"}"#,
            ModelErrorKind::InvalidRequest,
        ),
        (
            400,
            r#"{"error":"m does not support tools"}"#,
            ModelErrorKind::InvalidRequest,
        ),
        (
            401,
            r#"{"error":"unauthorized"}"#,
            ModelErrorKind::Authentication,
        ),
        (
            400,
            r#"{"error":"the input length exceeds the context length"}"#,
            ModelErrorKind::ContextLength,
        ),
    ] {
        let said: serde_json::Value = serde_json::from_str(body).unwrap();
        let body = body.replace("\"}", &format!(" {KEY}\"}}"));
        let server = Server::start([json(status, &body)]).await;
        let model = builder(&server).api_key(KEY).build().unwrap();
        let error = model.call("hi".into()).await.unwrap_err();
        assert_eq!((error.kind(), error.status()), (kind, Some(status)));
        let shown = format!("{error} {error:?}");
        assert!(shown.contains(said["error"].as_str().unwrap()), "{shown}");
        assert!(!shown.contains("canary"), "{shown}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_busy_server_is_asked_again() {
    let busy = response(503, &[], r#"{"error":"server busy"}"#);
    let server = Server::start([busy, json(200, HELLO)]).await;
    let answer = builder(&server)
        .build()
        .unwrap()
        .call("hi".into())
        .await
        .unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn lines_are_told_as_they_come_and_the_last_one_ends_the_stream() {
    let first = r#"{"message":{"content":"Hel"},"done":false}"#;
    let last = r#"{"message":{"content":"lo."},"done":true,"done_reason":"stop"}"#;
    let line = |text: &str| Step::Write(format!("{text}\n").into_bytes());
    let script = vec![lines_head(), line(first), line(last), Step::Stall];
    let server = Server::start([script]).await;
    let limits = HttpLimits::default().with_idle(Duration::from_secs(5));
    let model = builder(&server).limits(limits).build().unwrap();
    let (told, end) = collect(model.stream("hi".into())).await;
    assert_eq!(told.events, ["text Hel", "text lo."]);
    assert_eq!(view(&end.unwrap()).text, "Hello.");
}

#[tokio::test]
async fn lines_have_a_bound() {
    let long = format!(r#"{{"message":{{"content":"{}"}}}}"#, "a".repeat(2000));
    let server = Server::start([vec![lines_head(), Step::Write(long.into()), Step::Close]]).await;
    let limits = HttpLimits::default().with_event(1000);
    let model = builder(&server).limits(limits).build().unwrap();
    let error = collect(model.stream("hi".into())).await.1.unwrap_err();
    assert!(error.to_string().contains("limit `event`"), "{error}");
}
