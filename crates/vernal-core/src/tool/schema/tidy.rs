//! Closing struct-like objects, and dropping what tells a model nothing (rule SCH-1).
//!
//! An object is closed with `additionalProperties: false`. One whose properties come from several
//! places, as with `#[serde(flatten)]` on an enum, cannot be closed in each of them: it is put
//! together from open parts and closed as a whole, with `unevaluatedProperties: false`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::definitions::{definition_of, for_each_subschema};
use super::integers;

/// How deep references are replaced by what they mean.
const MAX_INLINED: usize = 8;
/// Keywords that lists of schemas for the same value stand under.
const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
/// Keywords that constrain nothing.
const ANNOTATIONS: [&str; 8] = [
    "type",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
];

type Members = Map<String, Value>;

/// Tidies schemas that share definitions.
pub(super) struct Tidier<'a> {
    /// As they were generated.
    definitions: &'a Members,
}

impl<'a> Tidier<'a> {
    pub(super) fn new(definitions: &'a Members) -> Self {
        Self { definitions }
    }

    /// Closes a schema and all inside it. Anything at all is `{}` (rule SCH-4).
    pub(super) fn close(&self, schema: &mut Value) {
        if *schema == Value::Bool(true) {
            *schema = Value::Object(Map::new());
        }
        let Some(members) = schema.as_object_mut() else {
            return;
        };
        drop_noise(members);
        if sources(members) > 1 {
            self.inline(members, 0);
        }
        if sources(members) > 1 && is_object(members) {
            self.compose(members);
        } else {
            close_object(members);
            for keyword in LISTS {
                items_of(members, keyword).for_each(|schema| self.close(schema));
            }
        }
        self.close_inside(members);
    }

    /// Closes the schemas of members and items.
    fn close_inside(&self, members: &mut Members) {
        for (keyword, value) in members {
            match (keyword.as_str(), value) {
                // An open map stays as it was written.
                ("additionalProperties" | "unevaluatedProperties", Value::Bool(_)) => {}
                ("items" | "additionalProperties" | "unevaluatedProperties", schema) => {
                    self.close(schema)
                }
                ("prefixItems", Value::Array(schemas)) => {
                    schemas.iter_mut().for_each(|schema| self.close(schema));
                }
                ("properties" | "patternProperties", Value::Object(named)) => {
                    named.values_mut().for_each(|schema| self.close(schema));
                }
                // To close these would change what they mean.
                (
                    "not" | "if" | "then" | "else" | "contains" | "propertyNames"
                    | "dependentSchemas",
                    schema,
                ) => drop_noise_inside(schema),
                _ => {}
            }
        }
    }

    /// Makes one closed object of properties from several places.
    fn compose(&self, members: &mut Members) {
        for keyword in LISTS {
            items_of(members, keyword).for_each(|schema| self.open(schema, 1));
        }
        members
            .entry("required")
            .or_insert_with(|| Value::Array(Vec::new()));
        let has_inner = LISTS
            .iter()
            .any(|keyword| !names_under(members, keyword).is_empty());
        know_names(members, &BTreeSet::new());
        let is_closed = ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .any(|keyword| members.contains_key(*keyword));
        if !is_closed {
            let keyword = match has_inner {
                true => "unevaluatedProperties",
                false => "additionalProperties",
            };
            members.insert(keyword.to_owned(), Value::Bool(false));
        }
    }

    /// Opens a schema that is a part of an object, and closes what is inside.
    fn open(&self, schema: &mut Value, depth: usize) {
        let Some(members) = schema.as_object_mut() else {
            return;
        };
        drop_noise(members);
        self.inline(members, depth);
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if members.get(keyword) == Some(&Value::Bool(false)) {
                members.remove(keyword);
            }
        }
        if members.contains_key("properties") {
            members
                .entry("required")
                .or_insert_with(|| Value::Array(Vec::new()));
        }
        for keyword in LISTS {
            items_of(members, keyword).for_each(|schema| self.open(schema, depth + 1));
        }
        self.close_inside(members);
    }

    /// Replaces a reference by what it means: the definition is closed, which it must not be here.
    fn inline(&self, members: &mut Members, depth: usize) {
        let target = members
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(definition_of);
        let definition = target.and_then(|name| self.definitions.get(&name));
        let Some(Value::Object(definition)) = definition else {
            return;
        };
        if depth >= MAX_INLINED {
            return;
        }
        members.remove("$ref");
        let mut part = Value::Object(definition.clone());
        self.open(&mut part, depth + 1);
        let Value::Object(mut part) = part else {
            return;
        };
        drop_noise(&mut part);
        if members.is_empty() {
            *members = part;
        } else if LISTS
            .iter()
            .any(|list| part.contains_key(*list) && members.contains_key(*list))
        {
            let parts = members
                .entry("allOf")
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(parts) = parts {
                parts.push(Value::Object(part));
            }
        } else {
            merge(members, part);
        }
    }
}

