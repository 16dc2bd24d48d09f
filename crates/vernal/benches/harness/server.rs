//! A Chat Completions server that asks for a tool as often as the model's name says.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use super::SERVE;

/// The server, in a process of its own, so that its allocations are not counted.
pub struct Child {
    pub base_url: String,
    process: std::process::Child,
}

impl Child {
    pub fn start() -> Self {
        let itself = std::env::current_exe().unwrap();
        let mut process = Command::new(itself)
            .arg(SERVE)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut address)
            .unwrap();
        Self {
            base_url: format!("http://{}/v1", address.trim()),
            process,
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves until it is killed; the address is the first line of its output.
pub fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("{}", listener.local_addr().unwrap());
    for connection in listener.incoming().flatten() {
        std::thread::spawn(move || answer_all(connection));
    }
}

fn answer_all(mut connection: TcpStream) {
    let _ = connection.set_nodelay(true);
    let mut reader = BufReader::new(connection.try_clone().unwrap());
    while let Some(body) = read_request(&mut reader) {
        let (content_type, payload) = reply(&body);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n\r\n",
            payload.len()
        );
        if connection.write_all((head + &payload).as_bytes()).is_err() {
            return;
        }
    }
}

fn read_request(reader: &mut impl BufRead) -> Option<String> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}

fn reply(body: &str) -> (&'static str, String) {
    let asked = body
        .split("bench-")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let (rounds, calls) = asked.and_then(|job| job.split_once('-')).unwrap();
    let (rounds, calls): (usize, usize) = (rounds.parse().unwrap(), calls.parse().unwrap());
    let round = body.matches(r#""role":"tool""#).count() / calls;
    let stream = body.contains(r#""stream":true"#);
    let usage = r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}"#;
    let (message, reason) = if round < rounds {
        (asking(round, calls), "tool_calls")
    } else {
        (r#""content":"DONE""#.to_owned(), "stop")
    };
    if !stream {
        let choice = format!(
            r#"{{"index":0,"message":{{"role":"assistant",{message}}},"finish_reason":"{reason}"}}"#
        );
        let body = format!(
            r#"{{"id":"c{round}","object":"chat.completion","created":1,"model":"m","choices":[{choice}],"usage":{usage}}}"#
        );
        return ("application/json", body);
    }
    let chunk = |delta: &str, reason: &str, tail: &str| {
        format!(
            "data: {{\"id\":\"c{round}\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{{\"index\":0,\"delta\":{{{delta}}},\"finish_reason\":{reason}}}]{tail}}}\n\n"
        )
    };
    let first = chunk(&format!("\"role\":\"assistant\",{message}"), "null", "");
    let last = chunk("", &format!("\"{reason}\""), &format!(",\"usage\":{usage}"));
    (
        "text/event-stream",
        format!("{first}{last}data: [DONE]\n\n"),
    )
}

/// A message that asks for the tool `calls` times.
fn asking(round: usize, calls: usize) -> String {
    let calls: Vec<_> = (0..calls)
        .map(|call| {
            format!(
                r#"{{"index":{call},"id":"call_{round}_{call}","type":"function","function":{{"name":"get_weather","arguments":"{{\"city\":\"Jeju{round}_{call}\",\"days\":3}}"}}}}"#
            )
        })
        .collect();
    format!(r#""content":null,"tool_calls":[{}]"#, calls.join(","))
}
