//! Bringing a schema that somebody else wrote into the one form that everything here expects.

use super::json::{Document, Kind, NodeId};
use super::schema_error::SchemaError;
use super::value::shortened;

/// The schema of a tool without input.
pub(super) const EMPTY: &str =
    r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#;

/// JSON text without the white space between its tokens; everything else keeps its place.
fn compact(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut in_string = false;
    let mut escaped = false;
    for c in json.chars() {
        if in_string {
            in_string = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            in_string = c == '"';
        }
        text.push(c);
    }
    text
}

/// A schema of an object, compact and with the type `object` (rule SCH-6).
pub(super) fn of_object(document: &Document<'_>) -> Result<String, SchemaError> {
    let schema = document.raw(NodeId::ROOT);
    if document.kind(NodeId::ROOT) != Kind::Object {
        let got = shortened(schema);
        return Err(SchemaError(format!(
            "must be a JSON object with a schema in it, not {got}"
        )));
    }
    let Some(types) = document.member(NodeId::ROOT, "type") else {
        return Ok(with_object_type(&compact(schema)));
    };
    let is_object = |id| document.kind(id) == Kind::String && document.string(id) == "object";
    if is_object(types) {
        return Ok(compact(schema));
    }
    if document.children(types).any(is_object) {
        // Arguments are an object in any case, blank ones too (rule ARG-1).
        let before = document.between(0, document.start(types));
        let after = document.rest(document.end(types));
        return Ok(compact(&format!(r#"{before}"object"{after}"#)));
    }
    let described = shortened(document.raw(types));
    Err(SchemaError(format!(
        "describes {described}, not an object; wrap it into a property of an object"
    )))
}

/// The schema with `"type":"object"` put in front of its members.
fn with_object_type(schema: &str) -> String {
    let members = schema.strip_prefix('{').unwrap_or(schema);
    let comma = if members.starts_with('}') { "" } else { "," };
    format!(r#"{{"type":"object"{comma}{members}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compacting_leaves_strings_alone() {
        let text = " { \"a b\" : [ 1 , \"x \\\" y\\\\\" ] } \n";
        assert_eq!(compact(text), r#"{"a b":[1,"x \" y\\"]}"#);
    }

    #[test]
    fn a_missing_type_is_added_in_front() {
        assert_eq!(with_object_type("{}"), r#"{"type":"object"}"#);
        assert_eq!(with_object_type(r#"{"a":1}"#), r#"{"type":"object","a":1}"#);
    }
}
