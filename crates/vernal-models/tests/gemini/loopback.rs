//! The adapter against servers over real sockets on this machine.

use std::time::Duration;

use vernal_core::model::{ChatModel, ModelErrorKind};
use vernal_models::gemini::{GeminiChatModel, GeminiChatModelBuilder};
use vernal_models::http::{HttpLimits, RetryPolicy};

use crate::STOP;
use crate::support::server::{Server, Step, event, events_end, events_head, json};
use crate::support::view::{collect, view};

const KEY: &str = "AIza-canary-0123456789";
const HELLO: &str =
    r#"{"candidates":[{"content":{"parts":[{"text":"Hello."}]},"finishReason":"STOP"}]}"#;

fn builder(server: &Server) -> GeminiChatModelBuilder {
    let quick = RetryPolicy::default().with_first_wait(Duration::from_millis(5));
    GeminiChatModel::builder()
        .base_url(server.url.replace("/v1", "/v1beta"))
        .api_key(KEY)
        .header("x-extra", "1")
        .model("gemini-x")
        .retry(quick)
}

fn check_secrets(error: &vernal_core::model::ModelError) {
    let shown = format!("{error} {error:?} {:?}", error.code());
    assert!(!shown.contains("canary"), "{shown}");
}

#[tokio::test]
async fn the_model_and_the_method_stand_in_the_path_and_the_key_in_a_header() {
    let stream = vec![events_head(), event(HELLO), events_end()];
    let server = Server::start([json(200, HELLO), stream, json(200, HELLO)]).await;
    let model = builder(&server).build().unwrap();
    model.call("hi".into()).await.unwrap();
    collect(model.stream("hi".into())).await.1.unwrap();
    let tuned = builder(&server)
        .model("tunedModels/mine é")
        .build()
        .unwrap();
    tuned.call("hi".into()).await.unwrap();
    let requests = server.requests();
    let paths = [
        "/v1beta/models/gemini-x:generateContent ",
        "/v1beta/models/gemini-x:streamGenerateContent?alt=sse ",
        "/v1beta/tunedModels/mine%20%C3%A9:generateContent ",
    ];
    for (request, path) in requests.iter().zip(paths) {
        assert!(request.starts_with(&format!("POST {path}")), "{request}");
        assert!(
            request.contains(&format!("x-goog-api-key: {KEY}\r\n")),
            "{request}"
        );
        assert!(request.contains("x-extra: 1\r\n") && !request.contains("authorization"));
    }
    assert_eq!((requests.len(), server.connections() >= 1), (3, true));
}

#[tokio::test]
async fn errors_say_what_the_server_said_and_no_key() {
    let reason = r#"{"@type":"t","reason":"API_KEY_INVALID"}"#;
    for (status, code, details, kind) in [
        (
            400,
            "INVALID_ARGUMENT",
            reason,
            ModelErrorKind::Authentication,
        ),
        (400, "INVALID_ARGUMENT", "", ModelErrorKind::InvalidRequest),
        (403, "PERMISSION_DENIED", "", ModelErrorKind::Authentication),
        (404, "NOT_FOUND", "", ModelErrorKind::InvalidRequest),
    ] {
        let body = format!(
            r#"{{"error":{{"code":{status},"message":"Not so: {KEY}","status":"{code}","details":[{details}]}}}}"#
        );
        for body in [format!("[{body}]"), body] {
            let server = Server::start([json(status, &body)]).await;
            let model = builder(&server).build().unwrap();
            let error = model.call("hi".into()).await.unwrap_err();
            check_secrets(&error);
            assert_eq!((error.kind(), error.status()), (kind, Some(status)));
            assert!(error.to_string().contains("Not so: [redacted]"), "{error}");
            assert!(error.to_string().contains(code), "{error}");
            assert_eq!(server.requests().len(), 1);
        }
    }
    let long = "The input token count (9) exceeds the maximum number of tokens allowed (8).";
    let body = format!(r#"{{"error":{{"code":400,"message":"{long}"}}}}"#);
    let server = Server::start([json(400, &body)]).await;
    let error = builder(&server)
        .build()
        .unwrap()
        .call("hi".into())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextLength);
}

#[tokio::test]
async fn the_wait_that_the_body_names_is_kept() {
    let busy = |delay: &str| {
        let details = format!(r#"[{{"@type":"t","retryDelay":"{delay}"}}]"#);
        let body = format!(
            r#"{{"error":{{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":{details}}}}}"#
        );
        json(429, &body)
    };
    let server = Server::start([busy("0.01s"), json(200, HELLO)]).await;
    let answer = builder(&server)
        .build()
        .unwrap()
        .call("hi".into())
        .await
        .unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    // Longer than anybody waits.
    let server = Server::start([busy("3600s")]).await;
    let error = builder(&server)
        .build()
        .unwrap()
        .call("hi".into())
        .await
        .unwrap_err();
    assert!(error.is_rate_limit());
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_break_matters_only_before_the_reason_to_end() {
    let text = r#"{"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}"#;
    let limits = HttpLimits::default().with_idle(Duration::from_millis(80));
    for last in [Step::Close, Step::Stall] {
        let script = vec![events_head(), event(text), last.clone()];
        let server = Server::start([script]).await;
        let model = builder(&server).limits(limits).build().unwrap();
        let (told, end) = collect(model.stream("hi".into())).await;
        let error = end.unwrap_err();
        check_secrets(&error);
        assert!(error.is_connection() || error.is_timeout());
        assert_eq!((&*told.text, server.requests().len()), ("Hel", 1));

        let script = vec![events_head(), event(text), event(STOP), last];
        let server = Server::start([script]).await;
        let model = builder(&server).limits(limits).build().unwrap();
        let (_, end) = collect(model.stream("hi".into())).await;
        assert_eq!(view(&end.unwrap()).text, "Hel");
    }
}
