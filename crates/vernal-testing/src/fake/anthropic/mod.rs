//! Anthropic Messages.

mod rules;
mod shape;
mod strict;
mod thinking;
mod words;

use super::dialect::{Asked, Call, Dialect};
use super::head::{has_bearer, path_is, posts_json, query_is};
use super::http::Incoming;
use super::inspect::inspect;
use super::violation::Findings;

/// The versions of the API: the one that most clients ask for, and that of the newest official ones.
const VERSIONS: [&str; 2] = ["2023-06-01", "2026-10-21"];

const MOST_BYTES: usize = 32 << 20;

pub(crate) static DIALECT: Dialect = Dialect {
    check,
    whole: words::whole,
    stream: words::stream,
    stream_type: "text/event-stream; charset=utf-8",
    error: words::error,
    error_header: |_| None,
    error_in_stream: words::error_in_stream,
    request_id: "request-id",
    remember: words::remember,
};

fn check(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    path_is(call.incoming, "/v1/messages", at);
    query_is(call.incoming, &["beta"], at);
    headers(call.incoming, at);
    if call.incoming.body.len() > MOST_BYTES {
        at.note_at("$", "a request has at most 32 MB", 413);
    }
    inspect(call.body, &shape::BODY, at);
    if at.is_empty() {
        rules::check(call, at);
    }
    Asked::of(call)
}

fn headers(incoming: &Incoming, at: &mut Findings) {
    let key = incoming.header("x-api-key").unwrap_or_default();
    if key.trim().is_empty() && !has_bearer(incoming) {
        at.note_at("header x-api-key", "a key is wanted", 401);
    }
    match incoming.header("anthropic-version") {
        Some(version) if VERSIONS.contains(&version) => {}
        Some(other) => {
            let rule = format!("wanted `{}`, found `{other}`", VERSIONS.join("` or `"));
            at.note_at("header anthropic-version", rule, 400);
        }
        None => at.note_at("header anthropic-version", "it is missing", 400),
    }
}
