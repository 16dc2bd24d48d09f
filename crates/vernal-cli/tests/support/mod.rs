//! Running the built program, and a model server of the tests' own on loopback.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// The program, with nothing in its environment but what keeps it from looking around.
pub fn vernal(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vernal"));
    command
        .args(arguments)
        .env_clear()
        .env("VERNAL_NO_PROBE", "1")
        .env("TZ", "Asia/Seoul");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Without it, Windows has no sockets.
    if let Some(root) = std::env::var_os("SystemRoot") {
        command.env("SystemRoot", root);
    }
    command
}

/// What a run wrote, and its exit status.
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn run(mut command: Command) -> Ran {
    ran(command.output().unwrap())
}

/// Runs with a text on stdin.
pub fn run_with_stdin(mut command: Command, text: &str) -> Ran {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    ran(child.wait_with_output().unwrap())
}

pub fn ran(output: Output) -> Ran {
    Ran {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A server that gives its answers in order, one for each connection.
pub struct ModelServer {
    pub base_url: String,
    requests: Receiver<Request>,
}

/// What the server was sent.
pub struct Request {
    pub head: String,
    pub body: String,
}

/// An answer.
pub struct Answer {
    pub status: &'static str,
    pub media_type: &'static str,
    pub body: String,
    /// Whether the connection stays open afterwards, as if more were to come.
    pub stalls: bool,
}

impl Answer {
    pub fn json(status: &'static str, body: impl Into<String>) -> Self {
        Self {
            status,
            media_type: "application/json",
            body: body.into(),
            stalls: false,
        }
    }

    /// Events of a stream, each a chunk of Chat Completions.
    pub fn stream(deltas: &[&str], finish_reason: &str) -> Self {
        let chunk = |delta: &str, reason: &str| {
            format!(
                "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":\
                 [{{\"index\":0,\"delta\":{delta},\"finish_reason\":{reason}}}]}}\n\n"
            )
        };
        let mut body: String = deltas.iter().map(|delta| chunk(delta, "null")).collect();
        body.push_str(&chunk("{}", &format!("\"{finish_reason}\"")));
        body.push_str("data: [DONE]\n\n");
        Self {
            status: "200 OK",
            media_type: "text/event-stream",
            body,
            stalls: false,
        }
    }

    /// The beginning of a stream that does not go on.
    pub fn stalling(delta: &str) -> Self {
        let whole = Self::stream(&[delta], "stop");
        let body = whole
            .body
            .split_inclusive("\n\n")
            .next()
            .unwrap()
            .to_owned();
        Self {
            body,
            stalls: true,
            ..whole
        }
    }
}

impl ModelServer {
    pub fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (sender, requests) = channel();
        thread::spawn(move || {
            for answer in answers {
                let Ok((stream, _)) = listener.accept() else {
                    return;
                };
                let request = serve(stream, &answer);
                if sender.send(request).is_err() {
                    return;
                }
            }
        });
        Self { base_url, requests }
    }

    /// The next request that came; waits for it.
    pub fn request(&self) -> Request {
        self.requests
            .recv_timeout(std::time::Duration::from_secs(20))
            .unwrap()
    }
}

fn serve(mut stream: TcpStream, answer: &Answer) -> Request {
    let request = read_request(&stream);
    let Answer {
        status,
        media_type,
        body,
        stalls,
    } = answer;
    let length = if *stalls {
        String::new()
    } else {
        format!("content-length: {}\r\n", body.len())
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {media_type}\r\n{length}connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    if *stalls {
        // Ends when the other side hangs up; the test may end first.
        let waiting = stream.try_clone().unwrap();
        thread::spawn(move || BufReader::new(waiting).read_to_end(&mut Vec::new()));
        std::mem::forget(stream);
    }
    request
}

fn read_request(stream: &TcpStream) -> Request {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(
            reader.read_line(&mut head).unwrap() > 0,
            "the request ended in its head: {head}"
        );
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().unwrap())
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    Request {
        head,
        body: String::from_utf8(body).unwrap(),
    }
}
