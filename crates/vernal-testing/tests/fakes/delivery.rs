//! How answers travel, and faults, seen from the other side of the wire.

use std::time::{Duration, Instant};

use serde_json::json;
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_testing::Reply;
use vernal_testing::fake::{FakeApi, FakeServer, Fault, RetryAfter, Script, Step};

use crate::bodies::good;
use crate::raw::Raw;

/// A request for a stream.
fn streamed(api: FakeApi) -> Raw {
    let mut body = good(api);
    if !matches!(api, FakeApi::Gemini | FakeApi::Bedrock) {
        body["stream"] = json!(true);
    }
    let mut raw = Raw::new(api, &body);
    match api {
        FakeApi::Gemini => raw.target = "/v1beta/models/m:streamGenerateContent?alt=sse".into(),
        FakeApi::Bedrock => raw.target = "/model/m/converse-stream".into(),
        _ => {}
    }
    raw
}

fn requests(api: FakeApi) -> [Raw; 2] {
    [Raw::new(api, &good(api)), streamed(api)]
}

#[test]
fn a_cut_is_within_the_last_call() {
    for api in FakeApi::ALL {
        let call = Reply::call("now", "{}").and_call("weather", r#"{"city":"Jeju"}"#);
        let whole = FakeServer::start(api, Script::new().replies(call.clone()));
        let cut = FakeServer::start(api, Script::new().then(Step::from(call).cut()));
        let (_, all) = streamed(api).send(&whole);
        let (status, said) = streamed(api).send(&cut);
        assert_eq!(status, 200, "{api}");
        assert!(
            said.contains("now") && said.len() < all.len(),
            "{api}: {said}"
        );
        assert!(
            all.ends_with("\r\n0\r\n\r\n") && !said.ends_with("0\r\n\r\n"),
            "{api}: {said}"
        );
        let shared = all
            .bytes()
            .zip(said.bytes())
            .take_while(|(one, other)| one == other);
        // The size of the chunk that is cut is the first thing that differs.
        assert!(shared.count() * 4 > said.len(), "{api}");
        cut.verify();
    }
}

#[test]
fn error_responses_have_their_headers_and_the_form_of_the_api() {
    for api in FakeApi::ALL {
        let script = Script::new()
            .fails(
                Fault::status(429)
                    .after(RetryAfter::Millis(1500))
                    .message("Slow down."),
            )
            .fails(Fault::status(429).after(RetryAfter::Seconds(2)))
            .fails(
                Fault::status(503)
                    .after(RetryAfter::Date(3))
                    .header("x-should-retry", "true"),
            )
            .fails(Fault::status(529));
        let server = FakeServer::start(api, script);
        let [request, _] = requests(api);
        let (status, said) = request.send(&server);
        assert!(
            status == 429 && said.contains("retry-after-ms: 1500") && said.contains("Slow down."),
            "{said}"
        );
        let (_, said) = request.send(&server);
        assert!(said.contains("retry-after: 2\r\n"), "{said}");
        let (status, said) = request.send(&server);
        assert!(
            status == 503 && said.contains("retry-after: Tue, 01 Dec 2026 17:00:03 GMT"),
            "{said}"
        );
        assert!(
            said.contains("date: Tue, 01 Dec 2026 17:00:00 GMT")
                && said.contains("x-should-retry: true")
        );
        let (status, body) = request.json(&server);
        let has_error = !body["error"].is_null() || !body["message"].is_null();
        assert!(status == 529 && has_error, "{body}");
        server.verify();
    }
}

#[test]
fn faults_of_the_connection_and_of_the_body() {
    for api in FakeApi::ALL {
        for request in requests(api) {
            let script = Script::new()
                .fails(Fault::cut())
                .fails(Fault::in_answer().message("Out of order."))
                .fails(Fault::html())
                .fails(Fault::huge(100_000))
                .fails(Fault::bad_utf8())
                .fails(Fault::raw(418, "text/plain", "tea"));
            let server = FakeServer::start(api, script);
            assert_eq!(request.send(&server), (0, String::new()));
            let (status, said) = request.send(&server);
            assert!(
                status == 200 && said.contains("Out of order."),
                "{api}: {said}"
            );
            let (status, said) = request.send(&server);
            assert!(status == 200 && said.contains("<html>"), "{api}: {said}");
            assert!(request.send(&server).1.len() >= 100_000);
            assert!(request.send(&server).1.contains('\u{FFFD}'), "{api}");
            assert_eq!(request.send(&server).0, 418);
            server.verify();
        }
    }
}

#[test]
fn a_script_of_the_scripted_model_fails_alike() {
    let busy = ModelError::new(ModelErrorKind::RateLimit, "Busy.")
        .with_retry_after(Duration::from_secs(1));
    let lost = ModelError::new(ModelErrorKind::Server, "Lost.");
    for api in FakeApi::ALL {
        let script = Script::new()
            .replies(Reply::error(busy.clone()))
            .replies(Reply::text("Well, ").then_error(lost.clone()));
        let server = FakeServer::start(api, script);
        let (status, said) = streamed(api).send(&server);
        assert!(
            status == 429 && said.contains("Busy.") && said.contains("retry-after-ms: 1000"),
            "{said}"
        );
        let (status, said) = streamed(api).send(&server);
        assert!(
            status == 200 && said.contains("Well, ") && said.contains("Lost."),
            "{api}: {said}"
        );
        server.verify();
    }
}

#[test]
fn slow_answers_come_slowly_and_a_server_that_ends_lets_go() {
    let server = FakeServer::start(
        FakeApi::Ollama,
        Script::new().then(
            Step::from(Reply::text("Hello."))
                .with_delay(Duration::from_millis(30))
                .in_writes_of(100)
                .with_pause(Duration::from_millis(10)),
        ),
    );
    let begun = Instant::now();
    assert_eq!(streamed(FakeApi::Ollama).send(&server).0, 200);
    assert!(begun.elapsed() >= Duration::from_millis(60));
    server.verify();

    let server = FakeServer::start(FakeApi::Ollama, Script::new().fails(Fault::silence()));
    let request = Raw::new(FakeApi::Ollama, &good(FakeApi::Ollama));
    let origin = server.origin();
    let mut stream = std::net::TcpStream::connect(origin.trim_start_matches("http://")).unwrap();
    std::io::Write::write_all(
        &mut stream,
        format!(
            "POST /api/chat HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{}",
            request.body.len(),
            request.body
        )
        .as_bytes(),
    )
    .unwrap();
    while server.requests().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(server);
    assert_eq!(std::io::Read::read(&mut stream, &mut [0]).unwrap_or(0), 0);
}

#[test]
fn what_is_recorded_shows_no_key() {
    let api = FakeApi::OpenAiChat;
    let server = FakeServer::start(api, Script::new().says("Hello."));
    Raw::new(api, &good(api)).send(&server);
    let request = server.requests().remove(0);
    assert_eq!(request.header("Authorization"), Some("Bearer k"));
    assert_eq!(request.json()["model"], "m");
    assert!(!format!("{request:?}").contains("Bearer"), "{request:?}");
}
