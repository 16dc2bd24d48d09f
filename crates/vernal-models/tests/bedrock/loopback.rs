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

pub(crate) fn builder(server: &Server) -> BedrockChatModelBuilder {
    let quick = RetryPolicy::default().with_first_wait(Duration::from_millis(5));
    BedrockChatModel::builder()
        .base_url(server.url.trim_end_matches("/v1"))
        .header("x-extra", "extra-canary-987654")
        .model("amazon.nova-lite-v1:0")
        .retry(quick)
}

pub(crate) fn signed(server: &Server) -> BedrockChatModel {
    let credentials = AwsCredentials::new("AKIDcanary0123456789", "secret-canary-0123456789");
    let credentials = credentials.with_session_token("token-canary-0123456789");
    let builder = builder(server).region("us-east-1").credentials(credentials);
    builder.build().unwrap()
}

/// The error that a call ends with; nothing secret may be in it or beneath it.
pub(crate) async fn error_of(model: &BedrockChatModel) -> ModelError {
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

pub(crate) fn refused(status: u16, name: &str, message: &str) -> Vec<Step> {
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
