//! When a call is made again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, stream};
use http::{HeaderMap, HeaderValue, StatusCode};
use vernal_core::model::{ChatModel, ModelErrorKind};
use vernal_models::http::{HttpError, HttpRequest, HttpResponse, HttpTransport, RetryPolicy};
use vernal_models::openai::OpenAiChatModel;

use crate::support::server::{Server, Step, event, events_end, events_head, json, response};
use crate::support::view::collect;
use crate::{HELLO, builder, error_of, model, stop};

#[tokio::test]
async fn a_busy_server_is_asked_again_when_it_says() {
    let busy = response(429, &[("retry-after", "0.12")], "{}");
    let server = Server::start([busy, json(200, HELLO)]).await;
    let started = Instant::now();
    model(&server).call("Hi!".into()).await.unwrap();
    let waited = started.elapsed();
    assert_eq!(server.requests().len(), 2);
    assert!(waited >= Duration::from_millis(120), "{waited:?}");
    assert!(waited < Duration::from_millis(2120), "{waited:?}");
}

#[tokio::test]
async fn a_failure_of_the_server_is_tried_again_and_then_told() {
    let failed = || json(500, r#"{"error":"overloaded"}"#);
    let server = Server::start([failed(), json(200, HELLO)]).await;
    model(&server).call("Hi!".into()).await.unwrap();
    let server = Server::start([failed(), failed(), failed(), json(200, HELLO)]).await;
    let error = error_of(&model(&server)).await;
    assert_eq!(
        (error.kind(), error.status()),
        (ModelErrorKind::Server, Some(500))
    );
    assert!(error.is_retryable() && error.to_string().contains("overloaded"));
    assert_eq!(server.requests().len(), 3);
    // A stream is tried again alike, as long as nothing of it came.
    let server = Server::start([
        failed(),
        vec![events_head(), stop(), event("[DONE]"), events_end()],
    ])
    .await;
    collect(model(&server).stream("Hi!".into()))
        .await
        .1
        .unwrap();
}

#[tokio::test]
async fn what_the_server_says_of_trying_again_holds() {
    let no = response(503, &[("x-should-retry", "false")], "{}");
    let server = Server::start([no, json(200, HELLO)]).await;
    let error = error_of(&model(&server)).await;
    assert!(!error.is_retryable());
    assert_eq!(server.requests().len(), 1);
    let yes = response(400, &[("x-should-retry", "true")], "{}");
    let server = Server::start([yes, json(200, HELLO)]).await;
    model(&server).call("Hi!".into()).await.unwrap();
}

#[tokio::test]
async fn what_can_only_fail_again_is_asked_once() {
    for (body, kind) in [
        (
            r#"{"error":{"message":"m","code":"insufficient_quota"}}"#,
            ModelErrorKind::Quota,
        ),
        (
            r#"{"error":{"message":"m","code":"context_length_exceeded"}}"#,
            ModelErrorKind::ContextLength,
        ),
        (
            r#"{"error":{"message":"m","code":"content_filter"}}"#,
            ModelErrorKind::ContentFilter,
        ),
    ] {
        let server = Server::start([json(429, body), json(200, HELLO)]).await;
        let error = error_of(&model(&server)).await;
        assert_eq!(error.kind(), kind);
        assert!(!error.is_retryable());
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_cut_before_the_answer_is_tried_again() {
    let server = Server::start([vec![Step::Close], json(200, HELLO)]).await;
    model(&server).call("Hi!".into()).await.unwrap();
    let cut = || vec![Step::Close];
    let server = Server::start([cut(), cut(), cut()]).await;
    let error = error_of(&model(&server)).await;
    assert!(error.is_connection() && error.is_retryable(), "{error}");
    assert_eq!(server.requests().len(), 3);
}

/// Answers 429 until the last time; the waits are those of a clock that does not run by itself.
struct Busy {
    left: AtomicUsize,
}

impl HttpTransport for Busy {
    fn send(&self, _: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        let mut headers = HeaderMap::new();
        let (status, body) = match left {
            0 => (StatusCode::OK, HELLO),
            1 => (StatusCode::TOO_MANY_REQUESTS, "{}"),
            _ => {
                headers.insert("retry-after", HeaderValue::from_static("45"));
                (StatusCode::TOO_MANY_REQUESTS, "{}")
            }
        };
        let body = stream::iter([Ok(Bytes::from_static(body.as_bytes()))]).boxed();
        async move { Ok(HttpResponse::new(status, headers, body)) }.boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn waits_are_as_long_as_they_should_be() {
    let model = OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .model("m")
        .transport(Busy {
            left: AtomicUsize::new(2),
        })
        .build()
        .unwrap();
    let started = tokio::time::Instant::now();
    model.call("Hi!".into()).await.unwrap();
    // 45 s as the server asked and up to one more, then the second step of the backoff less up to a
    // quarter.
    let waited = started.elapsed();
    let least = Duration::from_millis(45_750);
    assert!(
        waited >= least && waited <= Duration::from_millis(47_010),
        "{waited:?}"
    );
}

#[tokio::test]
async fn the_calls_of_a_model_share_a_budget_of_retries() {
    let failed = || json(500, r#"{"error":"down"}"#);
    let script = (0..6).map(|_| failed()).chain([json(200, HELLO)]);
    let server = Server::start(script.chain((0..2).map(|_| failed()))).await;
    let policy = RetryPolicy::default()
        .with_first_wait(Duration::from_millis(1))
        .with_budget(3);
    let model = builder(&server).retry(policy).build().unwrap();
    let mut asked = Vec::new();
    for _ in 0..5 {
        let before = server.requests().len();
        let answer = model.clone().call("Hi!".into()).await;
        asked.push((server.requests().len() - before, answer.is_ok()));
    }
    // Two retries, the last one, none; an answer gives one back.
    let expected = [(3, false), (2, false), (1, false), (1, true), (2, false)];
    assert_eq!(asked, expected);
}
