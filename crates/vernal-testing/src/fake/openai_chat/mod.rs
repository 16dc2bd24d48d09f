//! OpenAI Chat Completions.

mod azure;
mod format;
mod rules;
mod schema;
mod shape;
mod words;

pub(crate) use format::{answer_schema, mentions_json};
pub(crate) use schema::FUNCTION_SCHEMA;
pub(crate) use words::error;

use std::borrow::Cow;

use serde_json::Value;

use super::azure::{self as azure_head, Paths};
use super::dialect::{Asked, Call, Dialect, Frame};
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
    remember: |_, _, _| {},
};

pub(crate) static DIALECT: Dialect = OPENAI;

/// The same at Azure.
pub(crate) static AZURE: Dialect = Dialect {
    check: check_azure,
    whole: azure::whole,
    stream: azure::stream,
    error: azure_head::error,
    error_in_stream: |problem| Frame::data(&azure_head::error(problem)).bytes,
    ..OPENAI
};

static AZURE_PATHS: Paths = Paths {
    newest: "/openai/v1/chat/completions",
    versioned: ("/openai/deployments/", "/chat/completions"),
};

fn check(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    path_is(call.incoming, "/v1/chat/completions", at);
    query_is(call.incoming, &[], at);
    bearer(call.incoming, at);
    check_body(call, rules::without_reasoning(call), at)
}

/// A deployment in the path is the model; one in the body is not looked at then.
fn check_azure(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    let deployment = azure_head::deployment(call.incoming, &AZURE_PATHS, at);
    let mut body = rules::without_reasoning(call);
    if let Some(name) = deployment
        && body.get("model").is_none()
        && let Some(members) = body.to_mut().as_object_mut()
    {
        members.insert("model".to_owned(), name.into());
    }
    check_body(call, body, at)
}

fn check_body(call: &Call<'_>, body: Cow<'_, Value>, at: &mut Findings) -> Asked {
    inspect(&body, &shape::BODY, at);
    if at.is_empty() {
        rules::check(&body, at);
    }
    let usage = call.body.pointer("/stream_options/include_usage");
    let model = body.get("model").and_then(Value::as_str);
    Asked {
        model: model.unwrap_or("fake").to_owned(),
        wants_usage: usage == Some(&true.into()),
        ..Asked::of(call)
    }
}
