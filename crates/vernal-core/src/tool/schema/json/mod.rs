//! Reading JSON text without losing anything: order, repeated names, the digits of numbers.

mod compare;
mod document;
mod number;
mod object;
pub(crate) mod path;
mod read;
mod read_error;
mod scan;
mod variant;

use std::fmt;

pub(crate) use compare::{equal, first_repeated};
pub(crate) use document::{Document, NodeId};
pub(crate) use number::Decimal;
pub(crate) use object::Object;
pub(crate) use read::read;
pub(crate) use scan::NotJson;

/// The deepest nesting of JSON that is read; serde_json itself ends at 128.
pub(crate) const MAX_DEPTH: usize = 100;

/// Whether arguments are absent: null, empty or blank ones are the empty object (rule ARG-1).
pub(crate) fn is_blank(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text == "null"
}

/// Why text is no JSON object.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotAnObject {
    #[error("the arguments are {0}")]
    Text(NotJson),
    #[error("the arguments must be one JSON object, not {0}")]
    Kind(Kind),
    #[error("the argument at {0} is given twice")]
    Repeated(String),
}

/// Reads arguments: one JSON object and nothing after it, or blank (rules ARG-1, ARG-2).
pub(crate) fn arguments(text: &str) -> Result<Document<'_>, NotAnObject> {
    let text = if is_blank(text) { "{}" } else { text };
    let document = Document::read(text).map_err(NotAnObject::Text)?;
    match document.kind(NodeId::ROOT) {
        Kind::Object => Ok(document),
        other => Err(NotAnObject::Kind(other)),
    }
}

/// As [`arguments`], refusing an object that names a member twice, at any depth (rule ARG-5).
pub(crate) fn unique_arguments(text: &str) -> Result<Document<'_>, NotAnObject> {
    let document = arguments(text)?;
    match document.repeated().first() {
        Some(id) => Err(NotAnObject::Repeated(path::of(&document, *id))),
        None => Ok(document),
    }
}

/// The kind of a JSON value, known from its first character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    /// The kind of the value that the text begins with.
    pub(crate) fn of(json: &str) -> Self {
        match json.trim_start().as_bytes().first() {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => Self::String,
            Some(b't' | b'f') => Self::Bool,
            Some(b'n') => Self::Null,
            _ => Self::Number,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_arguments_are_the_empty_object_and_nothing_else_is() {
        for blank in ["", "  \n", "null", " null ", "{}"] {
            assert_eq!(arguments(blank).unwrap().len(NodeId::ROOT), 0);
        }
        for (text, needle) in [
            ("[]", "not an array"),
            ("\"x\"", "not a string"),
            ("3", "not a number"),
            ("{} x", "trailing characters"),
            ("{\"a\":", "EOF"),
            ("nul", "EOF"),
            ("null null", "trailing characters"),
        ] {
            let error = arguments(text).unwrap_err().to_string();
            assert!(error.contains(needle), "{text}: {error}");
        }
    }

    #[test]
    fn a_name_given_twice_is_found_at_any_depth() {
        let error = unique_arguments(r#"{"a":{"b":[{"c":1,"c":1}]}}"#).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the argument at $.a.b[0].c is given twice"
        );
    }
}
