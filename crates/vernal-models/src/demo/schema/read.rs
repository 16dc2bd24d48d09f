//! Reading a schema: references, alternatives, nested objects.

use crate::demo::fill::samples;
use std::cell::Cell;

use serde_json::Value;

use super::{Choice, List, Number, Param, Shape, Text};
use crate::demo::ordered::Ordered;
use crate::demo::words::identifier_words;

/// How deep references and nested objects are followed.
const MAX_DEPTH: usize = 5;

/// How many schemas of one tool are read.
const MAX_SCHEMAS: usize = 2000;

/// The parameters of a tool, required ones first, each group in the order in which it was written.
pub(crate) fn params_of(input_schema: &str) -> Vec<Param> {
    let Some(root) = Ordered::parse(input_schema) else {
        return Vec::new();
    };
    Reader {
        root: &root,
        budget: Cell::new(MAX_SCHEMAS),
    }
    .object(&root, 0)
}

struct Reader<'a> {
    root: &'a Ordered,
    /// How many schemas may still be read: references can multiply them.
    budget: Cell<usize>,
}

impl<'a> Reader<'a> {
    fn spent(&self) -> bool {
        let left = self.budget.get();
        self.budget.set(left.saturating_sub(1));
        left == 0
    }

    fn object(&self, schema: &'a Ordered, depth: usize) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        let mut required: Vec<&str> = Vec::new();
        self.collect(schema, depth, true, &mut params, &mut required);
        for param in &mut params {
            param.required = required.contains(&param.name.as_str());
        }
        // Schemas made by programs list members by name but what is required in order of declaration.
        params.sort_by_key(|param| {
            required
                .iter()
                .position(|name| *name == param.name)
                .unwrap_or(usize::MAX)
        });
        params
    }

    fn collect(
        &self,
        schema: &'a Ordered,
        depth: usize,
        always: bool,
        params: &mut Vec<Param>,
        required: &mut Vec<&'a str>,
    ) {
        if depth > MAX_DEPTH || self.spent() {
            return;
        }
        let schema = self.resolved(schema);
        for (name, member) in schema.get("properties").map_or(&[][..], Ordered::members) {
            if params.iter().all(|known| known.name != *name) {
                params.push(self.param(name, member, depth + 1));
            }
        }
        if always {
            let names = schema.get("required").map_or(&[][..], Ordered::items);
            required.extend(names.iter().filter_map(Ordered::as_str));
        }
        for part in schema.get("allOf").map_or(&[][..], Ordered::items) {
            self.collect(part, depth + 1, always, params, required);
        }
        for key in ["anyOf", "oneOf"] {
            for part in schema.get(key).map_or(&[][..], Ordered::items) {
                self.collect(part, depth + 1, false, params, required);
            }
        }
    }

