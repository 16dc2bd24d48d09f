//! What Azure puts around OpenAI's APIs: paths with deployments, a key of its own, errors of its gateway.

use serde_json::{Value, json};

use super::dialect::Problem;
use super::head::{has_bearer, query_is};
use super::http::Incoming;
use super::openai_chat;
use super::violation::Findings;

/// What of the path is looked at: the method of the newest API, and that of the versioned ones.
#[derive(Debug)]
pub(crate) struct Paths {
    /// Such as `/openai/v1/responses`. The version may be left out.
    pub(crate) newest: &'static str,
    /// The beginning and end of a path that is asked with a version; a deployment's name stands between
    /// them where there is an end.
    pub(crate) versioned: (&'static str, &'static str),
}

/// Checks path, version and key; gives the deployment where the path names it.
pub(crate) fn deployment(incoming: &Incoming, paths: &Paths, at: &mut Findings) -> Option<String> {
    key(incoming, at);
    query_is(incoming, &["api-version"], at);
    let path = incoming.path();
    let version = incoming.query("api-version");
    if path == paths.newest {
        if version.is_some_and(|version| !matches!(version, "v1" | "preview" | "latest")) {
            let rule = "wanted `v1` or `preview` or none where the path has `v1`";
            at.note_at("query api-version", rule, 400);
        }
        return None;
    }
    let (begin, end) = paths.versioned;
    let between = path
        .strip_prefix(begin)
        .and_then(|rest| rest.strip_suffix(end));
    let Some(name) =
        between.filter(|name| name.is_empty() == end.is_empty() && !name.contains('/'))
    else {
        let deployment = if end.is_empty() { "" } else { "DEPLOYMENT" };
        let rule = format!(
            "wanted `{}` or `{begin}{deployment}{end}?api-version=…`, found `{path}`",
            paths.newest
        );
        at.note_at("path", rule, 404);
        return None;
    };
    match version {
        None => at.note_at(
            "query api-version",
            "it is missing: Azure knows no method without it",
            404,
        ),
        Some(version) if !is_version(version) => {
            let rule = format!("wanted a version such as `2025-04-01-preview`, found `{version}`");
            at.note_at("query api-version", rule, 400);
        }
        Some(_) => {}
    }
    (!name.is_empty()).then(|| name.to_owned())
}

/// A key in the header of Azure, or a token of its directory: one of them.
fn key(incoming: &Incoming, at: &mut Findings) {
    let key = incoming.header("api-key");
    let has_key = key.is_some_and(|key| !key.trim().is_empty());
    match (has_key, has_bearer(incoming)) {
        (true, true) => at.note_at(
            "header authorization",
            "`api-key` has the key already: a token of the directory does not stand beside it",
            401,
        ),
        (false, false) => at.note_at("header api-key", "a key is wanted", 401),
        _ => {}
    }
}

/// A date, and perhaps that it is a preview.
fn is_version(text: &str) -> bool {
    let date = text.strip_suffix("-preview").unwrap_or(text);
    let has_form = |(index, byte): (usize, u8)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    date.len() == 10 && date.bytes().enumerate().all(has_form)
}

/// What the filters say of a text that they let through.
pub(crate) fn unfiltered() -> Value {
    let safe = || json!({"filtered": false, "severity": "safe"});
    json!({"hate": safe(), "self_harm": safe(), "sexual": safe(), "violence": safe()})
}

/// What the filters say of a prompt, told before an answer.
pub(crate) fn prompt_results() -> Value {
    json!([{"prompt_index": 0, "content_filter_results": unfiltered()}])
}

/// The gateway's errors have a code, which is the status where there is no other; what the filters refuse
/// has an error within; all else is OpenAI's.
pub(crate) fn error(problem: &Problem) -> Value {
    if problem.code.as_deref() == Some("content_filter") {
        return filtered(problem);
    }
    match problem.status {
        401 | 403 | 404 | 405 | 415 | 429 => {
            let status = problem.status.to_string();
            let code = problem.code.as_deref().unwrap_or(&status);
            json!({"error": {"code": code, "message": problem.message}})
        }
        _ => openai_chat::error(problem),
    }
}

fn filtered(problem: &Problem) -> Value {
    let mut results = unfiltered();
    if let Some(result) = results.get_mut("violence") {
        *result = json!({"filtered": true, "severity": "medium"});
    }
    json!({"error": {
        "message": problem.message,
        "type": null,
        "param": "prompt",
        "code": "content_filter",
        "status": problem.status,
        "innererror": {
            "code": "ResponsibleAIPolicyViolation",
            "content_filter_result": results,
        },
    }})
}
