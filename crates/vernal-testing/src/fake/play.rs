//! From a step of a script to the bytes of one API.

use serde_json::Value;
use vernal_core::model::{ModelError, ModelErrorKind};

use super::answer::Answer;
use super::dialect::{Asked, Dialect, Frame, Problem};
use super::fault::{FaultKind, RetryAfter, StatusFault};
use super::http::{Body, Response};
use super::step::{Delivery, Ending, Step, StepKind};
use super::violation::Violation;
use crate::Reply;

/// What is done with a connection.
#[derive(Debug)]
pub(crate) enum Play {
    /// It is closed.
    Close,
    /// It stays open, and nothing comes.
    Silence,
    /// It brings a response, and then this.
    Respond(Response, Then),
}

/// What comes after a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// The next request may come.
    Next,
    Close,
    Silence,
}

/// Plays a step.
pub(crate) fn play(step: &Step, dialect: &Dialect, asked: &Asked) -> Play {
    let stage = Stage {
        dialect,
        asked,
        delivery: &step.delivery,
    };
    match &step.kind {
        StepKind::Reply(reply) => match reply.failure() {
            None => stage.reply(reply),
            Some(error) => stage.failed(reply, error),
        },
        StepKind::Fault(fault) => stage.fault(&fault.0),
    }
}

/// Refuses a request that breaks a rule.
pub(crate) fn refuse(violation: &Violation, dialect: &Dialect, asked: &Asked) -> Play {
    let problem = Problem {
        status: violation.status,
        code: None,
        message: violation.to_string(),
        param: Some(violation.path.clone()),
        wait: None,
    };
    let delivery = Delivery::default();
    let stage = Stage {
        dialect,
        asked,
        delivery: &delivery,
    };
    stage.error(&problem, vec![("x-should-retry".into(), "false".into())])
}

/// One request on its way to an answer.
struct Stage<'a> {
    dialect: &'a Dialect,
    asked: &'a Asked,
    delivery: &'a Delivery,
}

impl Stage<'_> {
    fn reply(&self, reply: &Reply) -> Play {
        let answer = Answer::of(reply, self.delivery, self.asked);
        let id = match &answer.request_id {
            Some(id) => id.to_string(),
            None => self.asked.id("req_"),
        };
        let headers = vec![(self.dialect.request_id.to_owned(), id)];
        self.send(200, headers, self.frames(&answer))
    }

    /// The answer's frames; a whole answer is one.
    fn frames(&self, answer: &Answer) -> Vec<Frame> {
        if self.asked.stream {
            return (self.dialect.stream)(answer, self.asked);
        }
        let mut frame = Frame::plain((self.dialect.whole)(answer, self.asked).to_string());
        frame.of_call = answer.calls().next().is_some();
        vec![frame]
    }

    /// What the reply holds, and then its error.
    fn failed(&self, reply: &Reply, error: &ModelError) -> Play {
        if error.is_connection() {
            return Play::Close;
        }
        let problem = problem_of(error);
        if !self.asked.stream || reply.pieces().is_empty() {
            let wait = error.retry_after().map(|wait| wait.as_millis().to_string());
            let wait = wait.map(|wait| ("retry-after-ms".to_owned(), wait));
            return self.error(&problem, wait.into_iter().collect());
        }
        let answer = Answer::of(reply, self.delivery, self.asked);
        self.send(200, Vec::new(), self.broken_off(&answer, &problem))
    }

    /// A stream that tells an error in place of its end.
    fn broken_off(&self, answer: &Answer, problem: &Problem) -> Vec<Frame> {
        let mut frames = (self.dialect.stream)(answer, self.asked);
        frames.retain(|frame| !frame.of_end);
        frames.push(Frame::plain((self.dialect.error_in_stream)(problem)));
        frames
    }

    fn fault(&self, fault: &FaultKind) -> Play {
        match fault {
            FaultKind::Cut => Play::Close,
            FaultKind::Silence => Play::Silence,
            FaultKind::Status(fault) => self.status(fault),
            FaultKind::InAnswer { status, message } => {
                let problem = Problem {
                    status: *status,
                    code: None,
                    message: message.clone(),
                    param: None,
                    wait: None,
                };
                let frames = if self.asked.stream {
                    self.broken_off(
                        &Answer::of(&Reply::empty(), self.delivery, self.asked),
                        &problem,
                    )
                } else {
                    vec![Frame::plain((self.dialect.error)(&problem).to_string())]
                };
                self.send(200, Vec::new(), frames)
            }
            FaultKind::Raw {
                status,
                content_type,
                body,
            } => {
                let headers = vec![("content-type".to_owned(), content_type.clone())];
                let bytes = vec![Frame::plain(body.clone())];
                self.respond(*status, headers, bytes, Body::Sized(body.len()))
            }
            FaultKind::Huge(bytes) => {
                let begin = match self.dialect.stream_type.starts_with("text/event-stream") {
                    true if self.asked.stream => "data: {\"x\":\"",
                    _ => "{\"x\":\"",
                };
                let mut body = begin.as_bytes().to_vec();
                body.resize(body.len().max(*bytes), b'x');
                self.send(200, Vec::new(), vec![Frame::plain(body)])
            }
            FaultKind::BadUtf8 => {
                const MARK: u8 = b'@';
                let mut frames = self.frames(&Answer::of(
                    &Reply::text("na@ve"),
                    self.delivery,
                    self.asked,
                ));
                let bytes = frames.iter_mut().flat_map(|frame| &mut frame.bytes);
                bytes
                    .filter(|byte| **byte == MARK)
                    .for_each(|byte| *byte = 0xFF);
                self.send(200, Vec::new(), frames)
            }
        }
    }

    fn status(&self, fault: &StatusFault) -> Play {
        let message = fault.message.clone();
        let problem = Problem {
            status: fault.status,
            code: fault.code.clone(),
            message: message.unwrap_or_else(|| usual_message(fault.status).to_owned()),
            param: None,
            wait: match fault.after {
                Some(RetryAfter::InBody(seconds)) => Some(seconds),
                _ => None,
            },
        };
        let mut headers = fault.headers.clone();
        headers.extend(fault.after.into_iter().flat_map(|after| after.headers()));
        self.error(&problem, headers)
    }

    fn error(&self, problem: &Problem, mut headers: Vec<(String, String)>) -> Play {
        let id = self.asked.id("req_");
        headers.push((self.dialect.request_id.to_owned(), id));
        headers.extend((self.dialect.error_header)(problem));
        let body: Value = (self.dialect.error)(problem);
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
        let body = body.to_string();
        let size = Body::Sized(body.len());
        self.respond(problem.status, headers, vec![Frame::plain(body)], size)
    }

    /// An answer in the form that was asked for.
    fn send(&self, status: u16, mut headers: Vec<(String, String)>, frames: Vec<Frame>) -> Play {
        let (kind, body) = if self.asked.stream {
            (self.dialect.stream_type, Body::Chunked)
        } else {
            let length = frames.iter().map(|frame| frame.bytes.len()).sum();
            ("application/json", Body::Sized(length))
        };
        headers.push(("content-type".to_owned(), kind.to_owned()));
        self.respond(status, headers, frames, body)
    }

    fn respond(
        &self,
        status: u16,
        mut headers: Vec<(String, String)>,
        frames: Vec<Frame>,
        body: Body,
    ) -> Play {
        headers.extend(self.delivery.headers.iter().cloned());
        let ending = self.delivery.ending;
        let end = match ending {
            Ending::Whole => usize::MAX,
            _ => middle(&frames),
        };
        let is_ended = matches!(ending, Ending::Whole | Ending::CutInOrder);
        let response = Response {
            status,
            headers,
            // Nobody can have said how long a body is that is cut.
            body: match ending {
                Ending::CutInOrder => Body::Chunked,
                _ => body,
            },
            writes: writes(frames, end, self.delivery.write),
            pause: self.delivery.pause,
            is_ended,
        };
        let then = match ending {
            Ending::Whole | Ending::CutInOrder => Then::Next,
            Ending::Cut => Then::Close,
            Ending::Stalled => Then::Silence,
        };
        Play::Respond(response, then)
    }
}

