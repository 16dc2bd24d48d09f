//! Requests that the service refuses: what the caller is told, and whether it is asked again.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use vernal_core::model::ModelErrorKind;
use vernal_models::bedrock::AwsCredentials;

use crate::loopback::{builder, error_of, refused, signed};
use crate::support::server::{Server, json as answer, response};

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
    let told = || answer(200, &json!({ "message": repeats }).to_string());
    let server = Server::start([
        refused(403, "InvalidSignatureException", message),
        refused(400, "ValidationException", repeats),
        told(),
        told(),
        told(),
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
async fn credentials_that_change_are_not_shown_either() {
    let shown = |number: usize| {
        let said = format!(
            "The security token token-canary-{number} included in the request of AKIDcanary{number} is \
             invalid (secret-canary-{number})"
        );
        refused(403, "UnrecognizedClientException", &said)
    };
    // The second answer speaks of what the first request was signed with.
    let server = Server::start([shown(0), shown(0), shown(2)]).await;
    let asked = AtomicUsize::new(0);
    let model = builder(&server)
        .region("us-east-1")
        .credentials_from(move || {
            let number = asked.fetch_add(1, Ordering::Relaxed);
            AwsCredentials::new(
                format!("AKIDcanary{number}"),
                format!("secret-canary-{number}"),
            )
            .with_session_token(format!("token-canary-{number}"))
        });
    let model = model.build().unwrap();
    for _ in 0..3 {
        let error = error_of(&model).await.to_string();
        assert!(
            error.contains("The security token [redacted] included in the request of [redacted]"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_secret_for_a_name_is_no_name() {
    let named = [("x-amzn-errortype", "AKIDcanary0123456789")];
    let server = Server::start([response(400, &named, r#"{"message":"no"}"#)]).await;
    assert_eq!(error_of(&signed(&server)).await.code(), None);
}
