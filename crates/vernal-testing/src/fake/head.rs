//! The rules about what stands around a body.

use super::http::Incoming;
use super::violation::Findings;

/// A POST of JSON.
pub(crate) fn posts_json(incoming: &Incoming, at: &mut Findings) {
    if incoming.method != "POST" {
        let rule = format!("the method is POST, not {}", incoming.method);
        at.note_at("method", rule, 405);
    }
    let kind = incoming.header("content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let rule = format!("wanted `application/json`, found `{kind}`");
        at.note_at("header content-type", rule, 415);
    }
}

/// The path of the API's one method.
pub(crate) fn path_is(incoming: &Incoming, path: &str, at: &mut Findings) {
    if incoming.path() != path {
        at.note_at(
            "path",
            format!("wanted `{path}`, found `{}`", incoming.path()),
            404,
        );
    }
}

/// The query has no parameters but these.
pub(crate) fn query_is(incoming: &Incoming, known: &[&str], at: &mut Findings) {
    for (name, _) in incoming.parameters() {
        if !known.contains(&name) {
            let rule = "no such parameter is documented here";
            at.note_at(&format!("query {name}"), rule, 400);
        }
    }
}

/// A key as a bearer token.
pub(crate) fn bearer(incoming: &Incoming, at: &mut Findings) {
    if !has_bearer(incoming) {
        at.note_at("header authorization", "a key is wanted: `Bearer KEY`", 401);
    }
}

pub(crate) fn has_bearer(incoming: &Incoming) -> bool {
    let said = incoming.header("authorization");
    said.and_then(|said| said.strip_prefix("Bearer "))
        .is_some_and(|key| !key.trim().is_empty())
}
