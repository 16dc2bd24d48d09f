//! The adapter and a server, over real sockets on this machine.

use std::time::Duration;

use serde_json::json;
use vernal_core::model::{ChatModel, ModelError, ModelErrorKind};
use vernal_models::bedrock::{AwsCredentials, BedrockChatModel, BedrockChatModelBuilder};
use vernal_models::http::RetryPolicy;

use crate::frames::{chunks, event, events, head};
use crate::support::server::{Server, Step, events_end, json as answer, response};
use crate::support::view::{collect, view};
use crate::{HELLO, METADATA, STOP};

fn builder(server: &Server) -> BedrockChatModelBuilder {
    let quick = RetryPolicy::default().with_first_wait(Duration::from_millis(5));
    BedrockChatModel::builder()
        .base_url(server.url.trim_end_matches("/v1"))
        .header("x-extra", "extra-canary-987654")
        .model("amazon.nova-lite-v1:0")
        .retry(quick)
}

fn signed(server: &Server) -> BedrockChatModel {
    let credentials = AwsCredentials::new("AKIDcanary0123456789", "secret-canary-0123456789");
    let credentials = credentials.with_session_token("token-canary-0123456789");
    let builder = builder(server).region("us-east-1").credentials(credentials);
    builder.build().unwrap()
}

