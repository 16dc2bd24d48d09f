//! Limits that only a network in trouble runs into.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::net::{TcpSocket, TcpStream};
use vernal_core::model::{ChatModel, ModelErrorKind};
use vernal_models::http::{HttpLimits, RetryPolicy};
use vernal_models::openai::OpenAiChatModel;

use crate::support::server::{Server, Step, json};
use crate::support::view::view;
use crate::{HELLO, error_of, model};

/// Connects until the queue of a listener that accepts nobody is full; what fills it is kept.
#[cfg(target_os = "linux")]
async fn filled(address: SocketAddr) -> Vec<TcpStream> {
    let mut waiting = Vec::new();
    for _ in 0..64 {
        let connected = TcpStream::connect(address);
        match tokio::time::timeout(Duration::from_millis(200), connected).await {
            Ok(stream) => waiting.push(stream.unwrap()),
            Err(_) => return waiting,
        }
    }
    panic!("the queue has no end");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_that_accepts_nobody_runs_into_the_limit_for_connecting() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let _waiting = filled(address).await;
    let limits = HttpLimits::default().with_connect(Duration::from_millis(150));
    let policy = RetryPolicy::default().with_max_retries(1);
    let model = OpenAiChatModel::builder()
        .base_url(format!("http://{address}/v1"))
        .model("m")
        .limits(limits)
        .retry(policy.with_first_wait(Duration::from_millis(5)))
        .build()
        .unwrap();
    let started = Instant::now();
    let error = error_of(&model).await;
    assert_eq!(error.kind(), ModelErrorKind::Timeout);
    assert!(error.to_string().contains("`connect`"), "{error}");
    // Twice, for nothing was sent.
    let waited = started.elapsed();
    assert!(waited >= Duration::from_millis(300), "{waited:?}");
    assert!(waited < Duration::from_secs(10), "{waited:?}");
}

#[tokio::test]
async fn an_error_whose_body_does_not_come_does_not_hold_up_the_next_try() {
    let half = b"HTTP/1.1 503 X\r\ncontent-length: 900\r\n\r\n{\"error\":".to_vec();
    let server = Server::start([vec![Step::Write(half), Step::Stall], json(200, HELLO)]).await;
    let started = Instant::now();
    let answer = model(&server).call("Hi!".into()).await.unwrap();
    assert_eq!(view(&answer).text, "Hello.");
    // The limit `idle` is five minutes.
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn an_error_is_read_up_to_a_bound() {
    let long = format!(r#"{{"error":{{"message":"{}"}}}}"#, "x".repeat(10 << 20));
    let server = Server::start([json(400, &long)]).await;
    let error = error_of(&model(&server)).await;
    assert_eq!(error.status(), Some(400));
    assert!(error.to_string().len() < 1000, "{error}");
}
