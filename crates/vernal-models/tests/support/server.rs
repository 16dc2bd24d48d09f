//! A server on this machine that plays a script.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with one request, step by step.
#[derive(Clone)]
pub enum Step {
    Write(Vec<u8>),
    Wait(Duration),
    /// Closes the connection; without it, the next request may come on it.
    Close,
    /// Keeps the connection and says nothing more.
    Stall,
}

#[derive(Default)]
struct State {
    script: VecDeque<Vec<Step>>,
    requests: Vec<String>,
    connections: usize,
    closed_by_peer: usize,
}

pub struct Server {
    pub url: String,
    state: Arc<Mutex<State>>,
}

impl Server {
    /// Answers the first request with the first script, and so on.
    pub async fn start(script: impl IntoIterator<Item = Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let script = script.into_iter().collect();
        let state = Arc::new(Mutex::new(State {
            script,
            ..State::default()
        }));
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                shared.lock().unwrap().connections += 1;
                tokio::spawn(serve(stream, shared.clone()));
            }
        });
        Self { url, state }
    }

    /// The requests so far, head and body.
    pub fn requests(&self) -> Vec<String> {
        self.state.lock().unwrap().requests.clone()
    }

    pub fn connections(&self) -> usize {
        self.state.lock().unwrap().connections
    }

    /// How many connections the other side closed while the server had more to say.
    pub fn closed_by_peer(&self) -> usize {
        self.state.lock().unwrap().closed_by_peer
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let mut buffer = Vec::new();
    while let Some(request) = read_request(&mut stream, &mut buffer).await {
        let steps = {
            let mut state = state.lock().unwrap();
            state.requests.push(request);
            state
                .script
                .pop_front()
                .unwrap_or_else(|| json(500, "{\"error\":\"no script\"}"))
        };
        for step in steps {
            match step {
                Step::Write(bytes) => {
                    if stream.write_all(&bytes).await.is_err() {
                        state.lock().unwrap().closed_by_peer += 1;
                        return;
                    }
                }
                Step::Wait(time) => tokio::time::sleep(time).await,
                Step::Close => return,
                Step::Stall => {
                    let mut byte = [0];
                    let _ = stream.read(&mut byte).await;
                    state.lock().unwrap().closed_by_peer += 1;
                    return;
                }
            }
        }
    }
}

async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<String> {
    loop {
        let text = String::from_utf8_lossy(buffer).into_owned();
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let lower = head.to_ascii_lowercase();
            let length = lower
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
            let total = head.len() + 4 + length;
            if buffer.len() >= total {
                let request = String::from_utf8(buffer[..total].to_vec()).unwrap();
                buffer.drain(..total);
                return Some(request);
            }
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}

/// A response with a body and further headers.
pub fn response(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<Step> {
    let body = body.as_ref();
    let mut head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    vec![Step::Write([head.as_bytes(), b"\r\n", body].concat())]
}

pub fn json(status: u16, body: &str) -> Vec<Step> {
    response(status, &[("content-type", "application/json")], body)
}

/// The head of a chunked stream of events.
pub fn events_head() -> Step {
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    Step::Write(head.into())
}

/// One event as one HTTP chunk.
pub fn event(data: &str) -> Step {
    let event = format!("data: {data}\n\n");
    Step::Write(format!("{:x}\r\n{event}\r\n", event.len()).into_bytes())
}

/// The end of a chunked body.
pub fn events_end() -> Step {
    Step::Write(b"0\r\n\r\n".to_vec())
}
