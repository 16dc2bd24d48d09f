//! JSON Schemas in the subset of OpenAPI 3.0 that Google's `Schema` reads.

use serde_json::{Map, Value, json};

use super::schema::plain;

/// Words that mean the same in both.
const SAME: [&str; 9] = [
    "description",
    "required",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
];

/// Formats that the reader knows; any other is refused.
const FORMATS: [&str; 7] = [
    "int32",
    "int64",
    "float",
    "double",
    "date-time",
    "enum",
    "byte",
];

/// The schema in that subset; `None` for an object without members, which is refused.
pub(crate) fn open_api(schema: &str) -> Option<String> {
    let value: Value = serde_json::from_str(&plain(schema)).ok()?;
    let lowered = lowered(&value);
    let members = lowered.get("properties").and_then(Value::as_object);
    let is_empty = members.is_none_or(Map::is_empty) && !lowered.contains_key("anyOf");
    (!is_empty).then(|| Value::Object(lowered).to_string())
}

fn lowered(schema: &Value) -> Map<String, Value> {
    let mut out = Map::new();
    let Value::Object(fields) = schema else {
        return out;
    };
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("type", kinds) => push_kinds(&mut out, kinds),
            ("anyOf", Value::Array(choices)) => push_choices(&mut out, choices),
            ("properties", Value::Object(members)) => {
                let member = |(name, member): (&String, &Value)| {
                    (name.clone(), Value::Object(lowered(member)))
                };
                out.insert(name.clone(), members.iter().map(member).collect());
            }
            ("items", items) => {
                out.insert(name.clone(), Value::Object(lowered(items)));
            }
            ("format", Value::String(format)) if FORMATS.contains(&format.as_str()) => {
                out.insert(name.clone(), value.clone());
            }
            (name, value) if SAME.contains(&name) => {
                out.insert(name.to_owned(), value.clone());
            }
            _ => {}
        }
    }
    if let Some(Value::Array(values)) = fields.get("enum") {
        push_enum(&mut out, values);
    }
    complete(&mut out);
    out
}

/// A list of kinds becomes a choice; `null` becomes `nullable`.
fn push_kinds(out: &mut Map<String, Value>, kinds: &Value) {
    let list = kinds
        .as_array()
        .map_or(std::slice::from_ref(kinds), Vec::as_slice);
    let (null, kinds): (Vec<&Value>, Vec<&Value>) = list.iter().partition(|kind| *kind == "null");
    if !null.is_empty() {
        out.insert("nullable".to_owned(), true.into());
    }
    match kinds.as_slice() {
        [] => {}
        [one] => {
            out.insert("type".to_owned(), (*one).clone());
        }
        several => {
            let choices = several.iter().map(|kind| json!({ "type": kind }));
            out.insert("anyOf".to_owned(), choices.collect());
        }
    }
}

/// A choice of one is that one.
fn push_choices(out: &mut Map<String, Value>, choices: &[Value]) {
    let is_null = |choice: &&Value| choice.get("type").is_some_and(|kind| kind == "null");
    if choices.iter().any(|choice| is_null(&choice)) {
        out.insert("nullable".to_owned(), true.into());
    }
    let mut rest: Vec<_> = choices
        .iter()
        .filter(|c| !is_null(c))
        .map(lowered)
        .collect();
    if rest.len() > 1 {
        out.insert("anyOf".to_owned(), rest.into_iter().collect());
    } else if let Some(only) = rest.pop() {
        for (name, value) in only {
            out.entry(name).or_insert(value);
        }
    }
}

/// Only texts can be listed; other values are told in the description.
fn push_enum(out: &mut Map<String, Value>, values: &[Value]) {
    let (null, values): (Vec<&Value>, Vec<&Value>) = values.iter().partition(|v| v.is_null());
    if !null.is_empty() {
        out.insert("nullable".to_owned(), true.into());
    }
    if values.iter().all(|value| value.is_string()) {
        out.insert("type".to_owned(), "string".into());
        out.insert("enum".to_owned(), values.into_iter().cloned().collect());
        return;
    }
    let listed: Vec<_> = values.iter().map(|value| value.to_string()).collect();
    let listed = format!("One of: {}.", listed.join(", "));
    let said = out.get("description").and_then(Value::as_str);
    let said = said.map_or_else(|| listed.clone(), |said| format!("{said} {listed}"));
    out.insert("description".to_owned(), said.into());
}

/// What has members is an object, and a list is one of something.
fn complete(out: &mut Map<String, Value>) {
    if out.contains_key("properties") && !out.contains_key("type") {
        out.insert("type".to_owned(), "object".into());
    }
    if out.get("type").is_some_and(|kind| kind == "array") && !out.contains_key("items") {
        out.insert("items".to_owned(), json!({ "type": "string" }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_json_schema_become_words_of_open_api() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Input",
            "type": "object",
            "additionalProperties": false,
            "required": ["a"],
            "properties": {
                "a": {"type": ["string", "null"], "format": "uri", "minLength": 1},
                "b": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}], "description": "own"},
                "c": {"type": "integer", "enum": [1, 2], "format": "int64", "exclusiveMinimum": 0},
                "d": {"type": "array"},
                "e": {"type": ["string", "number"]},
                "f": {"oneOf": [{"const": "x"}, {"type": "boolean"}]},
                "g": {"properties": {"h": true}},
            },
            "$defs": {"B": {"enum": ["p", "q", null], "description": "of B"}},
        });
        let expected = json!({
            "type": "object",
            "required": ["a"],
            "properties": {
                "a": {"type": "string", "nullable": true, "minLength": 1},
                "b": {"type": "string", "enum": ["p", "q"], "nullable": true, "description": "own"},
                "c": {"type": "integer", "format": "int64", "description": "One of: 1, 2."},
                "d": {"type": "array", "items": {"type": "string"}},
                "e": {"anyOf": [{"type": "string"}, {"type": "number"}]},
                "f": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "boolean"}]},
                "g": {"type": "object", "properties": {"h": {}}},
            },
        });
        let text = open_api(&schema.to_string()).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
    }

    #[test]
    fn no_arguments_are_no_schema() {
        for schema in [
            r#"{"type":"object","properties":{}}"#,
            r#"{"type":"object"}"#,
            "true",
            "?",
        ] {
            assert_eq!(open_api(schema), None, "{schema}");
        }
    }
}
