//! Calls of custom tools: their plain text is an argument in JSON here, and text again on the wire.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{push_string, string_of};

/// What stands before the text within the arguments.
pub(super) const BEFORE_TEXT: &str = r#"{"input":""#;

/// What stands after it.
pub(super) const AFTER_TEXT: &str = r#""}"#;

/// The provider data of a call in Chat Completions by which it goes back as what it was.
const MARK: &str = r#"{"type":"custom"}"#;

pub(super) fn mark() -> Option<&'static RawValue> {
    serde_json::from_str(MARK).ok()
}

pub(super) fn is_marked(data: Option<&RawValue>) -> bool {
    data.is_some_and(|data| data.get() == MARK)
}

/// The plain text that a custom tool is called with, as arguments in JSON.
pub(super) fn as_arguments(input: &str) -> String {
    let mut out = as_open_arguments(input);
    out.push_str(AFTER_TEXT);
    out
}

/// As [`as_arguments`], for a text that was cut: it is not made to look whole.
pub(super) fn as_open_arguments(input: &str) -> String {
    let mut out = String::with_capacity(BEFORE_TEXT.len() + input.len() + AFTER_TEXT.len());
    out.push_str(BEFORE_TEXT);
    push_inside_string(&mut out, input);
    out
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Input<'a> {
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

/// The plain text within arguments that [`as_arguments`] wrote; other arguments are the text.
pub(super) fn as_input(arguments: &str) -> Cow<'_, str> {
    let found: Input<'_> = serde_json::from_str(arguments).unwrap_or_default();
    let input = found.input.and_then(string_of);
    input.unwrap_or(Cow::Borrowed(arguments))
}

/// The inside of a JSON string.
pub(super) fn push_inside_string(out: &mut String, text: &str) {
    let mut quoted = String::with_capacity(text.len() + 2);
    push_string(&mut quoted, text);
    out.push_str(quoted.get(1..quoted.len() - 1).unwrap_or_default());
}
