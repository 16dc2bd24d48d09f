//! What servers get wrong, and what is said of it.

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use vernal_core::model::{ChatModel, ModelErrorKind};
use vernal_models::http::{HttpLimits, RetryPolicy};
use vernal_models::openai::OpenAiChatModel;

use crate::support::server::{Server, Step, event, events_end, events_head, json, response};
use crate::support::view::{collect, view};
use crate::{HELLO, KEY, builder, check_secrets, chunk, error_of, model, stop};

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let server = Server::start([]).await;
    let gone = OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .model("m")
        .retry(RetryPolicy::never())
        .build()
        .unwrap();
    let error = error_of(&gone).await;
    assert!(error.is_connection());
    assert!(
        error
            .to_string()
            .starts_with("cannot connect to http://127.0.0.1:1: "),
        "{error}"
    );
    drop(server);
}

#[tokio::test]
async fn a_cut_in_the_middle_is_an_error_after_what_came() {
    let script = vec![
        events_head(),
        chunk(r#"{"content":"Hel"}"#),
        Step::Wait(Duration::from_millis(20)),
        Step::Close,
    ];
    let server = Server::start([script]).await;
    let (told, end) = collect(model(&server).stream("Hi!".into())).await;
    let error = end.unwrap_err();
    check_secrets(&error);
    assert_eq!(told.text, "Hel");
    assert!(error.is_connection(), "{error}");
    assert_eq!(server.requests().len(), 1);
    let half = Step::Write(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{\"choices\":".to_vec());
    let server = Server::start(vec![vec![half, Step::Close]; 3]).await;
    assert!(error_of(&model(&server)).await.is_connection());
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_stream_that_ends_without_a_word_was_cut() {
    let words = r#"{"content":"Hello."}"#;
    let call = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}"#;
    let whole = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#;
    // No finish reason and no [DONE], though the body ended in good order.
    for piece in [words, call, whole] {
        let script = vec![events_head(), chunk(piece), events_end()];
        let server = Server::start([script]).await;
        let (_, end) = collect(model(&server).stream("Hi!".into())).await;
        assert!(end.unwrap_err().is_connection(), "{piece}");
    }
    let server = Server::start(vec![vec![events_head(), events_end()]; 3]).await;
    let (_, end) = collect(model(&server).stream("Hi!".into())).await;
    assert!(end.unwrap_err().is_connection());
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn what_comes_after_the_reason_to_end_cannot_spoil_the_answer() {
    let limits = HttpLimits::default().with_idle(Duration::from_millis(80));
    for last in [Step::Close, Step::Stall] {
        let script = vec![
            events_head(),
            chunk(r#"{"content":"Hello."}"#),
            stop(),
            last,
        ];
        let server = Server::start([script]).await;
        let model = builder(&server).limits(limits).build().unwrap();
        let (_, end) = collect(model.stream("Hi!".into())).await;
        assert_eq!(view(&end.unwrap()).text, "Hello.");
    }
}

#[tokio::test]
async fn silence_runs_into_a_limit() {
    let limits = HttpLimits::default()
        .with_first_byte(Duration::from_millis(80))
        .with_idle(Duration::from_millis(80));
    let server = Server::start([vec![Step::Stall]]).await;
    let model = builder(&server).limits(limits).build().unwrap();
    let error = error_of(&model).await;
    assert!(
        error.is_timeout() && error.to_string().contains("first_byte"),
        "{error}"
    );
    assert_eq!(server.requests().len(), 1);

    let script = vec![events_head(), chunk(r#"{"content":"a"}"#), Step::Stall];
    let server = Server::start([script]).await;
    let model = builder(&server).limits(limits).build().unwrap();
    let (told, end) = collect(model.stream("Hi!".into())).await;
    let error = end.unwrap_err();
    assert_eq!(told.text, "a");
    assert!(
        error.is_timeout() && error.to_string().contains("idle"),
        "{error}"
    );
}

#[tokio::test]
async fn the_whole_call_has_a_limit() {
    let limits = HttpLimits::default().with_total(Duration::from_millis(150));
    let drop = || {
        vec![
            chunk(r#"{"content":"a"}"#),
            Step::Wait(Duration::from_millis(40)),
        ]
    };
    let script = std::iter::once(events_head())
        .chain((0..20).flat_map(|_| drop()))
        .collect();
    let server = Server::start([script]).await;
    let model = builder(&server).limits(limits).build().unwrap();
    let (told, end) = collect(model.stream("Hi!".into())).await;
    let error = end.unwrap_err();
    assert!(
        error.is_timeout() && error.to_string().contains("total"),
        "{error}"
    );
    assert!(!told.text.is_empty() && told.text.len() < 10);
    // A retry that cannot come in time is not waited for.
    let busy = response(429, &[("retry-after", "30")], "{}");
    let server = Server::start([busy]).await;
    let model = builder(&server).limits(limits).build().unwrap();
    assert!(error_of(&model).await.is_rate_limit());
}

#[tokio::test]
async fn answers_that_are_none() {
    for (body, kind, said) in [
        (&b"hello"[..], ModelErrorKind::Response, "no JSON"),
        (b"", ModelErrorKind::Response, "empty"),
        (b"{\"choices\":[", ModelErrorKind::Response, "no JSON"),
        (
            b"{\"detail\":\"Not Found\"}",
            ModelErrorKind::Response,
            "no `choices`",
        ),
        (
            b"{\"choices\":[{\"message\":{\"content\":\"\xff\"}}]}",
            ModelErrorKind::Response,
            "UTF-8",
        ),
        (b"{\"error\":\"boom\"}", ModelErrorKind::Server, "boom"),
        (
            b"{\"object\":\"error\",\"message\":\"boom\"}",
            ModelErrorKind::Server,
            "boom",
        ),
    ] {
        for streamed in [false, true] {
            let server = Server::start(vec![response(200, &[], body); 3]).await;
            let model = model(&server);
            let error = match streamed {
                false => model.call("Hi!".into()).await.unwrap_err(),
                true => collect(model.stream("Hi!".into())).await.1.unwrap_err(),
            };
            check_secrets(&error);
            if streamed && matches!(body, b"" | b"hello") {
                continue; // to a stream they are one that ended early
            }
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains(said), "{error}");
            let sent = if kind == ModelErrorKind::Server { 3 } else { 1 };
            assert_eq!(server.requests().len(), sent);
        }
    }
}

#[tokio::test]
async fn an_answer_without_choices_is_an_error_told_once() {
    let usage = r#""usage":{"prompt_tokens":3,"completion_tokens":0,"total_tokens":3}"#;
    for body in [
        r#"{"choices":[]}"#.to_owned(),
        r#"{"choices":null}"#.to_owned(),
        format!(r#"{{"choices":[],{usage}}}"#),
    ] {
        let whole = || response(200, &[], body.as_bytes());
        let stream = || vec![events_head(), event(&body), event("[DONE]"), events_end()];
        for (script, streamed) in [(whole(), false), (whole(), true), (stream(), true)] {
            let server = Server::start(vec![script; 3]).await;
            let model = model(&server);
            let error = match streamed {
                false => model.call("Hi!".into()).await.unwrap_err(),
                true => collect(model.stream("Hi!".into())).await.1.unwrap_err(),
            };
            assert_eq!(error.kind(), ModelErrorKind::Response, "{error}");
            let said = error.to_string().contains("the answer has no choices");
            assert!(said && !error.is_retryable(), "{error}");
            assert_eq!(server.requests().len(), 1, "{body}");
        }
    }
}

#[tokio::test]
async fn answers_have_a_bound() {
    let large = format!(r#"{{"choices":[],"x":"{}"}}"#, "x".repeat(100_000));
    let limits = HttpLimits::default().with_body(50_000).with_event(1_000);
    let server = Server::start([json(200, &large)]).await;
    let error = error_of(&builder(&server).limits(limits).build().unwrap()).await;
    assert!(error.to_string().contains("`body`"), "{error}");

    let long = chunk(&format!(r#"{{"content":"{}"}}"#, "x".repeat(2_000)));
    let server = Server::start([vec![events_head(), long, events_end()]]).await;
    let model = builder(&server).limits(limits).build().unwrap();
    let (_, end) = collect(model.stream("Hi!".into())).await;
    let error = end.unwrap_err();
    assert!(error.to_string().contains("`event`"), "{error}");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = Server::start([json(200, HELLO)]).await;
    let to = format!("{}/chat/completions?token=canary", elsewhere.url);
    let server = Server::start([response(307, &[("location", &to)], "")]).await;
    let error = error_of(&model(&server)).await;
    assert_eq!(
        (error.kind(), error.status()),
        (ModelErrorKind::Configuration, Some(307))
    );
    let origin = elsewhere.url.trim_end_matches("/v1");
    assert!(error.to_string().contains(origin), "{error}");
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn a_server_that_repeats_the_key_does_not_spread_it() {
    let said = format!(r#"{{"error":{{"message":"Incorrect API key: {KEY}","code":"{KEY}"}}}}"#);
    let server = Server::start([json(401, &said)]).await;
    let error = error_of(&model(&server)).await;
    assert!(
        error.is_authentication() && error.to_string().contains("[redacted]"),
        "{error}"
    );
    let server = Server::start(vec![json(200, &said); 3]).await;
    let error = error_of(&model(&server)).await;
    assert!(error.to_string().contains("[redacted]"), "{error}");
    let html = format!("<html>{KEY}</html>");
    let server = Server::start([response(200, &[], html)]).await;
    error_of(&model(&server)).await;
    let server = Server::start(vec![vec![events_head(), event(&said), events_end()]; 3]).await;
    let (_, end) = collect(model(&server).stream("Hi!".into())).await;
    let error = end.unwrap_err();
    check_secrets(&error);
    assert!(error.to_string().contains("[redacted]"), "{error}");
}

#[tokio::test]
async fn a_server_without_tls_is_not_taken_for_one_with() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .await
            .unwrap();
    });
    let server = Server::start([]).await;
    let built = builder(&server)
        .base_url(url)
        .retry(RetryPolicy::never())
        .build();
    let model = match built {
        Ok(model) => model,
        // A machine without trusted certificates says so when the model is built.
        Err(error) => {
            assert!(error.to_string().contains("ca-certificates"), "{error}");
            return;
        }
    };
    let error = error_of(&model).await;
    assert!(error.is_connection(), "{error}");
}
