//! The documented shapes of request bodies, as data.

use serde_json::{Map, Value};

use super::violation::Findings;

/// What a value may be.
#[derive(Debug)]
pub(crate) enum Shape {
    Anything,
    Text,
    FilledText,
    /// A text that a function accepts, and what it accepts in words.
    Written(&'static str, fn(&str) -> bool),
    /// One of these texts.
    Word(&'static [&'static str]),
    Bool,
    /// A whole number within bounds.
    Whole(i64, i64),
    /// A number within bounds.
    Number(f64, f64),
    List(&'static Shape),
    /// A list of at least one item and at most so many.
    Filled(&'static Shape, usize),
    /// An object with any members, all of one shape.
    Map(&'static Shape),
    /// An object with these members and no others.
    Object(&'static [Field]),
    /// An object whose members depend on the text of one of them.
    Tagged(&'static str, &'static [(&'static str, &'static [Field])]),
    /// The first of these that has the value's JSON kind.
    Either(&'static [&'static Shape]),
    OrNull(&'static Shape),
    /// A shape, and a rule beyond shapes.
    Ruled(&'static Shape, fn(&Value, &mut Findings)),
}

/// A member of an object.
#[derive(Debug)]
pub(crate) struct Field {
    pub(super) name: &'static str,
    pub(super) shape: &'static Shape,
    pub(super) required: bool,
}

/// A member that has to be there.
pub(crate) const fn must(name: &'static str, shape: &'static Shape) -> Field {
    Field {
        name,
        shape,
        required: true,
    }
}

/// A member that may be there.
pub(crate) const fn may(name: &'static str, shape: &'static Shape) -> Field {
    Field {
        name,
        shape,
        required: false,
    }
}

/// Any further members: those of kinds that are not looked into.
pub(crate) const ANY_OTHER: Field = may("*", &Shape::Anything);

/// A whole number of at least `least`.
pub(crate) const fn at_least(least: i64) -> Shape {
    Shape::Whole(least, i64::MAX)
}

pub(crate) static BASE64: Shape = Shape::Written("base64", is_base64);
/// Base64 within a URL of the scheme `data`.
pub(crate) static DATA_URL: Shape = Shape::Written(
    "a base64-encoded data URL such as `data:application/pdf;base64,…`",
    is_data_url,
);
/// A URL; what one of the scheme `data` holds is base64.
pub(crate) static LINK_OR_DATA: Shape = Shape::Written(
    "an `https` URL or `data:MIME_TYPE;base64,…`",
    |text| match text.starts_with("data:") {
        true => is_data_url(text),
        false => ["https://", "http://"]
            .iter()
            .any(|scheme| text.len() > scheme.len() && text.starts_with(scheme)),
    },
);
pub(crate) static TEXTS: Shape = Shape::List(&Shape::Text);
pub(crate) static OPEN: Shape = Shape::Map(&Shape::Anything);
/// A text that holds a JSON object, as arguments of calls are written.
pub(crate) static JSON_TEXT: Shape = Shape::Written("the text of a JSON object", |text| {
    serde_json::from_str::<Map<String, Value>>(text).is_ok()
});
/// A name of at most 64 of `a-z A-Z 0-9 _ -`.
pub(crate) static NAME_64: Shape =
    Shape::Written("a name of `[a-zA-Z0-9_-]{1,64}`", |text| is_name(text, 64));
/// A name of at most 128 of `a-z A-Z 0-9 _ -`.
pub(crate) static NAME_128: Shape = Shape::Written("a name of `[a-zA-Z0-9_-]{1,128}`", |text| {
    is_name(text, 128)
});
/// The schema of a tool's arguments.
pub(crate) static OBJECT_SCHEMA: Shape = Shape::Ruled(&OPEN, object_schema);
/// Notes of the application on a request, as OpenAI keeps them.
pub(crate) static METADATA: Shape = Shape::Ruled(
    &Shape::Map(&Shape::Written(
        "a text of at most 512 characters",
        |text| text.chars().count() <= 512,
    )),
    short_names,
);
/// A text in which something is said.
pub(crate) static SPOKEN: Shape = Shape::Ruled(&Shape::FilledText, not_blank);

/// Exactly one of the members that an object may have: a union.
pub(crate) fn one_member(value: &Value, at: &mut Findings) {
    let count = value.as_object().map_or(0, Map::len);
    if count != 1 {
        at.note(format!("exactly one member is wanted, found {count}"));
    }
}

/// A schema whose root has no choices: OpenAI and Anthropic refuse them there.
pub(crate) fn flat_root(schema: &Value, refused: &[&str], at: &mut Findings) {
    if refused.iter().any(|keyword| schema.get(keyword).is_some()) {
        at.note(format!(
            "a tool's schema has none of {} at the top level",
            refused.join(", ")
        ));
    }
}

fn short_names(metadata: &Value, at: &mut Findings) {
    let members = metadata.as_object();
    if members.is_some_and(|members| members.len() > 16) {
        at.note("there are at most 16 pairs");
    }
    for name in members.into_iter().flat_map(Map::keys) {
        if name.chars().count() > 64 {
            at.member(name, |at| at.note("a name has at most 64 characters"));
        }
    }
}

fn not_blank(value: &Value, at: &mut Findings) {
    let is_blank = |text: &str| !text.is_empty() && text.trim().is_empty();
    if value.as_str().is_some_and(is_blank) {
        at.note("the text is blank: one with more than white space is wanted");
    }
}

fn is_name(text: &str, longest: usize) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !text.is_empty() && text.len() <= longest && text.bytes().all(known)
}

/// Of bytes; of none there is nothing to send.
fn is_base64(text: &str) -> bool {
    let filled = text.trim_end_matches('=');
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let padding = text.len() - filled.len();
    !filled.is_empty() && text.len().is_multiple_of(4) && padding <= 2 && filled.bytes().all(known)
}

fn is_data_url(text: &str) -> bool {
    let rest = text.strip_prefix("data:");
    let halves = rest.and_then(|rest| rest.split_once(";base64,"));
    halves.is_some_and(|(kind, data)| kind.contains('/') && is_base64(data))
}

/// A schema of an object: its properties are schemas, and what it requires is among them.
fn object_schema(schema: &Value, at: &mut Findings) {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        at.note("a tool's schema has `\"type\": \"object\"`");
    }
    let properties = match schema.get("properties") {
        None => None,
        Some(Value::Object(properties)) => Some(properties),
        Some(_) => return at.member("properties", |at| at.note("properties are an object")),
    };
    for (name, property) in properties.into_iter().flatten() {
        if !property.is_object() && !property.is_boolean() {
            at.member("properties", |at| {
                at.member(name, |at| at.note("a property's schema is an object"));
            });
        }
    }
    let Some(required) = schema.get("required") else {
        return;
    };
    at.member("required", |at| match required.as_array() {
        None => at.note("`required` is a list of names"),
        Some(names) => {
            for (index, name) in names.iter().enumerate() {
                let known = name
                    .as_str()
                    .is_some_and(|name| properties.is_some_and(|all| all.contains_key(name)));
                if !known {
                    at.item(index, |at| at.note(format!("{name} is no property")));
                }
            }
        }
    });
}
