//! What is said of a value that cannot be read as a type, in the words of a violation.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Expected, Unexpected};

use super::{Document, Kind, NodeId, path};
use crate::tool::schema::value::shortened;
use crate::tool::schema::{Violation, Violations};

/// The longest error text that is passed on.
const MAX_ERROR_CHARS: usize = 300;

/// Why a value cannot be read as a type.
#[derive(Debug)]
pub(crate) struct ReadError {
    message: String,
    /// Whether the message says what came.
    says_what_came: bool,
    /// A member of the value at `at`, which is not there or not known.
    member: Option<&'static str>,
    at: Option<NodeId>,
}

impl ReadError {
    /// What was expected, to be followed by what came.
    pub(super) fn told(expected: &str) -> Self {
        Self::new(expected.to_owned(), false)
    }

    fn new(mut message: String, says_what_came: bool) -> Self {
        if let Some((end, _)) = message.char_indices().nth(MAX_ERROR_CHARS) {
            message.truncate(end);
            message.push('…');
        }
        Self {
            message,
            says_what_came,
            member: None,
            at: None,
        }
    }

    /// The error as one of the value `id`, unless it is known to be one of a value inside.
    pub(super) fn at(self, id: NodeId) -> Self {
        Self {
            at: self.at.or(Some(id)),
            ..self
        }
    }

    /// The error as a violation: where, what was expected, and what came.
    pub(crate) fn violation(self, document: &Document<'_>) -> Violations {
        let at = self.at.unwrap_or(NodeId::ROOT);
        let path = match self.member {
            Some(name) => path::of_member(document, at, name),
            None => path::of(document, at),
        };
        let message = match self.says_what_came {
            true => self.message,
            false => {
                let (kind, raw) = (document.kind(at), document.raw(at));
                format!("{}, got {}", self.message, came(kind, raw))
            }
        };
        Violation::new(path, message).into()
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl serde::de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string(), false)
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let (expected, came) = (expected.to_string(), in_json(unexpected));
        Self::new(format!("expected {}, got {came}", wanted(&expected)), true)
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {expected}, got {length} in all"), true)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let (known, variant) = (expected.join(", "), shortened(variant));
        Self::new(format!("expected one of {known}, got {variant:?}"), true)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let (known, field) = (expected.join(", "), shortened(field));
        Self::new(
            format!("there is no such argument as {field:?}; known are: {known}"),
            true,
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Self {
            member: Some(field),
            ..Self::new("is required, but missing".to_owned(), true)
        }
    }
}

/// What came, as it is said everywhere.
fn came(kind: Kind, raw: &str) -> String {
    match kind {
        Kind::Object | Kind::Array | Kind::Null => kind.to_string(),
        _ => format!("{kind} {}", shortened(raw)),
    }
}

/// What serde found, in the words of JSON.
fn in_json(unexpected: Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Bool(value) => format!("a boolean {value}"),
        Unexpected::Unsigned(number) => format!("a number {number}"),
        Unexpected::Signed(number) => format!("a number {number}"),
        Unexpected::Float(number) => format!("a number {number}"),
        Unexpected::Char(c) => format!("a string {:?}", c.to_string()),
        Unexpected::Str(text) => came(
            Kind::String,
            &serde_json::Value::from(&*shortened(text)).to_string(),
        ),
        Unexpected::Unit | Unexpected::Option => Kind::Null.to_string(),
        Unexpected::Seq => Kind::Array.to_string(),
        Unexpected::Map => Kind::Object.to_string(),
        Unexpected::Other(text) => wide_integer(text).unwrap_or_else(|| text.to_owned()),
        other => other.to_string(),
    }
}

/// An integer of more than 64 bits, of which serde says the type as well.
fn wide_integer(text: &str) -> Option<String> {
    let (digits, _) = text.strip_prefix("integer `")?.split_once('`')?;
    Some(format!("a number {digits}"))
}

/// What a type of Rust is in JSON, where serde names the type.
fn wanted(expected: &str) -> Cow<'_, str> {
    let bounds = match expected {
        "u8" => (0, i128::from(u8::MAX)),
        "u16" => (0, i128::from(u16::MAX)),
        "u32" => (0, i128::from(u32::MAX)),
        "u64" | "usize" => (0, i128::from(u64::MAX)),
        "i8" => (i128::from(i8::MIN), i128::from(i8::MAX)),
        "i16" => (i128::from(i16::MIN), i128::from(i16::MAX)),
        "i32" => (i128::from(i32::MIN), i128::from(i32::MAX)),
        "i64" | "isize" => (i128::from(i64::MIN), i128::from(i64::MAX)),
        "f32" | "f64" => return Cow::Borrowed("a number"),
        "unit" => return Cow::Borrowed("null"),
        _ => return Cow::Borrowed(expected),
    };
    Cow::Owned(format!("an integer from {} to {}", bounds.0, bounds.1))
}
