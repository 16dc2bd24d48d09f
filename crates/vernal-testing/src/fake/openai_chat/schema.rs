//! The schema of a function, strict or not: the same in both APIs.

use serde_json::Value;

use crate::fake::shape::{OBJECT_SCHEMA, Shape, flat_root};
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
