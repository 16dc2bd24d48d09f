//! What differs between the APIs: how a request is checked, and how an answer is worded.

use std::sync::Arc;

use serde_json::Value;

use super::answer::Answer;
use super::http::Incoming;
use super::inspect::shown;
use super::tool_names::mapped;
use super::violation::Findings;

/// An API's rules and words.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// Checks a request, and reads from it what an answer depends on.
    pub(crate) check: fn(&Call<'_>, &mut Findings) -> Asked,
    /// The answer in one.
    pub(crate) whole: fn(&Answer, &Asked) -> Value,
    /// The answer in frames.
    pub(crate) stream: fn(&Answer, &Asked) -> Vec<Frame>,
    /// The content type of a stream.
    pub(crate) stream_type: &'static str,
    /// The body of an error response.
    pub(crate) error: fn(&Problem) -> Value,
    /// A header that names the error, where the API has one.
    pub(crate) error_header: fn(&Problem) -> Option<(String, String)>,
    /// An error in a stream: after its beginning, or after what was said.
    pub(crate) error_in_stream: fn(&Problem) -> Vec<u8>,
    /// The header with the id of a request.
    pub(crate) request_id: &'static str,
    /// Notes what of an answer has to come back.
    pub(crate) remember: fn(&Answer, &Asked, &mut Memory),
}

/// A request that is checked, and what the server knows.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) incoming: &'a Incoming,
    pub(crate) body: &'a Value,
    pub(crate) memory: &'a Memory,
    /// Which request of the server it is, from 1.
    pub(crate) number: usize,
}

/// What a server has said so far and has to be said back to it.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) echoes: Vec<Echo>,
    /// Whether any answer had reasoning in it.
    pub(crate) has_reasoned: bool,
    /// The ids of the answers, and of the calls in each.
    pub(crate) answers: Vec<(String, Vec<String>)>,
    /// The ids of the items that are kept.
    pub(crate) items: Vec<String>,
}

/// A piece of an answer that has to stand beside a call when that is sent back.
#[derive(Debug, Clone)]
pub(crate) struct Echo {
    pub(crate) call_id: String,
    pub(crate) piece: Value,
}

/// What an answer depends on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    pub(crate) model: String,
    pub(crate) stream: bool,
    /// Whether a stream tells the usage.
    pub(crate) wants_usage: bool,
    /// Whether the provider keeps the answer: it does unless told not to.
    pub(crate) is_stored: bool,
    pub(crate) number: usize,
    /// The names in it that are made for the wire.
    pub(crate) mapped: Vec<Arc<str>>,
}

impl Memory {
    /// The pieces that were told beside a call stand among its neighbours again.
    pub(crate) fn check_echo(&self, call_id: &str, neighbours: &[Value], at: &mut Findings) {
        for echo in self.echoes.iter().filter(|echo| echo.call_id == call_id) {
            if !neighbours.contains(&echo.piece) {
                at.note(format!(
                    "beside the call `{call_id}` stood {}, which has to come back unchanged",
                    shown(&echo.piece)
                ));
            }
        }
    }
}

impl Asked {
    pub(crate) fn of(call: &Call<'_>) -> Self {
        let text = |name: &str| call.body.get(name).and_then(Value::as_str);
        Self {
            model: text("model").unwrap_or("fake").to_owned(),
            stream: call.body.get("stream").and_then(Value::as_bool) == Some(true),
            wants_usage: true,
            is_stored: call.body.get("store").and_then(Value::as_bool) != Some(false),
            number: call.number,
            mapped: mapped(call.body),
        }
    }

    /// An id of this answer with a prefix of the API's.
    pub(crate) fn id(&self, prefix: &str) -> String {
        format!("{prefix}fake{:08}", self.number)
    }

    /// The id of a call at a position, where the script leaves it to the API.
    pub(crate) fn call_id(&self, prefix: &str, index: usize) -> String {
        format!("{prefix}fake{:08}x{index:02}", self.number)
    }
}

/// Bytes of a stream that belong together.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) bytes: Vec<u8>,
    /// Whether arguments of a call are in it.
    pub(crate) of_call: bool,
    /// Whether it ends the answer.
    pub(crate) of_end: bool,
}

impl Frame {
    /// An event of a stream of server-sent events without a name.
    pub(crate) fn data(value: &Value) -> Self {
        Self::plain(format!("data: {value}\n\n"))
    }

    /// An event with a name.
    pub(crate) fn event(name: &str, value: &Value) -> Self {
        Self::plain(format!("event: {name}\ndata: {value}\n\n"))
    }

    /// A line of JSON.
    pub(crate) fn line(value: &Value) -> Self {
        Self::plain(format!("{value}\n"))
    }

    pub(crate) fn plain(text: impl Into<Vec<u8>>) -> Self {
        Self {
            bytes: text.into(),
            of_call: false,
            of_end: false,
        }
    }

    /// The same, as one that arguments are in.
    pub(crate) fn of_call(mut self) -> Self {
        self.of_call = true;
        self
    }

    /// The same, as one that ends the answer.
    pub(crate) fn of_end(mut self) -> Self {
        self.of_end = true;
        self
    }
}

/// An error that a server tells.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) status: u16,
    pub(crate) code: Option<String>,
    pub(crate) message: String,
    /// What of the request it is about.
    pub(crate) param: Option<String>,
    /// The seconds to wait that the body tells.
    pub(crate) wait: Option<u64>,
}
