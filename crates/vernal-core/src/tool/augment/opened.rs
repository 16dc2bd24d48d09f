//! Opening a schema whose properties come from several places, so that more can stand beside them.
//!
//! What is said in a branch, as of an enum, or behind a reference is for the same object as what is added at
//! the root. A branch that is closed must know the added names, and a reference to the root must go on to
//! mean what it meant before.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::AugmentError;
use crate::tool::schema::json::Object;
use crate::tool::schema::{definition_of, name_root};

/// Keywords whose schemas are for the same value: lists of them, single ones, and named ones.
const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const SINGLE: [&str; 3] = ["if", "then", "else"];
const NAMED: &str = "dependentSchemas";
/// Keywords that say which members an object may have besides those that it names.
const CLOSING: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];
/// Keywords that have a say in what may be added, besides `properties` and what closes them.
const PLACES: [&str; 13] = [
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "$ref",
    "$dynamicRef",
    "maxProperties",
    "propertyNames",
    "const",
    "enum",
];
/// How deep schemas for the same value may stand in each other.
const MAX_NESTED: usize = 100;

type Members = Map<String, Value>;

/// The schema with its branches open for `names`; `None` where it has no branches and nothing refers to its
/// root, so that members can be added to it as it is.
pub(super) fn opened(schema: &str, names: &[&str]) -> Result<Option<String>, AugmentError> {
    let unreadable = |error| AugmentError(format!("the schema cannot be augmented: {error}"));
    let raw: Object<'_> = serde_json::from_str(schema).map_err(unreadable)?;
    let is_plain = PLACES.iter().all(|keyword| raw.get(keyword).is_none());
    if is_plain && !schema.contains(r##""#""##) {
        return Ok(None);
    }
    let mut root: Value = serde_json::from_str(schema).map_err(unreadable)?;
    let Some(members) = root.as_object_mut() else {
        return Ok(None);
    };
    let mut definitions = match members.remove("$defs") {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    name_root(&mut root, &mut definitions, "Input");
    let mut opener = Opener {
        names,
        // References lead anywhere in the schema as it was.
        whole: with_definitions(root.clone(), definitions.clone()),
        definitions,
        opened: HashMap::new(),
    };
    if let Some(members) = root.as_object_mut() {
        opener.widen(members)?;
        opener.branches(members, 0)?;
    }
    Ok(Some(with_definitions(root, opener.definitions).to_string()))
}

fn with_definitions(mut root: Value, definitions: Members) -> Value {
    if let Some(members) = root.as_object_mut().filter(|_| !definitions.is_empty()) {
        members.insert("$defs".to_owned(), Value::Object(definitions));
    }
    root
}

struct Opener<'a> {
    names: &'a [&'a str],
    whole: Value,
    definitions: Members,
    /// What a reference became.
    opened: HashMap<String, String>,
}

impl Opener<'_> {
    /// Opens a schema for the object that is augmented.
    fn open(&mut self, schema: &mut Value, depth: usize) -> Result<(), AugmentError> {
        let Some(members) = schema.as_object_mut() else {
            return Ok(());
        };
        self.widen(members)?;
        self.refuse_clash(members)?;
        if CLOSING.iter().any(|keyword| is_said(members, keyword)) {
            let properties = members
                .entry("properties")
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(properties) = properties {
                let anything = |name: &&str| ((*name).to_owned(), Value::Object(Map::new()));
                properties.extend(self.names.iter().map(anything));
            }
        }
        self.branches(members, depth)
    }

    /// Widens what is said of all members together, so that the added ones fit too.
    fn widen(&self, members: &mut Members) -> Result<(), AugmentError> {
        for (keyword, value) in members.iter_mut() {
            match (keyword.as_str(), &mut *value) {
                ("maxProperties", most) => {
                    if let Some(own) = most.as_u64() {
                        *most = own.saturating_add(self.names.len() as u64).into();
                    }
                }
                ("propertyNames", schema) => {
                    *schema = json!({ "anyOf": [schema.take(), { "enum": self.names }] });
                }
                ("const", value) if value.is_object() => return Err(whole_objects(keyword)),
                ("enum", Value::Array(values)) if values.iter().any(Value::is_object) => {
                    return Err(whole_objects(keyword));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Opens what stands beside the properties of an object.
    fn branches(&mut self, members: &mut Members, depth: usize) -> Result<(), AugmentError> {
        if depth > MAX_NESTED {
            let problem = "the schema cannot be augmented: its branches are nested too deep";
            return Err(AugmentError(problem.to_owned()));
        }
        if members.contains_key("$dynamicRef") {
            return Err(unknown_reference("$dynamicRef"));
        }
        for (keyword, value) in members.iter_mut() {
            match (keyword.as_str(), value) {
                ("$ref", Value::String(target)) => *target = self.reference(target, depth)?,
                (keyword, Value::Array(schemas)) if LISTS.contains(&keyword) => {
                    for schema in schemas {
                        self.open(schema, depth + 1)?;
                    }
                }
                (keyword, schema) if SINGLE.contains(&keyword) => self.open(schema, depth + 1)?,
                (NAMED, Value::Object(schemas)) => {
                    for schema in schemas.values_mut() {
                        self.open(schema, depth + 1)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A reference to an opened copy: others may mean the schema as it is.
    fn reference(&mut self, target: &str, depth: usize) -> Result<String, AugmentError> {
        if let Some(known) = self.opened.get(target) {
            return Ok(known.clone());
        }
        let pointer = target
            .strip_prefix('#')
            .filter(|rest| rest.starts_with('/'));
        let meant = pointer.and_then(|pointer| self.whole.pointer(pointer));
        let mut schema = meant.cloned().ok_or_else(|| unknown_reference(target))?;
        let name = definition_of(target).unwrap_or_else(|| "Input".to_owned());
        let mut free = (2..).map(|n| format!("{name}_{n}"));
        let Some(name) = free.find(|name| !self.definitions.contains_key(name)) else {
            return Err(unknown_reference(target));
        };
        let new = format!("#/$defs/{}", name.replace('~', "~0").replace('/', "~1"));
        self.opened.insert(target.to_owned(), new.clone());
        // It has its place before what it contains is opened, which may take names too.
        self.definitions.insert(name.clone(), Value::Null);
        self.open(&mut schema, depth + 1)?;
        self.definitions.insert(name, schema);
        Ok(new)
    }

    fn refuse_clash(&self, members: &Members) -> Result<(), AugmentError> {
        let own = members.get("properties").and_then(Value::as_object);
        let clash =
            (self.names.iter()).find(|name| own.is_some_and(|own| own.contains_key(**name)));
        clash.map_or(Ok(()), |name| Err(AugmentError::clash(name)))
    }
}

/// Whether a keyword says more than that anything goes.
fn is_said(members: &Members, keyword: &str) -> bool {
    let said = members.get(keyword);
    said.is_some_and(|value| *value != Value::Bool(true))
}

fn whole_objects(keyword: &str) -> AugmentError {
    AugmentError(format!(
        "the schema cannot be augmented: its `{keyword}` lists whole objects, to which nothing can be added"
    ))
}

fn unknown_reference(target: &str) -> AugmentError {
    AugmentError(format!(
        "the schema cannot be augmented: what it refers to by `{target}` cannot be opened for more \
         arguments; say it in place, or refer to `#/$defs/…`"
    ))
}