/// The middle of the last frame with arguments of a call, else of all.
fn middle(frames: &[Frame]) -> usize {
    let size = |frames: &[Frame]| frames.iter().map(|frame| frame.bytes.len()).sum::<usize>();
    match frames.iter().rposition(|frame| frame.of_call) {
        Some(last) => {
            let (before, rest) = frames.split_at(last);
            size(before) + size(rest.get(..1).unwrap_or_default()) / 2
        }
        None => size(frames) / 2,
    }
}

/// What is written at a time, up to a byte.
fn writes(frames: Vec<Frame>, end: usize, at_a_time: Option<usize>) -> Vec<Vec<u8>> {
    if let Some(bytes) = at_a_time {
        let mut all: Vec<u8> = frames.into_iter().flat_map(|frame| frame.bytes).collect();
        all.truncate(end);
        return all.chunks(bytes).map(<[u8]>::to_vec).collect();
    }
    let mut left = end;
    let mut writes = Vec::with_capacity(frames.len());
    for mut frame in frames {
        frame.bytes.truncate(left);
        left -= frame.bytes.len();
        if !frame.bytes.is_empty() {
            writes.push(frame.bytes);
        }
    }
    writes
}

fn usual_message(status: u16) -> &'static str {
    match status {
        401 => "The key is wrong.",
        429 => "Too many requests were made.",
        529 => "The server is overloaded.",
        500.. => "The server had an error while it was answering.",
        _ => "The request was refused.",
    }
}

/// A model's error as the server would tell it.
fn problem_of(error: &ModelError) -> Problem {
    let (status, code) = match error.kind() {
        ModelErrorKind::Authentication => (401, None),
        ModelErrorKind::RateLimit => (429, None),
        ModelErrorKind::Quota => (429, Some("insufficient_quota")),
        ModelErrorKind::ContextLength => (400, Some("context_length_exceeded")),
        ModelErrorKind::ContentFilter => (400, Some("content_filter")),
        ModelErrorKind::Timeout => (408, None),
        ModelErrorKind::InvalidRequest | ModelErrorKind::Configuration => (400, None),
        _ => (500, None),
    };
    Problem {
        status: error.status().unwrap_or(status),
        code: error.code().or(code).map(str::to_owned),
        message: error.to_string(),
        param: None,
        wait: None,
    }
}