    fn resolved(&self, schema: &'a Ordered) -> &'a Ordered {
        let mut at = schema;
        for _ in 0..MAX_DEPTH {
            let Some(target) = at.get("$ref").and_then(Ordered::as_str) else {
                break;
            };
            let found = target
                .strip_prefix('#')
                .and_then(|pointer| self.root.pointer(pointer));
            let Some(next) = found else { break };
            at = next;
        }
        at
    }

    fn param(&self, name: &str, schema: &'a Ordered, depth: usize) -> Param {
        let resolved = self.resolved(schema);
        let text = |key: &str| {
            schema
                .get(key)
                .or_else(|| resolved.get(key))
                .and_then(Ordered::as_str)
                .unwrap_or_default()
        };
        let description = [text("title"), text("description")]
            .join(" ")
            .trim()
            .to_owned();
        let value = |key: &str| schema.get(key).or_else(|| resolved.get(key));
        let mut examples: Vec<Value> = value("examples")
            .map_or(&[][..], Ordered::items)
            .iter()
            .map(Ordered::to_value)
            .collect();
        examples.extend(value("example").map(Ordered::to_value));
        Param {
            name: name.to_owned(),
            words: identifier_words(name),
            about: identifier_words(&description),
            foreign: Vec::new(),
            samples: samples(&description),
            description,
            shape: self.shape(schema, depth),
            required: false,
            default: value("default")
                .map(Ordered::to_value)
                .filter(|value| !value.is_null()),
            examples,
        }
    }

    fn shape(&self, schema: &'a Ordered, depth: usize) -> Shape {
        if depth > MAX_DEPTH || self.spent() {
            return Shape::Anything;
        }
        let schema = self.resolved(schema);
        if let Some(values) = schema.get("enum") {
            return Shape::Choice(
                values
                    .items()
                    .iter()
                    .filter_map(|v| choice(v.to_value(), ""))
                    .collect(),
            );
        }
        if let Some(value) = schema.get("const") {
            return Shape::Choice(choice(value.to_value(), "").into_iter().collect());
        }
        let kinds: Vec<&str> = match schema.get("type") {
            Some(Ordered::Array(kinds)) => kinds.iter().filter_map(Ordered::as_str).collect(),
            Some(kind) => kind.as_str().into_iter().collect(),
            None => Vec::new(),
        };
        let known: Vec<Shape> = kinds
            .iter()
            .filter_map(|kind| self.shape_of_kind(kind, schema, depth))
            .collect();
        if let Some(shape) = one_of(known) {
            return shape;
        }
        for key in ["anyOf", "oneOf"] {
            let parts = schema.get(key).map_or(&[][..], Ordered::items);
            if let Some(shape) = self.alternatives(parts, depth) {
                return shape;
            }
        }
        let parts = schema.get("allOf").map_or(&[][..], Ordered::items);
        if let Some(part) = parts.first().filter(|_| parts.len() == 1) {
            return self.shape(part, depth + 1);
        }
        if schema.get("properties").is_some() || !parts.is_empty() {
            return Shape::Object(self.object(schema, depth + 1));
        }
        Shape::Anything
    }

    fn shape_of_kind(&self, kind: &str, schema: &'a Ordered, depth: usize) -> Option<Shape> {
        let count = |key: &str| {
            schema
                .get(key)
                .and_then(Ordered::as_f64)
                .map(|n| n.max(0.0) as usize)
        };
        let number = |key: &str| schema.get(key).and_then(Ordered::as_f64);
        let text = |key: &str| schema.get(key).and_then(Ordered::as_str).map(str::to_owned);
        Some(match kind {
            "string" => Shape::Text(Text {
                format: text("format"),
                pattern: text("pattern"),
                min: count("minLength"),
                max: count("maxLength"),
            }),
            "integer" | "number" => Shape::Number(Number {
                integer: kind == "integer",
                min: number("minimum"),
                max: number("maximum"),
                above: number("exclusiveMinimum"),
                below: number("exclusiveMaximum"),
                multiple: number("multipleOf").filter(|n| *n > 0.0),
            }),
            "boolean" => Shape::Boolean,
            "array" => {
                const ANY: &Ordered = &Ordered::Other(Value::Bool(true));
                let items = schema.get("items").unwrap_or(ANY);
                Shape::List(Box::new(List {
                    item: self.param("", items, depth + 1),
                    min: count("minItems").unwrap_or(0),
                    max: count("maxItems"),
                }))
            }
            "object" => Shape::Object(self.object(schema, depth + 1)),
            _ => return None,
        })
    }

    fn alternatives(&self, parts: &'a [Ordered], depth: usize) -> Option<Shape> {
        let not_null = |part: &&Ordered| part.get("type").and_then(Ordered::as_str) != Some("null");
        let parts: Vec<&Ordered> = parts.iter().filter(not_null).collect();
        let mut choices = Vec::new();
        let mut shapes = Vec::new();
        for part in parts {
            let about = part
                .get("description")
                .and_then(Ordered::as_str)
                .unwrap_or_default();
            if let Some(value) = part.get("const") {
                choices.extend(choice(value.to_value(), about));
                continue;
            }
            match self.shape(part, depth + 1) {
                Shape::Choice(more) => choices.extend(more),
                other => shapes.push(other),
            }
        }
        if !choices.is_empty() {
            shapes.insert(0, Shape::Choice(choices));
        }
        one_of(shapes)
    }
}

fn one_of(mut shapes: Vec<Shape>) -> Option<Shape> {
    match shapes.len() {
        0 => None,
        1 => shapes.pop(),
        _ => Some(Shape::Either(shapes)),
    }
}

fn choice(value: Value, about: &str) -> Option<Choice> {
    let text = match &value {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Some(Choice {
        words: identifier_words(&text),
        about: identifier_words(about),
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_parameters_come_first_in_their_order() {
        let params = params_of(
            r#"{"type":"object","properties":{"b":{"type":"string"},"x":{"type":"integer"},
                "a":{"type":"string"}},"required":["x","a"]}"#,
        );
        let names: Vec<_> = params
            .iter()
            .map(|param| (param.name.as_str(), param.required))
            .collect();
        assert_eq!(names, [("x", true), ("a", true), ("b", false)]);
    }

    #[test]
    fn references_and_nullable_alternatives_are_followed() {
        let params = params_of(
            r##"{"type":"object","properties":{
                "u":{"anyOf":[{"$ref":"#/$defs/Unit"},{"type":"null"}]},
                "p":{"type":["string","null"]},
                "n":{"allOf":[{"$ref":"#/$defs/Node"}]}},
               "$defs":{"Unit":{"oneOf":[{"const":"c","description":"Celsius"},{"const":"f"}]},
                        "Node":{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"}}}}}"##,
        );
        let shape = |name: &str| {
            params
                .iter()
                .find(|param| param.name == name)
                .map(|p| &p.shape)
        };
        assert!(matches!(shape("u"), Some(Shape::Choice(choices)) if choices.len() == 2));
        assert!(matches!(shape("p"), Some(Shape::Text(_))));
        assert!(matches!(shape("n"), Some(Shape::Object(_))));
    }

    #[test]
    fn odd_schemas_have_no_parameters() {
        for odd in [
            "",
            "[]",
            "{}",
            r#"{"properties":3,"required":"x"}"#,
            r##"{"$ref":"#"}"##,
        ] {
            assert!(params_of(odd).is_empty(), "{odd}");
        }
    }

    #[test]
    fn bounds_are_kept() {
        let number = Number {
            integer: true,
            min: Some(1.0),
            max: Some(5.0),
            ..Number::default()
        };
        assert!(number.allows(5.0) && !number.allows(6.0) && !number.allows(1.5));
    }
}
