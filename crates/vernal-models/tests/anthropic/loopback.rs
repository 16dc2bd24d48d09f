//! The adapter and a server, over real sockets on this machine.

use std::time::Duration;

use serde_json::json;
use vernal_core::model::{ChatModel, ModelError, ModelErrorKind};
use vernal_models::anthropic::{AnthropicChatModel, AnthropicChatModelBuilder};
use vernal_models::http::RetryPolicy;

use crate::HELLO;
use crate::support::server::{Server, Step, event, events_head, json as answer, response};
use crate::support::view::{collect, view};

const KEY: &str = "sk-ant-canary-0123456789";

fn builder(server: &Server) -> AnthropicChatModelBuilder {
    let quick = RetryPolicy::default().with_first_wait(Duration::from_millis(5));
    AnthropicChatModel::builder()
        .base_url(server.url.clone())
        .api_key(KEY)
        .header("x-extra", "extra-canary-987654")
        .model("m")
        .retry(quick)
}

fn model(server: &Server) -> AnthropicChatModel {
    builder(server).build().unwrap()
}

/// The error that a call ends with; nothing secret may be in it or beneath it.
async fn error_of(model: &AnthropicChatModel) -> ModelError {
    let error = model.call("Hi!".into()).await.unwrap_err();
    let mut shown = format!("{error} {error:?} {:?}", error.code());
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        shown.push_str(&format!("{cause} {cause:?}"));
        source = cause.source();
    }
    assert!(!shown.contains("canary"), "{shown}");
    error
}

fn said(kind: &str, message: &str) -> String {
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_b"})
        .to_string()
}

#[tokio::test]
async fn a_call_sends_what_it_should_and_reads_the_answer() {
    let hello = response(200, &[("request-id", "req_7")], HELLO);
    let server = Server::start([hello]).await;
    let model = builder(&server)
        .beta("context-1m-2025-08-07")
        .beta("skills-2025-10-02")
        .build()
        .unwrap();
    let answer = model.call("Hi!".into()).await.unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    assert_eq!(answer.metadata.request_id.as_deref(), Some("req_7"));
    let request = &server.requests()[0];
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("post /v1/messages http/1.1"), "{head}");
    for header in [
        "x-api-key: sk-ant-canary-0123456789",
        "anthropic-version: 2023-06-01",
        "anthropic-beta: context-1m-2025-08-07,skills-2025-10-02",
        "content-type: application/json",
        "x-extra: extra-canary-987654",
        "user-agent: vernal/",
    ] {
        assert!(head.contains(header), "{head}");
    }
    assert!(!head.contains("authorization"), "{head}");
    assert_eq!(
        body,
        r#"{"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"Hi!"}]}]}"#
    );
}

#[tokio::test]
async fn headers_of_the_application_take_the_place_of_ours() {
    let server = Server::start([answer(200, HELLO)]).await;
    let model = AnthropicChatModel::builder()
        .base_url(server.url.clone())
        .header("authorization", "Bearer token-canary-1")
        .header("anthropic-version", "2030-01-01")
        .model("m")
        .build()
        .unwrap();
    model.call("Hi!".into()).await.unwrap();
    let head = server.requests()[0].to_ascii_lowercase();
    assert!(
        head.contains("authorization: bearer token-canary-1"),
        "{head}"
    );
    assert!(head.contains("anthropic-version: 2030-01-01"), "{head}");
    assert!(
        !head.contains("x-api-key") && !head.contains("2023-06-01"),
        "{head}"
    );
}

#[tokio::test]
async fn a_stream_tells_each_piece_and_ends_with_its_last_event() {
    let script = vec![
        events_head(),
        event(r#"{"type":"message_start","message":{"id":"msg_1","content":[]}}"#),
        event(
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        ),
        event(
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello."}}"#,
        ),
        event(
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#,
        ),
        event(r#"{"type":"message_stop"}"#),
        Step::Stall,
    ];
    let server = Server::start([script]).await;
    let (told, end) = collect(model(&server).stream("Hi!".into())).await;
    assert_eq!(told.events, ["text Hello."]);
    assert_eq!(view(&end.unwrap()).text, "Hello.");
    assert!(server.requests()[0].contains(r#""max_tokens":4096,"stream":true,"messages""#));
}

#[tokio::test]
async fn a_cut_in_the_middle_is_an_error_after_what_came() {
    let script = vec![
        events_head(),
        event(
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}"#,
        ),
        Step::Wait(Duration::from_millis(20)),
        Step::Close,
    ];
    let server = Server::start([script]).await;
    let (told, end) = collect(model(&server).stream("Hi!".into())).await;
    assert_eq!(told.text, "Hel");
    assert!(end.unwrap_err().is_connection());
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn failures_are_told_apart() {
    use ModelErrorKind as Kind;
    for (status, kind, message, expected, requests) in [
        (
            400,
            "invalid_request_error",
            "tools.0: x",
            Kind::InvalidRequest,
            1,
        ),
        (
            400,
            "invalid_request_error",
            "prompt is too long: 9 tokens",
            Kind::ContextLength,
            1,
        ),
        (
            401,
            "authentication_error",
            "invalid x-api-key",
            Kind::Authentication,
            1,
        ),
        (402, "billing_error", "no credit", Kind::Quota, 1),
        (
            403,
            "permission_error",
            "not yours",
            Kind::Authentication,
            1,
        ),
        (404, "not_found_error", "model: m", Kind::InvalidRequest, 1),
        (
            413,
            "request_too_large",
            "too large",
            Kind::InvalidRequest,
            1,
        ),
        (429, "rate_limit_error", "slow down", Kind::RateLimit, 3),
        (500, "api_error", "oops", Kind::Server, 3),
        (504, "timeout_error", "late", Kind::Server, 3),
        (529, "overloaded_error", "Overloaded", Kind::Server, 3),
    ] {
        let failure = || response(status, &[("request-id", "req_9")], said(kind, message));
        let server = Server::start([failure(), failure(), failure()]).await;
        let error = error_of(&model(&server)).await;
        assert_eq!(error.kind(), expected, "{error}");
        assert_eq!((error.status(), error.code()), (Some(status), Some(kind)));
        assert_eq!(error.request_id(), Some("req_9"));
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(server.requests().len(), requests, "{error}");
    }
}

#[tokio::test]
async fn an_overloaded_server_is_asked_again() {
    let busy = || answer(529, &said("overloaded_error", "Overloaded"));
    let wait = response(
        429,
        &[("retry-after", "0.01")],
        said("rate_limit_error", "slow"),
    );
    let server = Server::start([busy(), wait, answer(200, HELLO)]).await;
    let answer = model(&server).call("Hi!".into()).await.unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[0], requests[2]);
}

#[tokio::test]
async fn a_wait_of_more_than_a_minute_is_told_and_not_kept() {
    let wait = response(
        429,
        &[("retry-after", "61")],
        said("rate_limit_error", "slow"),
    );
    let server = Server::start([wait]).await;
    let error = error_of(&model(&server)).await;
    assert!(error.is_rate_limit());
    assert_eq!(error.retry_after(), Some(Duration::from_secs(61)));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_server_that_repeats_the_key_does_not_spread_it() {
    let failure = said("authentication_error", &format!("invalid x-api-key {KEY}"));
    let server = Server::start([answer(401, &failure), answer(200, &failure)]).await;
    for _ in 0..2 {
        let error = error_of(&model(&server)).await;
        assert!(error.is_authentication(), "{error}");
        assert!(error.to_string().contains("[redacted]"), "{error}");
    }
}
