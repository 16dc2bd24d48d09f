//! OpenAI Responses.

mod azure;
mod items;
mod rules;
mod shape;
mod words;

use super::azure::{self as azure_head, Paths};
use super::dialect::{Asked, Call, Dialect};
use super::head::{bearer, path_is, posts_json, query_is};
use super::inspect::inspect;
use super::violation::Findings;

const OPENAI: Dialect = Dialect {
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

pub(crate) static DIALECT: Dialect = OPENAI;

/// The same at Azure.
pub(crate) static AZURE: Dialect = Dialect {
    check: check_azure,
    whole: azure::whole,
    stream: azure::stream,
    error: azure_head::error,
    ..OPENAI
};

static AZURE_PATHS: Paths = Paths {
    newest: "/openai/v1/responses",
    versioned: ("/openai/responses", ""),
};

fn check(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    path_is(call.incoming, "/v1/responses", at);
    query_is(call.incoming, &[], at);
    bearer(call.incoming, at);
    check_body(call, at)
}

/// The deployment is the body's model here, whatever the path.
fn check_azure(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    azure_head::deployment(call.incoming, &AZURE_PATHS, at);
    check_body(call, at)
}

fn check_body(call: &Call<'_>, at: &mut Findings) -> Asked {
    inspect(call.body, &shape::BODY, at);
    if at.is_empty() {
        rules::check(call, at);
    }
    Asked::of(call)
}
