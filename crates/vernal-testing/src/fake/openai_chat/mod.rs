//! OpenAI Chat Completions.

mod rules;
mod shape;
mod words;

pub(crate) use words::error;

use super::dialect::{Asked, Call, Dialect};
use super::head::{bearer, path_is, posts_json};
use super::inspect::inspect;
use super::violation::Findings;

pub(crate) static DIALECT: Dialect = Dialect {
    check,
    whole: words::whole,
    stream: words::stream,
    stream_type: "text/event-stream; charset=utf-8",
    error: words::error,
    error_header: |_| None,
    error_in_stream: words::error_in_stream,
    request_id: "x-request-id",
    remember: |_, _, _| {},
};

fn check(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    path_is(call.incoming, "/v1/chat/completions", at);
    bearer(call.incoming, at);
    let body = rules::without_reasoning(call);
    inspect(&body, &shape::BODY, at);
    if at.is_empty() {
        rules::check(&body, at);
    }
    let usage = call.body.pointer("/stream_options/include_usage");
    Asked {
        wants_usage: usage == Some(&true.into()),
        ..Asked::of(call)
    }
}
