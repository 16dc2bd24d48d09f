//! Ollama's own `/api/chat`.

mod rules;
mod shape;
mod words;

use serde_json::Value;

use super::dialect::{Asked, Call, Dialect};
use super::head::{path_is, posts_json, query_is};
use super::inspect::inspect;
use super::violation::Findings;

pub(crate) static DIALECT: Dialect = Dialect {
    check,
    whole: words::whole,
    stream: words::stream,
    stream_type: "application/x-ndjson",
    error: words::error,
    error_header: |_| None,
    error_in_stream: words::error_in_stream,
    request_id: "x-request-id",
    remember: |_, _, _| {},
};

/// The server takes any key, or none.
fn check(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    path_is(call.incoming, "/api/chat", at);
    query_is(call.incoming, &[], at);
    inspect(call.body, &shape::BODY, at);
    if at.is_empty() {
        rules::check(call.body, at);
    }
    Asked {
        // What is not said is a stream.
        stream: call.body.get("stream").and_then(Value::as_bool) != Some(false),
        ..Asked::of(call)
    }
}
