//! Schemas and values by chance, the same for the same seed.

use serde_json::{Map, Value, json};

pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % bound
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

/// A schema for a tool's input.
pub(crate) fn root(chance: &mut Chance) -> Value {
    let mut root = match chance.below(6) {
        0 => json!({"type": "object", "oneOf": [tagged(chance, "a"), tagged(chance, "b")]}),
        1 => json!({"type": "object", "anyOf": [object(chance, 2), object(chance, 2)]}),
        2 => {
            json!({"allOf": [open_object(chance), open_object(chance)], "unevaluatedProperties": false})
        }
        _ => object(chance, 3),
    };
    let tree = json!({"type": "object", "properties": {
        "value": schema(chance, 1), "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
        "required": ["value"], "additionalProperties": false});
    root["$defs"] = json!({"Leaf": schema(chance, 2), "Tree": tree});
    root
}

fn schema(chance: &mut Chance, depth: usize) -> Value {
    let kinds = if depth == 0 { 8 } else { 20 };
    match chance.below(kinds) {
        0 => maybe(
            chance,
            json!({"type": "string"}),
            &[("minLength", 1), ("maxLength", 4)],
        ),
        1 => json!({"type": "string", "format": (["date", "uri"][chance.below(2)]), "title": "T"}),
        2 => {
            let integer = json!({"type": "integer", "description": "Said."});
            maybe(
                chance,
                integer,
                &[("minimum", 0), ("exclusiveMaximum", 9), ("multipleOf", 2)],
            )
        }
        3 => json!({"type": "number", "default": 1.5}),
        4 => json!({"type": "boolean"}),
        5 => json!({"enum": ([["a", "b"], ["b", "c"]][chance.below(2)])}),
        6 => json!({"const": (["k", "l"])[chance.below(2)]}),
        7 => json!({"type": ["integer", "null"]}),
        8 => json!({"enum": [1, "a", null]}),
        9 => {
            let list = json!({"type": "array", "items": schema(chance, depth - 1)});
            maybe(chance, list, &[("minItems", 1), ("maxItems", 3)])
        }
        10 => {
            json!({"type": "array", "prefixItems": [schema(chance, depth - 1), schema(chance, 0)], "items": false})
        }
        11 => json!({"anyOf": [schema(chance, depth - 1), {"type": "null"}]}),
        12 => json!({"oneOf": [tagged(chance, "x"), tagged(chance, "y")], "description": "Said."}),
        13 => json!({"$ref": "#/$defs/Leaf", "description": "Own."}),
        14 => json!({"$ref": "#/$defs/Tree"}),
        15 if chance.one_in(3) => {
            json!({"type": "object", "additionalProperties": schema(chance, 0)})
        }
        16 if chance.one_in(3) => json!({}),
        17 => json!({"allOf": [open_object(chance), open_object(chance)]}),
        18 => json!({"type": "string", "not": {"const": "zz"}}),
        _ => object(chance, depth - 1),
    }
}

fn maybe(chance: &mut Chance, mut schema: Value, bounds: &[(&str, u8)]) -> Value {
    for (name, bound) in bounds {
        if chance.one_in(3) {
            schema[*name] = json!(bound);
        }
    }
    schema
}

fn object(chance: &mut Chance, depth: usize) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for name in ["p", "q", "r s", "t~/"].iter().take(chance.below(4) + 1) {
        properties.insert((*name).to_owned(), schema(chance, depth));
        if chance.one_in(2) {
            required.push(*name);
        }
    }
    let mut object = json!({"type": "object", "properties": properties, "required": required});
    if !chance.one_in(5) {
        object["additionalProperties"] = json!(false);
    }
    object
}

/// An object that says nothing of other members.
fn open_object(chance: &mut Chance) -> Value {
    let name = ["u", "v", "w"][chance.below(3)];
    json!({"type": "object", "properties": {name: schema(chance, 0)}, "required": [name]})
}

fn tagged(chance: &mut Chance, tag: &str) -> Value {
    json!({"type": "object", "properties": {"kind": {"const": tag}, "value": schema(chance, 1)},
           "required": ["kind"], "additionalProperties": false})
}

/// Something else in one place of a schema, which then mostly makes no sense.
pub(crate) fn disturb(schema: &mut Value, chance: &mut Chance) {
    let inside = match schema {
        Value::Object(members) => members.values_mut().collect::<Vec<_>>(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    let count = inside.len();
    if count > 0 && !chance.one_in(4) {
        let at = chance.below(count);
        return disturb(inside.into_iter().nth(at).unwrap(), chance);
    }
    *schema = match chance.below(12) {
        0 => json!({"$ref": "#"}),
        1 => json!({"$ref": "#/$defs/Tree/properties"}),
        2 => json!({"$ref": "#/$defs/No~1where%20"}),
        3 => json!({"allOf": [{"$ref": "#/$defs/Leaf"}, true, 3, {"allOf": [{"$ref": "#"}]}]}),
        4 => json!({"anyOf": [{"$ref": "#"}, false, [], {"oneOf": []}]}),
        5 => json!([{"type": "string"}, false]),
        6 => json!({"type": ["object", "array", "null"], "items": [true], "enum": [null, {}]}),
        7 => json!("object"),
        8 => json!(false),
        9 => json!(1e30),
        10 => {
            json!({"prefixItems": [], "items": {}, "patternProperties": {"(": {"$ref": "#/$defs/Leaf"}}})
        }
        _ => json!(null),
    };
}

/// A value that the schema might take.
pub(crate) fn value(schema: &Value, root: &Value, chance: &mut Chance, depth: usize) -> Value {
    if depth == 0 {
        return [json!({}), json!([]), json!("a"), json!(null), json!(2)][chance.below(5)].clone();
    }
    let next = depth - 1;
    if let Some(to) = schema["$ref"].as_str() {
        return value(root.pointer(&to[1..]).unwrap(), root, chance, next);
    }
    for choices in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[choices].as_array() {
            let chosen = chance.below(choices.len());
            return value(&choices[chosen], root, chance, next);
        }
    }
    if let Some(all) = schema["allOf"].as_array() {
        let mut whole = Map::new();
        for one in all {
            if let Value::Object(members) = value(one, root, chance, next) {
                whole.extend(members);
            }
        }
        return whole.into();
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(values) = schema["enum"].as_array() {
        return values[chance.below(values.len())].clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[chance.below(kinds.len())].clone(),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("object") => {
            let mut members = Map::new();
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                if required.contains(&json!(name)) || chance.one_in(2) {
                    members.insert(name.clone(), value(property, root, chance, next));
                }
            }
            if schema["additionalProperties"].is_object() {
                members.insert(
                    "more".into(),
                    value(&schema["additionalProperties"], root, chance, next),
                );
            }
            members.into()
        }
        Some("array") => {
            if let Some(first) = schema["prefixItems"].as_array() {
                return first
                    .iter()
                    .map(|item| value(item, root, chance, next))
                    .collect();
            }
            let length = chance.below(3);
            (0..length)
                .map(|_| value(&schema["items"], root, chance, next))
                .collect()
        }
        Some("string") => json!("abcd"[..chance.below(4)]),
        Some("integer") => json!(chance.below(10)),
        Some("number") => json!(chance.below(10) as f64 / 4.0),
        Some("boolean") => json!(chance.one_in(2)),
        Some("null") => Value::Null,
        _ => [json!({"x": 1}), json!(1), json!(null)][chance.below(3)].clone(),
    }
}
