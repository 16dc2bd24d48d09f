//! What strict mode asks of a tool's schema: no two providers ask the same.

use std::collections::BTreeSet;

use serde_json::Value;

use super::violation::Findings;

/// A provider's strict mode.
#[derive(Debug)]
pub(crate) struct Strict {
    /// Whether every property is required.
    all_required: bool,
    /// Keywords that are refused.
    refused: &'static [&'static str],
    /// The formats of texts that are taken.
    formats: &'static [&'static str],
    /// Whether a schema may be `true` or `false`.
    takes_booleans: bool,
    /// Whether a schema may be within itself.
    takes_recursion: bool,
    /// The greatest number of properties, levels and values of enumerations.
    most: Option<Size>,
}

/// What a schema has.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) properties: usize,
    pub(crate) levels: usize,
    pub(crate) values: usize,
    /// Properties that are not required.
    pub(crate) optional: usize,
    /// Properties of several types, or with `anyOf`.
    pub(crate) unions: usize,
}

pub(crate) static OPENAI: Strict = Strict {
    all_required: true,
    refused: &[
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "default",
        "minLength",
        "maxLength",
        "patternProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
        "unevaluatedItems",
        "prefixItems",
        "contains",
        "minContains",
        "maxContains",
        "uniqueItems",
    ],
    formats: &[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
    ],
    takes_booleans: true,
    takes_recursion: true,
    most: Some(Size {
        properties: 5000,
        levels: 10,
        values: 1000,
        optional: usize::MAX,
        unions: usize::MAX,
    }),
};

pub(crate) static ANTHROPIC: Strict = Strict {
    all_required: false,
    refused: &[
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "maxItems",
        "uniqueItems",
        "contains",
        "minContains",
        "maxContains",
        "prefixItems",
        "patternProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
        "unevaluatedItems",
    ],
    formats: &[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    ],
    takes_booleans: false,
    takes_recursion: false,
    most: None,
};

impl Strict {
    /// Checks the schema of a tool.
    pub(crate) fn check(&self, schema: &Value, at: &mut Findings) {
        self.inside(schema, at);
        if !self.takes_recursion {
            recursion(schema, at);
        }
        let Some(most) = self.most else { return };
        let size = Size::of(schema);
        for (what, most, found) in [
            ("properties", most.properties, size.properties),
            ("levels", most.levels, size.levels),
            ("values of enumerations", most.values, size.values),
        ] {
            if found > most {
                at.note(format!(
                    "a strict schema has at most {most} {what}, found {found}"
                ));
            }
        }
    }

    fn inside(&self, schema: &Value, at: &mut Findings) {
        if schema.is_boolean() && !self.takes_booleans {
            return at.note("a strict schema is an object, neither `true` nor `false`");
        }
        for keyword in self.refused {
            if schema.get(keyword).is_some() {
                at.member(keyword, |at| at.note("it is not permitted in strict mode"));
            }
        }
        let format = schema.get("format").and_then(Value::as_str);
        // Those of numbers are not looked at.
        let format = format.filter(|_| is_of(schema, "string"));
        if let Some(format) = format.filter(|format| !self.formats.contains(format)) {
            at.member("format", |at| {
                at.note(format!(
                    "`{format}` is not a valid format in strict mode: {}",
                    self.formats.join(", ")
                ));
            });
        }
        if schema.get("minItems").and_then(Value::as_u64) > Some(1) && !self.all_required {
            at.member("minItems", |at| at.note("strict mode takes only 0 or 1"));
        }
        self.object(schema, at);
        if is_of(schema, "array") && schema.get("items").is_none() {
            at.note("a strict schema of a list says what `items` are");
        }
        self.below(schema, at);
    }

    fn object(&self, schema: &Value, at: &mut Findings) {
        let properties = schema.get("properties").and_then(Value::as_object);
        if properties.is_none() && !is_of(schema, "object") {
            return;
        }
        if schema.get("additionalProperties") != Some(&Value::Bool(false)) {
            at.note("a strict schema has `\"additionalProperties\": false` in every object");
        }
        let required = required(schema);
        for name in properties.into_iter().flat_map(|all| all.keys()) {
            if self.all_required && !required.contains(name.as_str()) {
                at.member("properties", |at| {
                    at.member(name, |at| {
                        at.note("a strict schema requires every property")
                    });
                });
            }
        }
    }

    fn below(&self, schema: &Value, at: &mut Findings) {
        for map in ["properties", "$defs", "definitions"] {
            let schemas = schema.get(map).and_then(Value::as_object);
            for (name, schema) in schemas.into_iter().flatten() {
                at.member(map, |at| at.member(name, |at| self.inside(schema, at)));
            }
        }
        if let Some(items) = schema.get("items") {
            at.member("items", |at| self.inside(items, at));
        }
        for list in ["anyOf", "allOf"] {
            let schemas = schema.get(list).and_then(Value::as_array);
            for (index, schema) in schemas.into_iter().flatten().enumerate() {
                at.member(list, |at| at.item(index, |at| self.inside(schema, at)));
            }
        }
    }
}

/// Whether a schema is of a type, or of several with that among them.
fn is_of(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|known| known == kind),
        Some(known) => known == kind,
        None => false,
    }
}

/// No definition leads back to itself.
fn recursion(root: &Value, at: &mut Findings) {
    for map in ["$defs", "definitions"] {
        let definitions = root.get(map).and_then(Value::as_object);
        for (name, definition) in definitions.into_iter().flatten() {
            let own = format!("#/{map}/{name}");
            let mut seen = BTreeSet::new();
            let mut left = Vec::new();
            references(definition, &mut left);
            while let Some(reference) = left.pop() {
                let target = reference.strip_prefix('#');
                if let Some(target) = target.and_then(|path| root.pointer(path))
                    && seen.insert(reference)
                {
                    references(target, &mut left);
                }
            }
            if seen.contains(own.as_str()) || seen.contains("#") {
                at.member(map, |at| {
                    at.member(name, |at| at.note("a recursive schema is not supported"));
                });
            }
        }
    }
}

/// Adds what a schema refers to.
fn references<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|value| references(value, found));
        }
        _ => {}
    }
}

fn required(schema: &Value) -> BTreeSet<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

impl Size {
    pub(crate) fn of(schema: &Value) -> Self {
        let mut size = Self::default();
        size.count(schema, 0);
        size
    }

    fn count(&mut self, schema: &Value, level: usize) {
        let is_level = schema.get("properties").is_some() || schema.get("items").is_some();
        let level = level + usize::from(is_level);
        self.levels = self.levels.max(level);
        let list = |name: &str| schema.get(name).and_then(Value::as_array);
        self.values += list("enum").map_or(0, Vec::len);
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = required(schema);
        for (name, property) in properties.into_iter().flatten() {
            self.properties += 1;
            self.optional += usize::from(!required.contains(name.as_str()));
            let has_types = property.get("type").is_some_and(Value::is_array);
            self.unions += usize::from(has_types || property.get("anyOf").is_some());
            self.count(property, level);
        }
        for alternatives in ["anyOf", "allOf"] {
            for inner in list(alternatives).into_iter().flatten() {
                self.count(inner, level);
            }
        }
        if let Some(items) = schema.get("items") {
            self.count(items, level);
        }
        for map in ["$defs", "definitions"] {
            let schemas = schema.get(map).and_then(Value::as_object);
            for inner in schemas.into_iter().flat_map(|all| all.values()) {
                self.count(inner, 0);
            }
        }
    }
}
