//! Failures that are told in an answer whose status is good, and answers that break off: they are tried
//! again as long as nothing was handed on.

use std::time::Duration;

use vernal_core::model::{ChatModel, ModelErrorKind};
use vernal_models::http::HttpLimits;

use crate::support::server::{Server, Step, event, events_end, events_head, json, response};
use crate::support::view::{collect, view};
use crate::{HELLO, builder, check_secrets, chunk, error_of, model, stop};

const OVERLOADED: &str = r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#;
const LIMITED: &str = r#"{"error":{"code":"rate_limit_exceeded","message":"slow down"}}"#;

fn stream_of(events: impl IntoIterator<Item = Step>) -> Vec<Step> {
    let mut steps = vec![events_head()];
    steps.extend(events);
    steps.push(events_end());
    steps
}

fn hello() -> Vec<Step> {
    stream_of([chunk(r#"{"content":"Hello."}"#), stop(), event("[DONE]")])
}

/// What says nothing to whoever watches: signs of life, an id, a role, a text without a letter, tokens.
fn beginning() -> Vec<Step> {
    vec![
        event(": ping"),
        chunk(r#"{"role":"assistant","content":""}"#),
        event(
            r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}"#,
        ),
    ]
}

#[tokio::test]
async fn a_failure_that_begins_a_stream_is_tried_again() {
    let long_after = || {
        let mut steps = beginning();
        steps.push(Step::Wait(Duration::from_millis(30)));
        steps.push(event(OVERLOADED));
        steps
    };
    for failed in [
        stream_of([event(OVERLOADED)]),
        stream_of([event(LIMITED)]),
        stream_of([event(r#"{"error":"out of order"}"#)]),
        stream_of(beginning().into_iter().chain([event(OVERLOADED)])),
        stream_of(long_after()),
        // A whole answer though a stream was asked for.
        json(200, OVERLOADED),
        // Cut before anything was told, with and without the end of the body.
        stream_of(beginning()),
        [vec![events_head()], beginning(), vec![Step::Close]].concat(),
    ] {
        let server = Server::start([failed, hello()]).await;
        let (told, end) = collect(model(&server).stream("Hi!".into())).await;
        assert_eq!(told.events, ["text Hello."]);
        assert_eq!(view(&end.unwrap()).text, "Hello.");
        let requests = server.requests();
        assert_eq!(requests.len(), 2);
        assert_eq!(requests[0], requests[1]);
    }
}

#[tokio::test]
async fn a_failure_in_a_whole_answer_is_tried_again() {
    let half = Step::Write(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{\"choices\":".to_vec());
    for failed in [
        json(200, OVERLOADED),
        json(200, LIMITED),
        vec![half, Step::Close],
    ] {
        let server = Server::start([failed, json(200, HELLO)]).await;
        let answer = model(&server).call("Hi!".into()).await.unwrap();
        assert_eq!(view(&answer).text, "Hello.");
        assert_eq!(server.requests().len(), 2);
    }
}

#[tokio::test]
async fn once_anything_was_told_nothing_is_sent_again() {
    let call = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}"#;
    for piece in [r#"{"content":"H"}"#, r#"{"reasoning_content":"H"}"#, call] {
        // In one piece, so that the failure is known before the first event is taken.
        let both = [chunk(piece), event(OVERLOADED)].into_iter();
        let both = both.flat_map(|step| match step {
            Step::Write(bytes) => bytes,
            _ => Vec::new(),
        });
        let failed = stream_of([Step::Write(both.collect())]);
        let server = Server::start([failed, hello()]).await;
        let (told, end) = collect(model(&server).stream("Hi!".into())).await;
        let error = end.unwrap_err();
        check_secrets(&error);
        assert_eq!(told.events.len(), 1, "{piece}");
        assert!(error.is_retryable() && error.to_string().contains("busy"));
        assert_eq!(server.requests().len(), 1, "{piece}");
    }
}

#[tokio::test]
async fn statuses_and_failures_in_answers_count_together() {
    let script = [
        json(503, "{}"),
        stream_of([event(LIMITED)]),
        stream_of([event(OVERLOADED)]),
        hello(),
    ];
    let server = Server::start(script).await;
    let (told, end) = collect(model(&server).stream("Hi!".into())).await;
    let error = end.unwrap_err();
    assert!(told.events.is_empty());
    assert_eq!(error.kind(), ModelErrorKind::Server);
    assert!(error.is_retryable() && error.to_string().contains("busy"));
    assert_eq!(server.requests().len(), 3);
    let script = [json(503, "{}"), json(200, LIMITED), json(200, LIMITED)];
    let server = Server::start(script).await;
    assert!(error_of(&model(&server)).await.is_rate_limit());
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn the_rules_of_a_status_hold_in_an_answer() {
    let wait =
        |time: &str| format!(r#"{{"error":{{"code":429,"details":[{{"retryDelay":"{time}"}}]}}}}"#);
    for (said, kind, sent) in [
        (
            r#"{"error":{"code":"insufficient_quota"}}"#,
            ModelErrorKind::Quota,
            1,
        ),
        (
            r#"{"error":{"code":"invalid_image"}}"#,
            ModelErrorKind::InvalidRequest,
            1,
        ),
        (
            r#"{"error":{"code":400}}"#,
            ModelErrorKind::InvalidRequest,
            1,
        ),
        (
            r#"{"error":{"code":401}}"#,
            ModelErrorKind::Authentication,
            1,
        ),
        (r#"{"error":{"code":520}}"#, ModelErrorKind::Server, 3),
        (&wait("61s"), ModelErrorKind::RateLimit, 1),
        (&wait("0.01s"), ModelErrorKind::RateLimit, 3),
    ] {
        let failed = || stream_of([event(said)]);
        let server = Server::start([failed(), failed(), failed()]).await;
        let (_, end) = collect(model(&server).stream("Hi!".into())).await;
        assert_eq!(
            (end.unwrap_err().kind(), server.requests().len()),
            (kind, sent),
            "{said}"
        );
        let failed = || json(200, said);
        let server = Server::start([failed(), failed(), failed()]).await;
        let error = error_of(&model(&server)).await;
        assert_eq!(
            (error.kind(), server.requests().len()),
            (kind, sent),
            "{said}"
        );
    }
}

#[tokio::test]
async fn silence_and_what_is_too_large_are_not_tried_again() {
    let limits = HttpLimits::default()
        .with_idle(Duration::from_millis(80))
        .with_body(5_000);
    let silent = [vec![events_head()], beginning(), vec![Step::Stall]].concat();
    let large = response(200, &[], format!(": {}\n\n", "x".repeat(9_000)));
    for (failed, said) in [(silent, "`idle`"), (large, "`body`")] {
        let server = Server::start([failed, hello()]).await;
        let model = builder(&server).limits(limits).build().unwrap();
        let (_, end) = collect(model.stream("Hi!".into())).await;
        let error = end.unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(server.requests().len(), 1, "{said}");
    }
}

#[tokio::test]
async fn all_tries_have_one_limit_together() {
    let limits = HttpLimits::default().with_total(Duration::from_millis(200));
    let slow = || {
        let wait = Step::Wait(Duration::from_millis(120));
        vec![events_head(), wait, event(OVERLOADED), events_end()]
    };
    let server = Server::start([slow(), slow(), hello()]).await;
    let model = builder(&server).limits(limits).build().unwrap();
    let (_, end) = collect(model.stream("Hi!".into())).await;
    let error = end.unwrap_err();
    assert!(
        error.is_timeout() && error.to_string().contains("`total`"),
        "{error}"
    );
    assert_eq!(server.requests().len(), 2);
    let first = std::error::Error::source(&error).unwrap().to_string();
    assert!(first.contains("busy"), "{first}");
}
