//! Values that were changed: what is wrong is found where it is, and what is not found wrong can be
//! read.

use std::fmt::Debug;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use vernal_core::tool::{ToolDefinition, ToolInput};

use crate::cases;
use crate::shapes::*;
use crate::values::definition_of;

/// A way to spoil a value at a place.
#[derive(Debug, Clone)]
enum Spoil {
    /// Puts something else there.
    Replace(Value),
    /// Takes it away.
    Remove,
    /// Adds a member or an item to it.
    Add,
}

fn spoil() -> impl Strategy<Value = Spoil> {
    let others = [
        json!({"no such": [1]}),
        json!([[{}]]),
        json!(-1),
        json!(300),
        json!(70_000),
        json!(1.5),
        json!(true),
        json!("no such"),
        json!(null),
        json!({}),
        json!([]),
    ];
    let replace = proptest::sample::select(others.to_vec()).prop_map(Spoil::Replace);
    prop_oneof![4 => replace, 2 => Just(Spoil::Remove), 2 => Just(Spoil::Add)]
}

/// The JSON pointers of all values inside a value, with their paths as a violation names them.
fn places(value: &Value, pointer: &str, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                let path = format!("{path}{}", step(name));
                found.push((pointer.clone(), path.clone()));
                places(member, &pointer, &path, found);
            }
        }
        Value::Array(items) => {
            for (position, item) in items.iter().enumerate() {
                let (pointer, path) = (
                    format!("{pointer}/{position}"),
                    format!("{path}[{position}]"),
                );
                found.push((pointer.clone(), path.clone()));
                places(item, &pointer, &path, found);
            }
        }
        _ => {}
    }
}

fn step(name: &str) -> String {
    let is_word = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word {
        format!(".{name}")
    } else {
        format!("[{}]", Value::from(name))
    }
}

/// Spoils the value at a place; the path where that shows, unless nothing could be done there.
fn spoiled(value: &mut Value, (pointer, path): &(String, String), spoil: &Spoil) -> Option<String> {
    match spoil {
        Spoil::Replace(other) => *value.pointer_mut(pointer)? = other.clone(),
        Spoil::Remove => {
            let (parent, name) = pointer.rsplit_once('/')?;
            let name = name.replace("~1", "/").replace("~0", "~");
            match value.pointer_mut(parent)? {
                Value::Object(members) => members.remove(&name).map(drop)?,
                Value::Array(items) => {
                    items.remove(name.parse().ok()?);
                    // An array with too few items is the one that is wrong.
                    return path.rsplit_once('[').map(|(array, _)| array.to_owned());
                }
                _ => return None,
            }
        }
        Spoil::Add => match value.pointer_mut(pointer)? {
            Value::Object(members) => {
                members.insert("no such".to_owned(), json!(null));
                return Some(format!("{path}[\"no such\"]"));
            }
            Value::Array(items) => items.push(json!({"no such": null})),
            _ => return None,
        },
    }
    Some(path.clone())
}

/// Where a violation may be reported: exactly at the place, or inside what was put there; with
/// alternatives that nothing tells apart, also at what is around it.
#[derive(Clone, Copy, PartialEq)]
enum Where {
    There,
    Around,
}

fn is_found<T>(
    definition: &ToolDefinition,
    value: &T,
    place: Index,
    spoil: &Spoil,
    found: Where,
) -> Result<(), TestCaseError>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let mut value = serde_json::to_value(value).unwrap();
    let mut all = Vec::new();
    places(&value, "", "$", &mut all);
    prop_assume!(!all.is_empty());
    let Some(path) = spoiled(&mut value, place.get(&all), spoil) else {
        return Ok(());
    };
    let text = value.to_string();
    match definition.compiled_schema().check(&text) {
        Ok(()) => {
            let read = ToolInput::parse(&text).unwrap().parse_as::<T>();
            prop_assert!(read.is_ok(), "{text} fits, but {}", read.unwrap_err());
        }
        Err(violations) => {
            let is_there = |violation: &str| match found {
                _ if violation.starts_with(&path) => true,
                Where::There => false,
                Where::Around => path.starts_with(violation),
            };
            let paths: Vec<&str> = violations
                .iter()
                .map(|violation| violation.path.as_str())
                .collect();
            prop_assert!(
                paths.iter().any(|violation| is_there(violation)),
                "{text}: {path}\n{violations}"
            );
        }
    }
    Ok(())
}

macro_rules! found {
    ($($name:ident: $shape:ident from $values:ident, $where:ident)*) => {$(
        #[test]
        fn $name() {
            static DEFINITION: LazyLock<ToolDefinition> = LazyLock::new(definition_of::<$shape>);
            proptest!(cases(400), |(value in $values(), place: Index, spoil in spoil())| {
                is_found(&DEFINITION, &value, place, &spoil, Where::$where)?
            });
        }
    )*};
}

found! {
    spoiled_scalars_are_found: Scalars from scalars, There
    spoiled_containers_are_found: Containers from containers, There
    spoiled_recursive_values_are_found: Tree from tree, There
    spoiled_enums_are_found: Enums from enums, Around
    a_spoiled_enum_is_found: Internal from internal, Around
    spoiled_flattened_structs_are_found: FlatStruct from flat_struct, There
    spoiled_flattened_enums_are_found: FlatEnum from flat_enum, Around
    spoiled_flattened_variants_with_maps_are_found: FlatVariantMap from flat_variant_map, Around
    spoiled_flattened_external_enums_are_found: FlatExternal from flat_external, Around
    spoiled_flattened_maps_are_found: FlatMap from flat_map, There
    spoiled_untagged_values_are_found: HoldsUntagged from untagged, Around
}
