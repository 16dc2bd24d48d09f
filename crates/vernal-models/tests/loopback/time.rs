//! Limits and deadlines that hold whatever a server sends, and answers that are over before it says so.

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, stream};
use http::{HeaderMap, StatusCode};
use vernal_core::advisor::RequestDeadlineAdvisor;
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::{ChatClient, ChatClientBuilder};
use vernal_core::model::{ChatModel, ModelErrorKind, Prompt};
use vernal_models::http::{HttpError, HttpLimits, HttpRequest, HttpResponse, HttpTransport};
use vernal_models::openai::{OpenAiChatModel, OpenAiResponsesModel};

use crate::support::server::{Server, Step, event, events_head, json, response};
use crate::support::view::{collect, view};
use crate::{HELLO, builder, chunk, model, stop};

const MILLISECOND: Duration = Duration::from_millis(1);

/// A server that always has more to say, and is never waited for.
struct Endless(&'static str);

impl HttpTransport for Endless {
    fn send(&self, _: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let piece = Bytes::from_static(self.0.as_bytes());
        let body = stream::repeat_with(move || Ok(piece.clone())).boxed();
        async move { Ok(HttpResponse::new(StatusCode::OK, HeaderMap::new(), body)) }.boxed()
    }
}

#[tokio::test]
async fn the_limit_of_a_call_holds_though_there_is_always_more() {
    let limits = HttpLimits::default()
        .with_total(100 * MILLISECOND)
        .with_body(usize::MAX);
    let server = Server::start([]).await;
    for piece in [
        ": a sign of life\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n",
    ] {
        let builder = builder(&server).limits(limits).transport(Endless(piece));
        let model = builder.build().unwrap();
        let started = Instant::now();
        let mut stream = model.stream("Hi!".into());
        let error = loop {
            if let Err(error) = stream.next().await.unwrap() {
                break error;
            }
        };
        assert_eq!(error.kind(), ModelErrorKind::Timeout);
        assert!(error.to_string().contains("`total`"), "{error}");
        assert!(started.elapsed() < Duration::from_secs(10));
    }
    let builder = builder(&server).limits(limits).transport(Endless("   "));
    let error = builder.build().unwrap().call("Hi!".into()).await;
    let error = error.unwrap_err();
    assert!(error.to_string().contains("`total`"), "{error}");
}

#[tokio::test]
async fn the_limit_of_a_call_holds_within_one_piece() {
    let one = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n";
    let many: &'static str = one.repeat(200_000).leak();
    let server = Server::start([]).await;
    let limits = HttpLimits::default().with_total(20 * MILLISECOND);
    let builder = builder(&server).limits(limits).transport(Endless(many));
    let started = Instant::now();
    let (_, end) = collect(builder.build().unwrap().stream("Hi!".into())).await;
    assert!(end.unwrap_err().to_string().contains("`total`"));
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn an_answer_that_is_complete_is_not_waited_for() {
    let usage =
        r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}"#;
    for rest in [vec![event(usage)], vec![]] {
        let mut script = vec![events_head(), chunk(r#"{"content":"Hello."}"#), stop()];
        script.extend(rest);
        script.push(Step::Stall);
        let server = Server::start([script]).await;
        let limits = HttpLimits::default().with_ending(100 * MILLISECOND);
        let model = builder(&server).limits(limits).build().unwrap();
        let started = Instant::now();
        let (_, end) = collect(model.stream("Hi!".into())).await;
        assert_eq!(view(&end.unwrap()).text, "Hello.");
        let waited = started.elapsed();
        assert!(waited < 5_000 * MILLISECOND, "{waited:?}");
    }
}

/// Servers that tell the reason before the last words, or the choices one after the other.
#[tokio::test]
async fn what_follows_the_reason_is_heard() {
    let pause = || Step::Wait(250 * MILLISECOND);
    let script = vec![
        events_head(),
        chunk(r#"{"content":"Hello"}"#),
        stop(),
        pause(),
        chunk(r#"{"content":", wor"}"#),
        pause(),
        chunk(r#"{"content":"ld."}"#),
        Step::Stall,
    ];
    let server = Server::start([script]).await;
    let limits = HttpLimits::default().with_ending(400 * MILLISECOND);
    let model = builder(&server).limits(limits).build().unwrap();
    let (told, end) = collect(model.stream("Hi!".into())).await;
    assert_eq!(view(&end.unwrap()).text, "Hello, world.");
    assert_eq!(told.text, "Hello, world.");
}

/// What a provider's own tools did cannot be undone, and is not done again.
#[tokio::test]
async fn a_call_in_which_the_provider_has_acted_is_not_made_again() {
    let done = r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"mcp_call","id":"m","name":"send","arguments":"{}","output":"sent"}}"#;
    let begun = || vec![events_head(), event(done), Step::Close];
    let server = Server::start([begun(), begun(), begun()]).await;
    let model = OpenAiResponsesModel::builder().base_url(format!("{}/v1", server.url));
    let model = model.model("m").build().unwrap();
    let (_, end) = collect(model.stream("Hi!".into())).await;
    let error = end.unwrap_err();
    assert!(error.is_connection() && !error.is_retryable(), "{error}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn signs_of_life_are_not_waited_for_without_end() {
    let limits = HttpLimits::default()
        .with_idle(Duration::from_secs(5))
        .with_quiet(150 * MILLISECOND);
    let mut script = vec![events_head(), chunk(r#"{"content":"a"}"#)];
    for _ in 0..100 {
        script.push(Step::Write(b"9\r\n: alive\n\n\r\n".to_vec()));
        script.push(Step::Wait(10 * MILLISECOND));
    }
    let server = Server::start([script]).await;
    let model = builder(&server).limits(limits).build().unwrap();
    let (told, end) = collect(model.stream("Hi!".into())).await;
    let error = end.unwrap_err();
    assert_eq!(told.text, "a");
    assert!(error.is_timeout(), "{error}");
    assert!(error.to_string().contains("`quiet`"), "{error}");
}

#[tokio::test]
async fn a_wait_that_a_deadline_does_not_leave_is_not_begun() {
    let busy = || response(429, &[("retry-after", "5")], "{}");
    let within = |time| {
        let deadline = tokio::time::Instant::now() + time;
        Prompt::from("Hi!").with_deadline(deadline)
    };
    for streamed in [false, true] {
        let server = Server::start([busy(), json(200, HELLO)]).await;
        let model = model(&server);
        let started = Instant::now();
        let prompt = within(Duration::from_secs(1));
        let end = match streamed {
            false => model.call(prompt).await,
            true => collect(model.stream(prompt)).await.1,
        };
        let error = end.unwrap_err();
        assert!(error.is_rate_limit() && error.status() == Some(429));
        assert_eq!(error.retry_after(), Some(Duration::from_secs(5)));
        assert!(started.elapsed() < Duration::from_millis(900));
        assert_eq!(server.requests().len(), 1);
    }
    let short = response(429, &[("retry-after-ms", "20")], "{}");
    let server = Server::start([short, json(200, HELLO)]).await;
    let prompt = within(Duration::from_secs(30));
    model(&server).call(prompt).await.unwrap();
}

#[tokio::test]
async fn a_turn_and_a_request_tell_the_model_how_long_they_have() {
    let turn = |model| {
        let manager = ToolCallingManager::builder().turn_timeout(Duration::from_secs(1));
        ChatClient::builder(model).tool_calling_manager(manager.build().unwrap())
    };
    let request = |model| {
        let deadline = RequestDeadlineAdvisor::new(Duration::from_secs(1));
        ChatClient::builder(model).default_advisors(deadline)
    };
    for client in [turn, request] as [fn(OpenAiChatModel) -> ChatClientBuilder; 2] {
        let busy = response(429, &[("retry-after", "5")], "{}");
        let server = Server::start([busy, json(200, HELLO)]).await;
        let client = client(model(&server)).build().unwrap();
        let started = Instant::now();
        let error = client.prompt("Hi!").call().await.unwrap_err();
        assert!(error.model_error().unwrap().is_rate_limit(), "{error}");
        assert!(started.elapsed() < Duration::from_millis(900));
        assert_eq!(server.requests().len(), 1);
    }
}

/// A gateway that has words of its own for a failure, and the status of a success.
#[tokio::test]
async fn plain_words_in_place_of_a_stream_are_told() {
    let said = "upstream connect error or disconnect before headers";
    for streamed in [false, true] {
        let answer = response(200, &[("content-type", "text/plain")], said);
        let server = Server::start([answer]).await;
        let model = model(&server);
        let error = match streamed {
            true => collect(model.stream("Hi!".into())).await.1.unwrap_err(),
            false => model.call("Hi!".into()).await.unwrap_err(),
        };
        assert_eq!(error.kind(), ModelErrorKind::Response, "{error}");
        assert!(error.to_string().contains("upstream connect"), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}
