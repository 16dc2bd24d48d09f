//! The definitions that schemas share: named, equal ones once, none that nobody refers to (rule SCH-5).

use std::collections::BTreeSet;

use serde_json::{Map, Value};

const PREFIX: &str = "#/$defs/";

/// Puts the root among the definitions if it refers to itself: a schema that is moved into another
/// one, or gets members from elsewhere, must not change what its own references mean.
pub(crate) fn name_root(root: &mut Value, named: &mut Map<String, Value>, name: &str) {
    let mut is_used = false;
    let mut note = |target: &mut String| is_used |= target == "#";
    for_each_reference(root, &mut note);
    named
        .values_mut()
        .for_each(|schema| for_each_reference(schema, &mut note));
    if !is_used {
        return;
    }
    let names = std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}{n}")));
    let Some(name) = { names }.find(|name| !named.contains_key(name)) else {
        return;
    };
    let target = format!("{PREFIX}{}", name.replace('~', "~0").replace('/', "~1"));
    named.insert(name, root.clone());
    let mut rename = |found: &mut String| {
        if found == "#" {
            found.clone_from(&target);
        }
    };
    for_each_reference(root, &mut rename);
    named
        .values_mut()
        .for_each(|schema| for_each_reference(schema, &mut rename));
}

/// Lets two types of one name share a definition where theirs are the same: the second one has got
/// a number behind its name.
pub(super) fn share_equal(schemas: &mut [Value], named: &mut Map<String, Value>) {
    while let Some((again, first)) = equal_pair(named) {
        named.remove(&again);
        let mut rename = |target: &mut String| {
            if is_reference_to(target, &again) {
                *target = format!("{PREFIX}{first}");
            }
        };
        schemas
            .iter_mut()
            .for_each(|schema| for_each_reference(schema, &mut rename));
        named
            .values_mut()
            .for_each(|schema| for_each_reference(schema, &mut rename));
    }
}

fn equal_pair(named: &Map<String, Value>) -> Option<(String, String)> {
    let mut names: Vec<&String> = named.keys().collect();
    names.sort_unstable();
    names.into_iter().find_map(|again| {
        let first = again.trim_end_matches(|c: char| c.is_ascii_digit());
        let schema = named.get(first).filter(|_| first != again)?;
        let mut own = named.get(again)?.clone();
        for_each_reference(&mut own, &mut |target| {
            if is_reference_to(target, again) {
                *target = format!("{PREFIX}{first}");
            }
        });
        (own == *schema).then(|| (again.clone(), first.to_owned()))
    })
}

/// Drops the definitions that nothing refers to.
pub(super) fn drop_unused(schemas: &mut [Value], named: &mut Map<String, Value>) {
    let mut used = BTreeSet::new();
    let mut waiting: Vec<String> = Vec::new();
    let mut note = |target: &mut String| waiting.extend(definition_of(target));
    schemas
        .iter_mut()
        .for_each(|schema| for_each_reference(schema, &mut note));
    while let Some(name) = waiting.pop() {
        if let Some(schema) = named.get_mut(&name).filter(|_| !used.contains(&name)) {
            for_each_reference(schema, &mut |target| waiting.extend(definition_of(target)));
            used.insert(name);
        }
    }
    named.retain(|name, _| used.contains(name));
}

/// The name of the definition that a reference means.
pub(crate) fn definition_of(target: &str) -> Option<String> {
    Some(
        target
            .strip_prefix(PREFIX)?
            .replace("~1", "/")
            .replace("~0", "~"),
    )
}

fn is_reference_to(target: &str, name: &str) -> bool {
    definition_of(target).is_some_and(|found| found == name)
}

fn for_each_reference(schema: &mut Value, visit: &mut dyn FnMut(&mut String)) {
    if let Some(Value::String(target)) = schema.get_mut("$ref") {
        visit(target);
    }
    for_each_subschema(schema, &mut |inner| for_each_reference(inner, visit));
}

/// Visits the schemas directly inside a schema, and nothing else: a property named `properties` is
/// a name, not a keyword.
pub(super) fn for_each_subschema(schema: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            (
                "items"
                | "additionalProperties"
                | "unevaluatedItems"
                | "unevaluatedProperties"
                | "not"
                | "contains"
                | "propertyNames"
                | "if"
                | "then"
                | "else",
                inner,
            ) => visit(inner),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(inner)) => {
                inner.iter_mut().for_each(&mut *visit);
            }
            (
                "properties" | "patternProperties" | "$defs" | "dependentSchemas",
                Value::Object(inner),
            ) => {
                inner.values_mut().for_each(&mut *visit);
            }
            _ => {}
        }
    }
}