/// The error that a call ends with; nothing secret may be in it or beneath it.
async fn error_of(model: &BedrockChatModel) -> ModelError {
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

fn refused(status: u16, name: &str, message: &str) -> Vec<Step> {
    let name = format!("{name}:http://internal.amazon.com/coral/com.amazon.bedrock/");
    let headers = [
        ("x-amzn-errortype", name.as_str()),
        ("x-amzn-requestid", "req-9"),
    ];
    response(status, &headers, json!({ "message": message }).to_string())
}

#[tokio::test]
async fn a_key_is_sent_as_a_bearer_token_and_nothing_is_signed() {
    let hello = response(200, &[("x-amzn-requestid", "req-7")], HELLO);
    let server = Server::start([hello]).await;
    let model = builder(&server)
        .api_key("key-canary-0123456789")
        .credentials(AwsCredentials::new("AKID", "secret"))
        .build()
        .unwrap();
    let answer = model.call("Hi!".into()).await.unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    assert_eq!(answer.metadata.request_id.as_deref(), Some("req-7"));
    let request = &server.requests()[0];
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(
        head.starts_with("POST /model/amazon.nova-lite-v1%3A0/converse HTTP/1.1"),
        "{head}"
    );
    let head = head.to_ascii_lowercase();
    for header in [
        "authorization: bearer key-canary-0123456789",
        "content-type: application/json",
        "x-extra: extra-canary-987654",
        "user-agent: vernal/",
    ] {
        assert!(head.contains(header), "{head}");
    }
    assert!(!head.contains("x-amz-"), "{head}");
    assert_eq!(
        body,
        r#"{"messages":[{"role":"user","content":[{"text":"Hi!"}]}]}"#
    );
}

#[tokio::test]
async fn a_server_that_is_not_aws_may_be_asked_without_credentials() {
    let server = Server::start([answer(200, HELLO), answer(200, HELLO)]).await;
    builder(&server)
        .build()
        .unwrap()
        .call("Hi!".into())
        .await
        .unwrap();
    let own = builder(&server)
        .region("us-east-1")
        .credentials(AwsCredentials::new("AKID", "secret"))
        .header("Authorization", "Own 1");
    own.build().unwrap().call("Hi!".into()).await.unwrap();
    let requests = server.requests();
    assert!(!requests[0].contains("authorization"), "{}", requests[0]);
    assert!(requests[1].contains("authorization: Own 1\r\n") && !requests[1].contains("x-amz-"));
}

#[tokio::test]
async fn a_stream_of_frames_is_read_however_it_is_cut() {
    let stream = events(&[
        ("messageStart", r#"{"role":"assistant"}"#),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"text":"Hel"}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"text":"lo."}}"#,
        ),
        STOP,
        METADATA,
    ]);
    for size in [1, 13, 100, stream.len()] {
        let mut script = vec![head()];
        script.extend(chunks(&stream, size));
        script.push(Step::Stall);
        let server = Server::start([script]).await;
        let (told, end) = collect(signed(&server).stream("Hi!".into())).await;
        assert_eq!(told.events, ["text Hel", "text lo."]);
        let answer = end.unwrap();
        assert_eq!(answer.metadata.request_id.as_deref(), Some("req-7"));
        assert_eq!(view(&answer).usage.unwrap().total_tokens, 5);
        let path = "POST /model/amazon.nova-lite-v1%3A0/converse-stream HTTP/1.1";
        assert!(server.requests()[0].starts_with(path));
    }
}

#[tokio::test]
async fn a_cut_in_the_middle_is_an_error_after_what_came() {
    let text = event(
        "contentBlockDelta",
        r#"{"contentBlockIndex":0,"delta":{"text":"Hel"}}"#,
    );
    let mut script = vec![head()];
    script.extend(chunks(&[text.clone(), text[..20].to_vec()].concat(), 4096));
    script.extend([Step::Wait(Duration::from_millis(20)), Step::Close]);
    let server = Server::start([script]).await;
    let (told, end) = collect(signed(&server).stream("Hi!".into())).await;
    assert_eq!(told.text, "Hel");
    assert!(end.unwrap_err().is_connection());
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn failures_are_told_apart_and_retried_by_status_and_name() {
    use ModelErrorKind as Kind;
    for (status, name, message, kind, requests) in [
        (
            400,
            "ValidationException",
            "messages: x",
            Kind::InvalidRequest,
            1,
        ),
        (
            400,
            "ValidationException",
            "Input is too long for requested model.",
            Kind::ContextLength,
            1,
        ),
        (
            400,
            "ServiceQuotaExceededException",
            "no more",
            Kind::Quota,
            1,
        ),
        (
            400,
            "ThrottlingException",
            "Rate exceeded",
            Kind::RateLimit,
            3,
        ),
        (
            403,
            "AccessDeniedException",
            "no access",
            Kind::Authentication,
            1,
        ),
        (
            403,
            "UnrecognizedClientException",
            "The security token is invalid",
            Kind::Authentication,
            1,
        ),
        (
            403,
            "ExpiredTokenException",
            "expired",
            Kind::Authentication,
            1,
        ),
        (
            404,
            "ResourceNotFoundException",
            "no model",
            Kind::InvalidRequest,
            1,
        ),
        (408, "ModelTimeoutException", "too slow", Kind::Timeout, 3),
        (424, "ModelErrorException", "model broke", Kind::Server, 1),
        (
            429,
            "ThrottlingException",
            "Too many requests",
            Kind::RateLimit,
            3,
        ),
        (429, "ModelNotReadyException", "loading", Kind::Server, 3),
        (500, "InternalServerException", "oops", Kind::Server, 3),
        (503, "ServiceUnavailableException", "busy", Kind::Server, 3),
        (418, "FutureException", "new", Kind::InvalidRequest, 1),
    ] {
        let script = [0; 3].map(|_| refused(status, name, message));
        let server = Server::start(script).await;
        let error = error_of(&signed(&server)).await;
        assert_eq!(error.kind(), kind, "{error}");
        assert_eq!((error.status(), error.code()), (Some(status), Some(name)));
        assert_eq!(error.request_id(), Some("req-9"));
        assert_eq!(error.is_retryable(), requests > 1, "{error}");
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(server.requests().len(), requests, "{error}");
    }
}

#[tokio::test]
async fn names_are_found_in_bodies_too_and_some_failures_have_none() {
    for (status, body, code, kind, said) in [
        (
            400,
            r#"{"__type":"com.amazon.coral.service#ThrottlingException","Message":"slow"}"#,
            Some("ThrottlingException"),
            ModelErrorKind::RateLimit,
            "slow",
        ),
        (
            400,
            r#"{"message":"Input is too long for requested model."}"#,
            None,
            ModelErrorKind::ContextLength,
            "send fewer messages",
        ),
        (
            400,
            r#"{"message":"wrong"}"#,
            None,
            ModelErrorKind::InvalidRequest,
            "wrong",
        ),
        (
            404,
            "<html>no",
            None,
            ModelErrorKind::InvalidRequest,
            "/model",
        ),
        (502, "", None, ModelErrorKind::Server, "nothing more"),
    ] {
        let server = Server::start([0; 3].map(|_| answer(status, body))).await;
        let error = error_of(&signed(&server)).await;
        assert_eq!((error.kind(), error.code()), (kind, code), "{error}");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[tokio::test]
async fn a_busy_server_is_asked_again_with_a_signature_of_its_own() {
    let server = Server::start([
        refused(429, "ThrottlingException", "slow"),
        refused(503, "ServiceUnavailableException", "busy"),
        answer(200, HELLO),
    ])
    .await;
    let answer = signed(&server).call("Hi!".into()).await.unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    assert_eq!(server.requests().len(), 3);
    for request in server.requests() {
        assert!(request.contains("authorization: AWS4-HMAC-SHA256 Credential=AKIDcanary"));
    }
}

#[tokio::test]
async fn a_clock_that_is_wrong_is_told() {
    let skewed = |name: &str, message: &str, date: &str| {
        let body = json!({ "message": message }).to_string();
        response(403, &[("x-amzn-errortype", name), ("date", date)], body)
    };
    let expired = "Signature expired: 20261201T170500Z is now earlier than 20261201T180000Z";
    let early = "Signature not yet current: 20261201T190000Z is still later than 20261201T180000Z";
    for (name, message, date, said) in [
        (
            "InvalidSignatureException",
            expired,
            "Sun, 06 Nov 2067 08:49:37 GMT",
            " s behind the server's",
        ),
        (
            "InvalidSignatureException",
            early,
            "Sun, 06 Nov 1994 08:49:37 GMT",
            " s ahead of the server's",
        ),
        (
            "RequestTimeTooSkewed",
            "too skewed",
            "soon",
            "set the clock of this machine",
        ),
    ] {
        let server = Server::start([skewed(name, message, date)]).await;
        let error = error_of(&signed(&server)).await;
        assert!(error.is_authentication() && !error.is_retryable());
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn what_a_server_repeats_of_the_request_is_not_spread() {
    let message = "The request signature we calculated does not match the signature you provided.\n\n\
                   The Canonical String for this request should have been\n'POST\n/model/m\n\n\
                   host:h\nx-amz-security-token:rotated-token\n'";
    let repeats = "bad: secret-canary-0123456789 token-canary-0123456789 AKIDcanary0123456789 \
                   extra-canary-987654";
    let server = Server::start([
        refused(403, "InvalidSignatureException", message),
        refused(400, "ValidationException", repeats),
        answer(200, &json!({ "message": repeats }).to_string()),
    ])
    .await;
    let model = signed(&server);
    let error = error_of(&model).await.to_string();
    assert!(
        error.contains("does not match") && !error.contains("rotated"),
        "{error}"
    );
    for _ in 0..2 {
        let error = error_of(&model).await.to_string();
        assert!(error.contains("bad: [redacted] [redacted]"), "{error}");
    }
}

#[tokio::test]
async fn credentials_are_asked_for_before_each_request() {
    let server = Server::start([
        refused(503, "ServiceUnavailableException", "busy"),
        answer(200, HELLO),
    ])
    .await;
    let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let model = builder(&server)
        .region("us-east-1")
        .credentials_from(move || {
            let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            AwsCredentials::new(format!("AKID{number}"), "secret")
                .with_session_token(format!("t{number}"))
        })
        .build()
        .unwrap();
    model.call("Hi!".into()).await.unwrap();
    for (number, request) in server.requests().iter().enumerate() {
        assert!(
            request.contains(&format!("Credential=AKID{number}/")),
            "{request}"
        );
        assert!(request.contains(&format!("x-amz-security-token: t{number}\r\n")));
    }
}

#[tokio::test]
async fn what_cannot_be_signed_is_not_sent() {
    let server = Server::start([answer(200, HELLO)]).await;
    let model = builder(&server)
        .region("us-east-1")
        .credentials(AwsCredentials::new("AKID", "secret").with_session_token("canary\ntoken"))
        .build()
        .unwrap();
    let error = error_of(&model).await;
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("cannot be signed"), "{error}");
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_connection_is_used_again_after_a_stream() {
    let stream = events(&[
        ("contentBlockDelta", r#"{"delta":{"text":"Hi."}}"#),
        STOP,
        METADATA,
    ]);
    let script = || {
        let mut script = vec![head()];
        script.extend(chunks(&stream, 4096));
        script.push(events_end());
        script
    };
    let server = Server::start([script(), script()]).await;
    let model = signed(&server);
    for _ in 0..2 {
        collect(model.stream("Hi!".into())).await.1.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!((server.requests().len(), server.connections()), (2, 1));
}
