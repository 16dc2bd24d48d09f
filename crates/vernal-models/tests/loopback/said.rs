//! What a program learns of the tries, and of the request, for its support.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use vernal_core::model::{ChatModel, ModelErrorKind};
use vernal_models::http::{HttpLimits, RetryPolicy};

use crate::support::proxy::Proxy;
use crate::support::server::{Server, Step, event, events_end, events_head, json, response};
use crate::support::view::collect;
use crate::{HELLO, builder, chunk, error_of, model, stop};

fn failed() -> Vec<Step> {
    json(500, "{}")
}

#[tokio::test]
async fn retries_are_told_with_the_answer_and_with_the_error() {
    for before in 0..3 {
        let hello = [
            events_head(),
            chunk(r#"{"content":"Hello."}"#),
            stop(),
            event("[DONE]"),
            events_end(),
        ];
        for (streamed, answer) in [
            (false, json(200, HELLO)),
            (true, json(200, HELLO)),
            (true, hello.to_vec()),
        ] {
            let mut script = vec![failed(); before];
            script.push(answer);
            let server = Server::start(script).await;
            let model = model(&server);
            let answer = match streamed {
                false => model.call("Hi!".into()).await,
                true => collect(model.stream("Hi!".into())).await.1,
            };
            assert_eq!(answer.unwrap().metadata.retries as usize, before);
        }
    }
    let server = Server::start(vec![failed(); 3]).await;
    let error = error_of(&model(&server)).await;
    assert_eq!(error.retries(), 2);
    assert!(error.to_string().ends_with("(after 3 tries)"), "{error}");
    let server = Server::start([json(400, "{}")]).await;
    let error = error_of(&model(&server)).await;
    assert_eq!(error.retries(), 0);
    assert!(!error.to_string().contains("tries"), "{error}");
    let cut = vec![events_head(), chunk(r#"{"content":"a"}"#), Step::Close];
    let server = Server::start([failed(), cut]).await;
    let (_, end) = collect(model(&server).stream("Hi!".into())).await;
    assert_eq!(end.unwrap_err().retries(), 1);
}

/// The head of an answer that names the request.
fn head(rest: &str) -> Step {
    Step::Write(format!("HTTP/1.1 200 OK\r\nx-request-id: req-7\r\n{rest}\r\n").into())
}

#[tokio::test]
async fn every_error_after_a_head_names_the_request() {
    let limits = HttpLimits::default()
        .with_idle(Duration::from_millis(100))
        .with_body(200);
    let sized = "content-length: 99\r\n";
    let chunked = "transfer-encoding: chunked\r\n";
    let write = |bytes: &[u8]| Step::Write(bytes.to_vec());
    let redirected = response(307, &[("location", "/"), ("x-request-id", "req-7")], "");
    let id = [("x-request-id", "req-7")];
    for (what, script) in [
        (
            "cut",
            vec![head(sized), write(b"{\"choices\":"), Step::Close],
        ),
        (
            "silent",
            vec![head(sized), write(b"{\"choices\":"), Step::Stall],
        ),
        ("cut stream", vec![head(chunked), chunk("{}"), Step::Close]),
        (
            "silent stream",
            vec![head(chunked), chunk("{}"), Step::Stall],
        ),
        (
            "ended early",
            vec![head(chunked), chunk("{}"), events_end()],
        ),
        ("too large", response(200, &id, [b' '; 300])),
        ("no UTF-8", response(200, &id, b"{\"choices\":\"\xff\"}")),
        ("half of it", response(200, &id, "{\"choices\":")),
        ("nothing", response(200, &id, "")),
        ("elsewhere", redirected),
    ] {
        for streamed in [false, true] {
            let server = Server::start([script.clone()]).await;
            let builder = builder(&server).limits(limits).retry(RetryPolicy::never());
            let model = builder.build().unwrap();
            let error = match streamed {
                false => model.call("Hi!".into()).await.unwrap_err(),
                true => collect(model.stream("Hi!".into())).await.1.unwrap_err(),
            };
            assert_eq!(error.request_id(), Some("req-7"), "{what}: {error}");
        }
    }
}

#[tokio::test]
async fn the_head_of_an_answer_that_tells_a_failure_is_heard() {
    const BUSY: &str = r#"{"error":{"code":429,"message":"busy"}}"#;
    for (header, sent) in [
        (("x-should-retry", "false"), 1),
        (("retry-after", "61"), 1),
        (("retry-after-ms", "1"), 3),
    ] {
        let streamed = || {
            let (name, value) = header;
            let head =
                format!("HTTP/1.1 200 OK\r\n{name}: {value}\r\ntransfer-encoding: chunked\r\n\r\n");
            vec![Step::Write(head.into()), event(BUSY), events_end()]
        };
        let server = Server::start(vec![response(200, &[header], BUSY); 3]).await;
        let called = error_of(&model(&server)).await;
        assert_eq!(server.requests().len(), sent, "{header:?}");
        let server = Server::start([streamed(), streamed(), streamed()]).await;
        let (_, end) = collect(model(&server).stream("Hi!".into())).await;
        assert_eq!(server.requests().len(), sent, "{header:?}");
        for error in [called, end.unwrap_err()] {
            assert!(error.is_rate_limit());
            assert_eq!(error.is_retryable(), header.0 != "x-should-retry");
        }
    }
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_is_asked_once() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/v1", listener.local_addr().unwrap());
    let asked = tokio::spawn(async move {
        let mut asked = 0;
        while let Ok(Ok((mut stream, _))) =
            tokio::time::timeout(Duration::from_millis(500), listener.accept()).await
        {
            asked += 1;
            let no = b"HTTP/1.1 400 Bad Request\r\n\r\n";
            tokio::io::AsyncWriteExt::write_all(&mut stream, no)
                .await
                .unwrap();
        }
        asked
    });
    let server = Server::start([]).await;
    // A machine without trusted certificates says so when the model is built.
    let Ok(model) = builder(&server).base_url(url).build() else {
        return;
    };
    let error = error_of(&model).await;
    assert!(error.is_connection() && !error.is_retryable(), "{error}");
    assert!(error.to_string().contains("certificate"), "{error}");
    assert_eq!(asked.await.unwrap(), 1);
}

#[tokio::test]
async fn a_proxy_that_wants_other_credentials_is_asked_once() {
    let proxy = Proxy::start(Some("Basic bWU6b3RoZXI=")).await;
    let server = Server::start([]).await;
    let built = builder(&server)
        .base_url("https://localhost:1/v1")
        .proxy(format!("http://{}", proxy.address))
        .build();
    let Ok(model) = built else { return };
    let error = error_of(&model).await;
    assert_eq!(error.kind(), ModelErrorKind::Configuration, "{error}");
    assert!(!error.is_retryable());
    assert!(error.to_string().contains("password"), "{error}");
    assert_eq!(proxy.heads().len(), 1);
}

/// Keeps what is told of retries.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl tracing::Subscriber for Heard {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target().starts_with("vernal_models")
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut line = event.metadata().level().to_string();
        event.record(
            &mut |field: &tracing::field::Field, value: &dyn std::fmt::Debug| {
                line.push_str(&format!(" {field}={value:?}"));
            },
        );
        self.0.lock().unwrap().push(line);
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test]
async fn each_retry_is_a_warning() {
    let heard = Heard::default();
    let _guard = tracing::subscriber::set_default(heard.clone());
    let server = Server::start([failed(), failed(), json(200, HELLO)]).await;
    model(&server).call("Hi!".into()).await.unwrap();
    let lines = heard.0.lock().unwrap().clone();
    assert_eq!(lines.len(), 2, "{lines:?}");
    for (retry, line) in (1..).zip(&lines) {
        let retry = format!("retry={retry}");
        for said in ["WARN", "status=500", "wait=", "kind=Server", &retry] {
            assert!(line.contains(said), "{line}");
        }
        assert!(!line.contains("canary"), "{line}");
    }
}
