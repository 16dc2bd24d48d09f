//! Bedrock `Converse` and `ConverseStream`.

mod event_stream;
mod families;
mod rules;
mod shape;
mod words;

use super::dialect::{Asked, Call, Dialect};
use super::head::{has_bearer, posts_json, query_is};
use super::http::Incoming;
use super::inspect::inspect;
use super::violation::Findings;

pub(crate) static DIALECT: Dialect = Dialect {
    check,
    whole: words::whole,
    stream: words::stream,
    stream_type: "application/vnd.amazon.eventstream",
    error: words::error,
    error_header: |problem| {
        let name = words::exception(problem).to_owned();
        Some(("x-amzn-errortype".to_owned(), name))
    },
    error_in_stream: words::error_in_stream,
    request_id: "x-amzn-requestid",
    remember: words::remember,
};

fn check(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    let (model, method) = called(call.incoming, at);
    query_is(call.incoming, &[], at);
    signed(call.incoming, at);
    inspect(call.body, &shape::BODY, at);
    if at.is_empty() {
        rules::check(call, &model, at);
    }
    Asked {
        model,
        stream: method == "converse-stream",
        ..Asked::of(call)
    }
}

/// The model and the method in the path.
fn called(incoming: &Incoming, at: &mut Findings) -> (String, String) {
    let path = incoming.path();
    let rest = path.strip_prefix("/model/");
    let (model, method) = rest
        .and_then(|rest| rest.rsplit_once('/'))
        .unwrap_or_default();
    if model.is_empty() || model.contains('/') || !matches!(method, "converse" | "converse-stream")
    {
        let rule = format!(
            "wanted `/model/MODEL/converse` or `/model/MODEL/converse-stream`, found `{path}`"
        );
        at.note_at("path", rule, 404);
    }
    (model.replace("%3A", ":"), method.to_owned())
}

/// A signature of the fourth version, or a key as a bearer token.
fn signed(incoming: &Incoming, at: &mut Findings) {
    let said = incoming.header("authorization").unwrap_or_default();
    let parts = ["Credential=", "SignedHeaders=", "Signature="];
    let signature = said
        .strip_prefix("AWS4-HMAC-SHA256 ")
        .is_some_and(|rest| parts.iter().all(|part| rest.contains(part)));
    if !signature && !has_bearer(incoming) {
        at.note_at(
            "header authorization",
            "a signature is wanted, `AWS4-HMAC-SHA256 Credential=…`, or a key, `Bearer KEY`",
            403,
        );
    }
    if signature && incoming.header("x-amz-date").is_none() {
        at.note_at("header x-amz-date", "it is missing beside a signature", 403);
    }
}
