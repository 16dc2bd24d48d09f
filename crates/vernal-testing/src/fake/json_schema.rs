//! Rules about the schemas of tools.

use std::collections::BTreeSet;

use serde_json::Value;

use super::violation::Findings;

/// What strict tools need of every object in a schema: no other properties, and all of them required.
pub(crate) fn is_strict(schema: &Value, at: &mut Findings) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        if schema.get("additionalProperties") != Some(&Value::Bool(false)) {
            at.note("a strict schema has `\"additionalProperties\": false` in every object");
        }
        let required: BTreeSet<&str> = names(schema.get("required")).collect();
        for (name, property) in properties {
            at.member("properties", |at| {
                at.member(name, |at| {
                    if !required.contains(name.as_str()) {
                        at.note("a strict schema requires every property");
                    }
                    is_strict(property, at);
                });
            });
        }
    }
    if let Some(items) = schema.get("items") {
        at.member("items", |at| is_strict(items, at));
    }
    for list in ["anyOf", "allOf"] {
        let schemas = schema.get(list).and_then(Value::as_array);
        for (index, schema) in schemas.into_iter().flatten().enumerate() {
            at.member(list, |at| at.item(index, |at| is_strict(schema, at)));
        }
    }
    let defined = schema.get("$defs").and_then(Value::as_object);
    for (name, schema) in defined.into_iter().flatten() {
        at.member("$defs", |at| at.member(name, |at| is_strict(schema, at)));
    }
}

fn names(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// No two tools have one name. `name` says where the name of a tool is.
pub(crate) fn distinct<'a>(
    tools: impl Iterator<Item = Option<&'a str>>,
    at: &mut Findings,
) -> BTreeSet<&'a str> {
    let mut known = BTreeSet::new();
    for (index, name) in tools.enumerate() {
        let Some(name) = name else { continue };
        if !known.insert(name) {
            at.member("tools", |at| {
                at.item(index, |at| {
                    at.note(format!("another tool is called `{name}` too"))
                });
            });
        }
    }
    known
}

/// What names a tool names one that is offered.
pub(crate) fn offered(name: Option<&str>, tools: &BTreeSet<&str>, at: &mut Findings) {
    if let Some(name) = name
        && !tools.contains(name)
    {
        at.note(format!("`{name}` is no tool of this request"));
    }
}