/// From how many places an object has its properties.
fn sources(members: &Members) -> usize {
    let has = |keyword: &str| usize::from(members.contains_key(keyword));
    let parts = members
        .get("allOf")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    has("properties") + has("$ref") + has("anyOf") + has("oneOf") + parts
}

fn is_object(members: &Members) -> bool {
    members.get("type").and_then(Value::as_str) == Some("object")
}

fn items_of<'m>(members: &'m mut Members, keyword: &str) -> impl Iterator<Item = &'m mut Value> {
    members
        .get_mut(keyword)
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
}

fn close_object(members: &mut Members) {
    if !is_object(members) {
        return;
    }
    if members.get("properties").is_some_and(Value::is_object) {
        members
            .entry("required")
            .or_insert_with(|| Value::Array(Vec::new()));
        if !members.contains_key("unevaluatedProperties") {
            members
                .entry("additionalProperties")
                .or_insert(Value::Bool(false));
        }
    } else if members
        .keys()
        .all(|keyword| ANNOTATIONS.contains(&keyword.as_str()))
    {
        // A struct without fields: a map says what its members are.
        members.insert("properties".to_owned(), Value::Object(Map::new()));
        members.insert("required".to_owned(), Value::Array(Vec::new()));
        members.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
}

/// Adds the properties of a part to those that are there.
fn merge(members: &mut Members, part: Members) {
    for (keyword, value) in part {
        match (keyword.as_str(), members.get_mut(&keyword), value) {
            ("properties", Some(Value::Object(own)), Value::Object(more)) => {
                more.into_iter().for_each(|(name, schema)| {
                    own.entry(name).or_insert(schema);
                });
            }
            ("required", Some(Value::Array(own)), Value::Array(more)) => {
                more.into_iter().for_each(|name| {
                    if !own.contains(&name) {
                        own.push(name);
                    }
                });
            }
            (_, None, value) => {
                members.insert(keyword, value);
            }
            _ => {}
        }
    }
}

/// The names of the properties that a schema has anywhere for one value.
fn names_in(members: &Members) -> BTreeSet<String> {
    let mut names = own_names(members);
    LISTS
        .iter()
        .for_each(|keyword| names.extend(names_under(members, keyword)));
    names
}

fn own_names(members: &Members) -> BTreeSet<String> {
    let own = members.get("properties").and_then(Value::as_object);
    own.into_iter().flat_map(Map::keys).cloned().collect()
}

fn names_under(members: &Members, keyword: &str) -> BTreeSet<String> {
    let parts = members
        .get(keyword)
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    parts
        .filter_map(Value::as_object)
        .flat_map(names_in)
        .collect()
}

/// Lets parts that are maps, such as a flattened variant with one, know the names that stand beside
/// them: their `additionalProperties` are not for those.
fn know_names(members: &mut Members, outside: &BTreeSet<String>) {
    let beside = |members: &Members, list: &str, part: usize| {
        let mut names = own_names(members);
        names.extend(outside.iter().cloned());
        for other in LISTS {
            let parts = members
                .get(other)
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            for (position, schema) in parts.enumerate() {
                // Alternatives are not beside each other.
                if other != list || (list == "allOf" && position != part) {
                    names.extend(schema.as_object().map(names_in).unwrap_or_default());
                }
            }
        }
        names
    };
    for list in LISTS {
        let count = members
            .get(list)
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        for part in 0..count {
            let names = beside(members, list, part);
            if let Some(Value::Object(schema)) = items_of(members, list).nth(part) {
                know_names(schema, &names);
            }
        }
    }
    if !outside.is_empty()
        && members
            .get("additionalProperties")
            .is_some_and(Value::is_object)
    {
        let own = members
            .entry("properties")
            .or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(own) = own {
            for name in outside {
                own.entry(name.clone())
                    .or_insert_with(|| Value::Object(Map::new()));
            }
        }
    }
}

/// Drops titles, and puts bounds in place of the names of Rust's number types.
fn drop_noise(members: &mut Members) {
    let format = members.get("format").and_then(Value::as_str);
    if let Some(number) = format.and_then(integers::number_type) {
        members.remove("format");
        number.bound(members);
    }
    if members.get("title").is_some_and(Value::is_string) {
        members.remove("title");
    }
}

fn drop_noise_inside(schema: &mut Value) {
    if let Some(members) = schema.as_object_mut() {
        drop_noise(members);
    }
    for_each_subschema(schema, &mut drop_noise_inside);
}
