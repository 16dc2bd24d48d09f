//! JSON Schemas in the subset that providers hold an answer to.

use serde_json::{Map, Value, json};

/// What a provider's subset leaves out beside what all of them do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subset {
    /// Knows bounds of numbers and lists, patterns and schemas within themselves.
    #[cfg_attr(not(feature = "openai"), allow(dead_code))]
    WithBounds,
    /// Knows none of these.
    #[cfg_attr(not(feature = "anthropic"), allow(dead_code))]
    Plain,
}

/// Words whose loss would allow what the schema forbids in a way that no instruction mends, or that cannot
/// be said strictly at all: such a schema is no strict one.
const REFUSED: [&str; 16] = [
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "prefixItems",
    "contains",
    "$dynamicRef",
];

const BOUNDS: [&str; 8] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "pattern",
];

const FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// The schema in the subset, or `None` where it has no word for something in it.
///
/// Every member of an object is required, for an answer with all of them fits the schema as it was, and
/// bounds that the subset does not know are left out: the answer is checked against the whole schema
/// anyway.
pub(crate) fn strict(schema: &str, subset: Subset) -> Option<String> {
    let root: Value = serde_json::from_str(schema).ok()?;
    let mut lowering = Lowering {
        root: &root,
        subset,
        open: Vec::new(),
    };
    let strict = lowering.schema(&root)?;
    let is_object = strict.get("type").and_then(Value::as_str) == Some("object");
    is_object.then(|| Value::Object(strict).to_string())
}

struct Lowering<'a> {
    root: &'a Value,
    subset: Subset,
    /// The references that are being followed, to find a schema within itself.
    open: Vec<&'a str>,
}

impl<'a> Lowering<'a> {
    fn schema(&mut self, schema: &'a Value) -> Option<Map<String, Value>> {
        let fields = schema.as_object()?;
        if REFUSED.iter().any(|word| fields.contains_key(*word)) {
            return None;
        }
        let mut out = Map::new();
        if let Some(to) = fields.get("$ref") {
            self.follow(to.as_str()?)?;
            out.insert("$ref".to_owned(), to.clone());
            return Some(out);
        }
        for (name, value) in fields {
            self.keyword(&mut out, name, value)?;
        }
        if let Some(constant) = fields.get("const") {
            out.insert("enum".to_owned(), json!([constant]));
        }
        add_type(&mut out);
        if out.get("type").is_some_and(|kind| names(kind, "object")) {
            close(&mut out, fields)?;
        }
        let says_something = ["type", "enum", "anyOf"];
        says_something
            .iter()
            .any(|word| out.contains_key(*word))
            .then_some(out)
    }

    fn keyword(
        &mut self,
        out: &mut Map<String, Value>,
        name: &'a str,
        value: &'a Value,
    ) -> Option<()> {
        let lowered = match name {
            "type" | "enum" | "description" => value.clone(),
            "anyOf" | "oneOf" => {
                let choices = value.as_array()?.iter().map(|choice| self.schema(choice));
                let choices: Option<Vec<_>> = choices.map(|c| c.map(Value::Object)).collect();
                if out.contains_key("anyOf") {
                    return None;
                }
                out.insert("anyOf".to_owned(), Value::Array(choices?));
                return Some(());
            }
            "properties" | "$defs" => Value::Object(self.named(value.as_object()?)?),
            "items" => Value::Object(self.schema(value)?),
            "format" => match FORMATS.contains(&value.as_str()?) {
                true => value.clone(),
                false => return Some(()),
            },
            bound if BOUNDS.contains(&bound) && self.subset == Subset::WithBounds => value.clone(),
            // Notes, bounds that the subset does not know, and what `close` writes.
            _ => return Some(()),
        };
        out.insert(name.to_owned(), lowered);
        Some(())
    }

    fn named(&mut self, schemas: &'a Map<String, Value>) -> Option<Map<String, Value>> {
        let lowered = schemas
            .iter()
            .map(|(name, schema)| Some((name.clone(), Value::Object(self.schema(schema)?))));
        lowered.collect()
    }

    /// Looks where a reference leads, if a schema within itself is to be refused.
    fn follow(&mut self, to: &'a str) -> Option<()> {
        let root = self.root;
        let target = root.pointer(to.strip_prefix('#')?)?;
        if self.subset == Subset::WithBounds {
            return Some(());
        }
        if self.open.contains(&to) {
            return None;
        }
        self.open.push(to);
        let followed = self.schema(target);
        self.open.pop();
        followed.map(drop)
    }
}

