use std::fmt::Write as _;
use std::io::{BufReader, Read};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::answer::Answer;
use super::dialect::{Call, Memory};
use super::http::{self, Incoming};
use super::play::{Play, Then, play, refuse};
use super::step::StepKind;
use super::violation::Findings;
use super::{FakeApi, RecordedRequest, Script, Violation};

/// A server on this machine that speaks one API, checks what it is asked, and plays a script.
///
/// It runs in threads of its own, so that it serves tests with any runtime, or with none, and a
/// paused clock does not stop it. A request that breaks a rule of the API is refused in the API's own
/// way, takes no step of the script, and makes [`verify`](Self::verify) panic, and the end of the
/// server too.
#[derive(Debug)]
pub struct FakeServer {
    api: FakeApi,
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    api: FakeApi,
    closing: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    script: Script,
    memory: Memory,
    requests: Vec<RecordedRequest>,
    connections: usize,
    /// The open ones, to be closed at the end.
    open: Vec<(usize, TcpStream)>,
    /// Whether somebody has looked at the violations.
    looked: bool,
}

impl FakeServer {
    /// Starts a server on a free port of this machine.
    ///
    /// # Panics
    /// No port can be had.
    #[expect(clippy::expect_used, reason = "a test without its server has failed")]
    pub fn start(api: FakeApi, script: Script) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("the address of the port");
        let shared = Arc::new(Shared {
            api,
            closing: AtomicBool::new(false),
            state: Mutex::new(State {
                script,
                ..State::default()
            }),
        });
        let accepting = thread::spawn({
            let shared = shared.clone();
            move || accept(&listener, &shared)
        });
        Self {
            api,
            address,
            shared,
            accepting: Some(accepting),
        }
    }

    /// The API that it speaks.
    pub fn api(&self) -> FakeApi {
        self.api
    }

    /// The base URL as the adapters of Vernal take it, such as `http://127.0.0.1:41001/v1`.
    pub fn base_url(&self) -> String {
        format!("{}{}", self.origin(), self.api.base_path())
    }

    /// The URL without a path.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far, the refused ones too.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.state().requests.clone()
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        self.state().connections
    }

    /// How many steps of the script were not asked for.
    pub fn steps_left(&self) -> usize {
        self.state().script.left()
    }

    /// The rules that were broken so far. Who looks at them answers for them: the end of the server
    /// does not panic any more.
    pub fn violations(&self) -> Vec<Violation> {
        let mut state = self.state();
        state.looked = true;
        let of_request = |request: &RecordedRequest| request.violations.clone();
        state.requests.iter().flat_map(of_request).collect()
    }

    /// Makes sure that every request kept the rules and that the script was played to its end.
    ///
    /// # Panics
    /// It was not so. The text names each rule and its place in the request.
    #[track_caller]
    pub fn verify(&self) {
        let text = {
            let mut state = self.state();
            state.looked = true;
            state.complaint(self.api, true)
        };
        assert!(text.is_empty(), "{text}");
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }
}

impl State {
    /// What is wrong, in words; nothing where nothing is.
    fn complaint(&self, api: FakeApi, with_steps: bool) -> String {
        let mut text = String::new();
        for (position, request) in self.requests.iter().enumerate() {
            for violation in &request.violations {
                let _ = write!(text, "\n  request {}: {violation}", position + 1);
            }
        }
        let left = self.script.left();
        if with_steps && left > 0 {
            let _ = write!(
                text,
                "\n  the script has {left} more steps that nobody asked for"
            );
        }
        if text.is_empty() {
            text
        } else {
            format!("the fake server for {api} was not used as the API allows:{text}")
        }
    }
}

/// A broken rule does not go unnoticed, unless the test fails already.
impl Drop for FakeServer {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.address);
        for (_, stream) in std::mem::take(&mut self.state().open) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
        let text = {
            let state = self.state();
            let wanted = !state.looked && !thread::panicking();
            wanted.then(|| state.complaint(self.api, false))
        };
        let text = text.unwrap_or_default();
        assert!(text.is_empty(), "{text}");
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Checks and records a request, and says what is done about it.
    fn take(&self, incoming: &mut Incoming) -> (Play, std::time::Duration) {
        let dialect = self.api.dialect();
        let mut state = self.state();
        let number = state.requests.len() + 1;
        let allowed = state.script.allowed().clone();
        incoming.gateway = allowed.gateway(incoming.path());
        let mut findings = Findings::new(allowed);
        let parsed = serde_json::from_slice(&incoming.body);
        if let Err(error) = &parsed {
            findings.note(format!("the body is no JSON: {error}"));
        }
        let body = parsed.unwrap_or_default();
        let call = Call {
            incoming,
            body: &body,
            memory: &state.memory,
            number,
        };
        let asked = (dialect.check)(&call, &mut findings);
        let mut violations = findings.into_violations();
        let mut step = None;
        if violations.is_empty() {
            step = state.script.next();
            if step.is_none() {
                violations.push(Violation {
                    path: "script".to_owned(),
                    rule: format!("it has no step for request {number}"),
                    status: 400,
                });
            }
        }
        if let Some(step) = &step
            && let StepKind::Reply(reply) = &step.kind
        {
            let answer = Answer::of(reply, &step.delivery, &asked);
            state.memory.has_reasoned |= !answer.reasoning().is_empty();
            (dialect.remember)(&answer, &asked, &mut state.memory);
        }
        let first = violations.first().cloned();
        state
            .requests
            .push(RecordedRequest::of(incoming, violations));
        drop(state);
        match (step, first) {
            (Some(step), _) => (play(&step, dialect, &asked), step.delivery.delay),
            (None, Some(first)) => (refuse(&first, dialect, &asked), std::time::Duration::ZERO),
            (None, None) => (Play::Close, std::time::Duration::ZERO),
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept() {
        if shared.is_closing() {
            return;
        }
        let id = {
            let mut state = shared.state();
            state.connections += 1;
            let id = state.connections;
            state
                .open
                .extend(stream.try_clone().ok().map(|stream| (id, stream)));
            id
        };
        let shared = shared.clone();
        thread::spawn(move || {
            serve(stream, &shared);
            shared.state().open.retain(|(open, _)| *open != id);
        });
    }
}

/// Answers the requests of a connection until it ends.
fn serve(mut stream: TcpStream, shared: &Shared) {
    let _ = stream.set_nodelay(true);
    let Ok(reading) = stream.try_clone() else {
        return;
    };
    let mut reader = BufReader::new(reading);
    while let Ok(Some(mut incoming)) = http::read(&mut reader) {
        let (play, delay) = shared.take(&mut incoming);
        if !delay.is_zero() {
            thread::sleep(delay);
        }
        let then = match play {
            Play::Close => Then::Close,
            Play::Silence => Then::Silence,
            Play::Respond(response, then) => match response.write(&mut stream) {
                Ok(()) => then,
                Err(_) => Then::Close,
            },
        };
        let is_last = incoming
            .header("connection")
            .is_some_and(|said| said.eq_ignore_ascii_case("close"));
        match then {
            Then::Next if is_last => break,
            Then::Next => {}
            Then::Close => break,
            Then::Silence => {
                // Until the other side, or the end of the server, closes the connection.
                let _ = reader.read(&mut [0]);
                break;
            }
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}
