//! The adapter and a server, over real sockets on this machine.

use std::time::Duration;

use serde_json::{Value, json};
use vernal_core::client::ChatClient;
use vernal_core::model::{ChatModel, ModelError, ModelErrorKind};
use vernal_models::http::RetryPolicy;
use vernal_models::openai::responses::{
    OpenAiResponsesModel, OpenAiResponsesModelBuilder, ResponsesState,
};

use crate::support::server::{
    Server, Step, event, events_end, events_head, json as answer, response,
};
use crate::support::tools;
use crate::support::view::{collect, view};
use crate::{HELLO, body};

const KEY: &str = "sk-canary-0123456789";

fn builder(server: &Server) -> OpenAiResponsesModelBuilder {
    let quick = RetryPolicy::default().with_first_wait(Duration::from_millis(5));
    OpenAiResponsesModel::builder()
        .base_url(server.url.clone())
        .api_key(KEY)
        .header("x-extra", "extra-canary-987654")
        .model("gpt-4o")
        .retry(quick)
}

fn model(server: &Server) -> OpenAiResponsesModel {
    builder(server).build().unwrap()
}

/// The error that a call ends with; nothing secret may be in it or beneath it.
async fn error_of(model: &OpenAiResponsesModel) -> ModelError {
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

fn completed() -> Step {
    event(&format!(
        r#"{{"type":"response.completed","response":{HELLO}}}"#
    ))
}

const DELTA: &str = r#"{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hello."}"#;

#[tokio::test]
async fn a_call_sends_what_it_should_and_reads_the_answer() {
    let hello = response(200, &[("x-request-id", "req_7")], HELLO);
    let server = Server::start([hello]).await;
    let answer = model(&server).call("Hi!".into()).await.unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    assert_eq!(answer.metadata.request_id.as_deref(), Some("req_7"));
    let request = &server.requests()[0];
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("post /v1/responses http/1.1"), "{head}");
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
        r#"{"model":"gpt-4o","store":false,"input":[{"type":"message","role":"user","content":"Hi!"}]}"#
    );
}

#[tokio::test]
async fn a_stream_is_told_as_it_comes_and_ends_before_the_connection_does() {
    let steps = vec![events_head(), event(DELTA), completed(), Step::Stall];
    let server = Server::start([steps]).await;
    let (told, end) = collect(model(&server).stream("Hi!".into())).await;
    assert_eq!(told.events, ["text Hello."]);
    assert_eq!(view(&end.unwrap()).text, "Hello.");
    assert!(server.requests()[0].contains(r#""stream":true"#));
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_an_error_and_is_not_sent_again() {
    let steps = vec![events_head(), event(DELTA), Step::Close];
    let ended = vec![events_head(), event(DELTA), events_end()];
    let server = Server::start([steps, ended]).await;
    for _ in 0..2 {
        let (told, end) = collect(model(&server).stream("Hi!".into())).await;
        assert_eq!(told.text, "Hello.");
        assert!(end.unwrap_err().is_connection());
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn what_may_be_sent_again_is() {
    let busy = response(429, &[("retry-after-ms", "5")], "{}");
    let down = answer(503, r#"{"error":{"message":"down","type":"server_error"}}"#);
    let server = Server::start([busy, down, answer(200, HELLO)]).await;
    let answer = model(&server).call("Hi!".into()).await.unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn errors_are_told_for_what_they_are() {
    use ModelErrorKind as Kind;
    let said = |code: &str, kind: &str| {
        json!({"error": {"message": format!("m {KEY}"), "type": kind, "param": null, "code": code}})
            .to_string()
    };
    for (status, code, kind, expected) in [
        (
            401,
            "invalid_api_key",
            "invalid_request_error",
            Kind::Authentication,
        ),
        (
            400,
            "model_not_found",
            "invalid_request_error",
            Kind::InvalidRequest,
        ),
        (
            400,
            "context_length_exceeded",
            "invalid_request_error",
            Kind::ContextLength,
        ),
        (
            400,
            "content_policy_violation",
            "invalid_request_error",
            Kind::ContentFilter,
        ),
        (429, "insufficient_quota", "insufficient_quota", Kind::Quota),
        (404, "", "invalid_request_error", Kind::InvalidRequest),
    ] {
        let server = Server::start([answer(status, &said(code, kind))]).await;
        let error = error_of(&model(&server)).await;
        assert_eq!(error.kind(), expected, "{error}");
        assert_eq!(error.status(), Some(status));
        assert_eq!(server.requests().len(), 1);
    }
}

/// A call after reasoning, and the answer to its result: what the second request of a turn has.
async fn second_request(state: ResponsesState, stream: bool) -> Value {
    let asks = body(
        r#"[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"},
            {"type":"function_call","id":"fc_1","call_id":"call_a","name":"now","arguments":"{}"}]"#,
        "completed",
    );
    let script = [asks.as_str(), HELLO].map(|whole| {
        let whole: Value = serde_json::from_str(whole).unwrap();
        let end = json!({"type": "response.completed", "response": whole}).to_string();
        match stream {
            true => vec![events_head(), event(&end), events_end()],
            false => answer(200, &whole.to_string()),
        }
    });
    let server = Server::start(script).await;
    let model = builder(&server).state(state).build().unwrap();
    let client = ChatClient::builder(model)
        .default_tools(tools(&["now"]))
        .build()
        .unwrap();
    let request = client.prompt("Time?");
    let content = match stream {
        true => request
            .stream()
            .response()
            .await
            .unwrap()
            .content()
            .to_string(),
        false => request.call().await.unwrap().content().to_string(),
    };
    assert_eq!(content, "Hello.");
    let request = &server.requests()[1];
    let (_, body) = request.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

#[tokio::test]
async fn a_turn_sends_back_what_it_got_or_names_it() {
    for stream in [false, true] {
        let sent = second_request(ResponsesState::Stateless, stream).await;
        let kinds = sent["input"].as_array().unwrap().iter();
        let kinds: Vec<_> = kinds.filter_map(|item| item["type"].as_str()).collect();
        assert_eq!(
            kinds,
            [
                "message",
                "reasoning",
                "function_call",
                "function_call_output"
            ]
        );
        assert_eq!(sent["input"][1]["encrypted_content"], "gAAA");
        assert_eq!(sent["input"][2]["id"], "fc_1");

        let sent = second_request(ResponsesState::PreviousResponse, stream).await;
        assert_eq!(sent["previous_response_id"], "resp_1");
        assert_eq!(
            sent["input"],
            json!([{"type": "function_call_output", "call_id": "call_a", "output": "done"}])
        );
    }
}
