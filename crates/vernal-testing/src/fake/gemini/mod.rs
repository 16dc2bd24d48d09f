//! Gemini `generateContent` and `streamGenerateContent`.

mod rules;
mod shape;
mod words;

use serde_json::Value;

use super::dialect::{Asked, Call, Dialect};
use super::head::{has_bearer, posts_json, query_is};
use super::http::Incoming;
use super::inspect::inspect;
use super::violation::Findings;

pub(crate) static DIALECT: Dialect = Dialect {
    check,
    whole: words::whole,
    stream: words::stream,
    stream_type: "text/event-stream",
    error: words::error,
    error_header: |_| None,
    error_in_stream: words::error_in_stream,
    request_id: "x-request-id",
    remember: words::remember,
};

/// What any method of the provider takes in the query.
const PARAMETERS: [&str; 13] = [
    "$.xgafv",
    "$alt",
    "$prettyPrint",
    "access_token",
    "alt",
    "callback",
    "fields",
    "key",
    "oauth_token",
    "prettyPrint",
    "quotaUser",
    "uploadType",
    "upload_protocol",
];

fn check(call: &Call<'_>, at: &mut Findings) -> Asked {
    posts_json(call.incoming, at);
    let (model, method) = called(call.incoming, at);
    query_is(call.incoming, &PARAMETERS, at);
    key(call.incoming, at);
    let mut body = call.body.clone();
    forget_nulls(&mut body);
    inspect(&body, &shape::BODY, at);
    if at.is_empty() {
        rules::check(&body, &model, call.memory, at);
    }
    let stream = method == "streamGenerateContent";
    if stream && call.incoming.query("alt") != Some("sse") {
        at.note_at(
            "query alt",
            "a stream of events is asked for with `alt=sse`",
            400,
        );
    }
    Asked {
        model,
        stream,
        ..Asked::of(call)
    }
}

/// In this kind of JSON a member that is null is one that is not there. What an application writes, its
/// arguments and schemas, stays as it is.
fn forget_nulls(value: &mut Value) {
    const OF_APPLICATION: [&str; 5] = [
        "args",
        "response",
        "parametersJsonSchema",
        "parameters",
        "responseJsonSchema",
    ];
    match value {
        Value::Array(items) => items.iter_mut().for_each(forget_nulls),
        Value::Object(members) => {
            members.retain(|_, value| !value.is_null());
            for (name, value) in members {
                if !OF_APPLICATION.contains(&name.as_str()) {
                    forget_nulls(value);
                }
            }
        }
        _ => {}
    }
}

/// The model and the method in the path.
fn called(incoming: &Incoming, at: &mut Findings) -> (String, String) {
    let path = incoming.path();
    let rest = ["/v1beta/", "/v1/", "/v1alpha/"]
        .iter()
        .find_map(|version| path.strip_prefix(version));
    let (model, method) = rest
        .and_then(|rest| rest.rsplit_once(':'))
        .unwrap_or_default();
    let known = ["models/", "tunedModels/"].iter().any(|kind| {
        model
            .strip_prefix(kind)
            .is_some_and(|name| !name.is_empty())
    });
    if !known || !matches!(method, "generateContent" | "streamGenerateContent") {
        let rule = format!(
            "wanted `/v1beta/models/MODEL:generateContent` or `…:streamGenerateContent`, found `{path}`"
        );
        at.note_at("path", rule, 404);
    }
    let name = model.rsplit('/').next().unwrap_or_default();
    (name.to_owned(), method.to_owned())
}

fn key(incoming: &Incoming, at: &mut Findings) {
    let header = incoming.header("x-goog-api-key");
    let key = header.or_else(|| incoming.query("key")).unwrap_or_default();
    if key.trim().is_empty() && !has_bearer(incoming) {
        at.note_at("header x-goog-api-key", "a key is wanted", 403);
    }
}