/// The kind of the values of an `enum` that does not name it.
fn add_type(out: &mut Map<String, Value>) {
    if out.contains_key("type") {
        return;
    }
    let Some(values) = out.get("enum").and_then(Value::as_array) else {
        return;
    };
    let kind = match values.first() {
        Some(Value::String(_)) if values.iter().all(Value::is_string) => "string",
        Some(Value::Bool(_)) if values.iter().all(Value::is_boolean) => "boolean",
        Some(Value::Number(_)) if values.iter().all(Value::is_number) => "number",
        Some(Value::Null) if values.len() == 1 => "null",
        _ => return,
    };
    out.insert("type".to_owned(), kind.into());
}

fn names(kind: &Value, name: &str) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == name),
        kind => kind == name,
    }
}

/// Requires every member of an object and forbids others; one with members of any name is refused.
fn close(out: &mut Map<String, Value>, fields: &Map<String, Value>) -> Option<()> {
    match fields.get("additionalProperties") {
        None | Some(Value::Bool(false)) => {}
        Some(_) => return None,
    }
    let members = out
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    let all: Value = members.as_object()?.keys().cloned().collect();
    out.insert("required".to_owned(), all);
    out.insert("additionalProperties".to_owned(), false.into());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(schema: Value, subset: Subset) -> Option<Value> {
        let text = strict(&schema.to_string(), subset)?;
        Some(serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn every_member_is_required_and_unknown_words_are_left_out() {
        let schema = json!({
            "type": "object",
            "title": "T",
            "properties": {
                "a": {"type": ["string", "null"], "minLength": 2, "default": null},
                "n": {"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255},
                "when": {"type": "string", "format": "date-time", "description": "when"},
                "kind": {"oneOf": [{"const": "x"}, {"enum": [1, 2]}, {"$ref": "#/$defs/U", "title": "u"}]},
                "list": {"type": "array", "items": {"type": "object", "properties": {}, "additionalProperties": false}, "minItems": 1},
            },
            "required": ["n"],
            "additionalProperties": false,
            "$defs": {"U": {"type": "string", "enum": ["u"]}},
        });
        let mut expected = json!({
            "type": "object",
            "properties": {
                "a": {"type": ["string", "null"]},
                "n": {"type": "integer", "minimum": 0, "maximum": 255},
                "when": {"type": "string", "format": "date-time", "description": "when"},
                "kind": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "number", "enum": [1, 2]}, {"$ref": "#/$defs/U"}]},
                "list": {"type": "array", "items": {"type": "object", "properties": {}, "required": [], "additionalProperties": false}, "minItems": 1},
            },
            "required": ["a", "kind", "list", "n", "when"],
            "additionalProperties": false,
            "$defs": {"U": {"type": "string", "enum": ["u"]}},
        });
        let with_bounds = lowered(schema.clone(), Subset::WithBounds);
        assert_eq!(with_bounds.as_ref(), Some(&expected));
        let members = expected["properties"].as_object_mut().unwrap();
        members["n"] = json!({"type": "integer"});
        members["list"].as_object_mut().unwrap().remove("minItems");
        assert_eq!(lowered(schema, Subset::Plain), Some(expected));
    }

    #[test]
    fn what_cannot_be_said_strictly_is_refused() {
        let object = |member: Value| json!({"type": "object", "properties": {"m": member}});
        for member in [
            json!({}),
            json!(true),
            json!({"description": "anything"}),
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            json!({"type": "object", "additionalProperties": true}),
            json!({"type": ["object", "null"], "additionalProperties": true}),
            json!({"allOf": [{"type": "string"}]}),
            json!({"not": {"type": "string"}}),
            json!({"type": "array", "prefixItems": [{"type": "string"}]}),
            json!({"type": "array", "items": true}),
            json!({"anyOf": [{"type": "string"}, {}]}),
            json!({"$ref": "#/$defs/None"}),
            json!({"$ref": "elsewhere"}),
        ] {
            for subset in [Subset::WithBounds, Subset::Plain] {
                assert_eq!(lowered(object(member.clone()), subset), None, "{member}");
            }
        }
        for root in [
            json!({"type": "string"}),
            json!({"anyOf": [{"type": "string"}]}),
        ] {
            assert_eq!(lowered(root, Subset::WithBounds), None);
        }
    }

    #[test]
    fn a_schema_within_itself_is_for_those_who_know_it() {
        let tree = json!({
            "type": "object",
            "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]}},
            "$defs": {"Tree": {"type": "object", "properties": {"all": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}},
        });
        assert!(lowered(tree.clone(), Subset::WithBounds).is_some());
        assert_eq!(lowered(tree, Subset::Plain), None);
    }
}
