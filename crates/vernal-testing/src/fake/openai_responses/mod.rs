//! OpenAI Responses.

mod items;
mod rules;
mod shape;
mod words;

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
    remember: items::remember,
};

fn check(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    path_is(call.incoming, "/v1/responses", at);
    bearer(call.incoming, at);
    inspect(call.body, &shape::BODY, at);
    if at.is_empty() {
        rules::check(call, at);
    }
    Asked::of(call)
}
