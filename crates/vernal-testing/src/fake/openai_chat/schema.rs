//! The schema of a function, strict or not: the same in both APIs.

use serde_json::Value;

use crate::fake::shape::{OBJECT_SCHEMA, Shape, flat_root};
use crate::fake::strict_schema;
use crate::fake::violation::Findings;

pub(crate) static FUNCTION_SCHEMA: Shape = Shape::Ruled(&OBJECT_SCHEMA, function_schema);

fn function_schema(schema: &Value, at: &mut Findings) {
    flat_root(schema, &["oneOf", "anyOf", "allOf", "enum", "not"], at);
    items(schema, at);
}

/// A list says what is in it, wherever it stands.
fn items(schema: &Value, at: &mut Findings) {
    let is_list = schema.get("type").is_some_and(|kind| kind == "array");
    if is_list && schema.get("items").is_none() && schema.get("prefixItems").is_none() {
        at.note("array schema missing items");
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        at.member("properties", |at| at.member(name, |at| items(property, at)));
    }
    if let Some(inner) = schema.get("items") {
        at.member("items", |at| items(inner, at));
    }
    let choices = schema.get("anyOf").and_then(Value::as_array);
    for (index, choice) in choices.into_iter().flatten().enumerate() {
        at.member("anyOf", |at| at.item(index, |at| items(choice, at)));
    }
}

/// The schema that a strict answer has.
pub(crate) fn answer_schema(format: &Value, at: &mut Findings) {
    let Some(schema) = format.get("schema") else {
        return;
    };
    if format.get("strict") != Some(&Value::Bool(true)) {
        return;
    }
    at.member("schema", |at| {
        if schema.get("type").is_none_or(|kind| kind != "object") {
            at.note("the schema of an answer has `\"type\": \"object\"`");
        }
        flat_root(schema, &["anyOf"], at);
        strict_schema::OPENAI.check(schema, at);
    });
}

/// JSON without a schema is asked for in words too.
pub(crate) fn mentions_json(format: Option<&Value>, said: &[Option<&Value>], at: &mut Findings) {
    if format.is_none_or(|format| format.get("type").is_none_or(|kind| kind != "json_object")) {
        return;
    }
    let mut said = said.iter().copied().flatten();
    if !said.any(|said| said.to_string().to_lowercase().contains("json")) {
        at.note("the messages must contain the word 'json' in some form to use 'json_object'");
    }
}
