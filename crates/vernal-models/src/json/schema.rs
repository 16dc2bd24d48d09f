//! JSON Schemas for servers that read only part of the language.

use serde_json::{Map, Value, json};

/// How deep a schema is followed; what lies deeper takes any value.
const DEEPEST: usize = 32;

/// The schema in the words that a typed reader of schemas knows: references are replaced by what they
/// mean, `oneOf` becomes `anyOf`, `const` an `enum` of one, an `allOf` of one its member, and schemas
/// that are `true` or `false` become `{}`. A reference within itself takes any value. A schema that has
/// none of these stays as it was written.
pub(crate) fn plain(schema: &str) -> String {
    let Ok(root) = serde_json::from_str::<Value>(schema) else {
        return schema.to_owned();
    };
    let mut lowered = Lowering {
        root: &root,
        following: Vec::new(),
    }
    .schema(&root, 0);
    if lowered == root {
        return schema.to_owned();
    }
    if let Value::Object(fields) = &mut lowered {
        fields.remove("$defs");
        fields.remove("definitions");
    }
    lowered.to_string()
}

struct Lowering<'a> {
    root: &'a Value,
    /// The references that are being followed.
    following: Vec<String>,
}

impl Lowering<'_> {
    fn schema(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(fields) = schema else {
            return json!({});
        };
        if depth > DEEPEST {
            return json!({});
        }
        if let Some(Value::String(to)) = fields.get("$ref") {
            return self.reference(to, fields, depth);
        }
        let mut plain = Map::new();
        for (name, value) in fields {
            match (name.as_str(), value) {
                ("properties" | "$defs" | "definitions", Value::Object(members)) => {
                    let member = |(name, member): (&String, &Value)| {
                        (name.clone(), self.schema(member, depth + 1))
                    };
                    plain.insert(name.clone(), members.iter().map(member).collect());
                }
                ("items", Value::Object(_) | Value::Bool(_)) => {
                    plain.insert(name.clone(), self.schema(value, depth + 1));
                }
                ("oneOf" | "anyOf", Value::Array(choices)) => {
                    let choices = choices.iter().map(|choice| self.schema(choice, depth + 1));
                    plain.insert("anyOf".to_owned(), choices.collect());
                }
                ("allOf", Value::Array(all)) if all.len() == 1 => {
                    for member in all {
                        if let Value::Object(member) = self.schema(member, depth + 1) {
                            merge(&mut plain, member);
                        }
                    }
                }
                ("const", value) => {
                    plain.insert("enum".to_owned(), json!([value]));
                }
                _ => {
                    plain.insert(name.clone(), value.clone());
                }
            }
        }
        Value::Object(plain)
    }

    /// What a reference means, with the words beside it, which say more than what it points to.
    fn reference(&mut self, to: &str, beside: &Map<String, Value>, depth: usize) -> Value {
        let mut own = beside.clone();
        own.remove("$ref");
        let known = !self.following.iter().any(|open| open == to);
        let target = to
            .strip_prefix('#')
            .and_then(|path| self.root.pointer(path));
        if let Some(target) = target.filter(|_| known) {
            self.following.push(to.to_owned());
            if let Value::Object(target) = self.schema(target, depth + 1) {
                merge(&mut own, target);
            }
            self.following.pop();
        }
        Value::Object(own)
    }
}

fn merge(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (name, value) in from {
        into.entry(name).or_insert(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(schema: Value) -> Value {
        serde_json::from_str(&plain(&schema.to_string())).unwrap()
    }

    #[test]
    fn what_is_plain_stays_as_it_was_written() {
        let schema = r#"{"type":"object", "properties":{"b":{"type":["string","null"]},"a":{"items":{"type":"number"}}}}"#;
        assert_eq!(plain(schema), schema);
        assert_eq!(plain("no json"), "no json");
    }

    #[test]
    fn other_words_are_replaced() {
        let schema = json!({
            "type": "object",
            "properties": {
                "any": true,
                "unit": {"$ref": "#/$defs/Unit", "description": "own"},
                "list": {"type": "array", "items": true},
                "one": {"oneOf": [{"const": "a"}, {"type": "null"}]},
                "all": {"allOf": [{"$ref": "#/$defs/Unit"}], "default": "C"},
                "nowhere": {"$ref": "#/$defs/None"},
            },
            "$defs": {"Unit": {"type": "string", "enum": ["C", "F"], "description": "of Unit"}},
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "any": {},
                "unit": {"type": "string", "enum": ["C", "F"], "description": "own"},
                "list": {"type": "array", "items": {}},
                "one": {"anyOf": [{"enum": ["a"]}, {"type": "null"}]},
                "all": {"type": "string", "enum": ["C", "F"], "description": "of Unit", "default": "C"},
                "nowhere": {},
            },
        });
        assert_eq!(lowered(schema), expected);
    }

    #[test]
    fn a_schema_within_itself_ends() {
        let tree = json!({"type": "object", "properties": {
            "left": {"$ref": "#"}, "right": {"$ref": "#/properties/left"}
        }});
        let text = plain(&tree.to_string());
        assert!(!text.contains("$ref") && text.len() < 1000, "{text}");
    }
}
