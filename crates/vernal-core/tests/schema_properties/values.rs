//! Values of a type fit its schema and arrive as they were.

use std::fmt::Debug;
use std::sync::LazyLock;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use vernal_core::message::RawArguments;
use vernal_core::tool::{ArgumentPolicy, ToolDefinition, ToolInput};

use crate::cases;
use crate::shapes::*;

pub(crate) fn definition_of<T: JsonSchema>() -> ToolDefinition {
    let definition = ToolDefinition::builder("t")
        .input_type::<T>()
        .build()
        .unwrap();
    assert!(definition.compiled_schema().unchecked().is_empty());
    definition
}

fn arrives<T>(definition: &ToolDefinition, value: &T) -> Result<(), TestCaseError>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let text = serde_json::to_string(value).unwrap();
    let raw = RawArguments(text.as_str().into());
    let strict = ArgumentPolicy::default().coerce(false);
    let taken = strict.accept(definition, &raw);
    prop_assert!(taken.is_ok(), "{text}\n{}", taken.unwrap_err());
    let taken = taken.unwrap();
    prop_assert_eq!(taken.as_str(), text.as_str());
    prop_assert_eq!(&taken.parse_as::<T>().unwrap(), value);
    // Coercion, when it is on, finds nothing to do.
    let lenient = ArgumentPolicy::default()
        .repair_code_fences(true)
        .repair_double_encoding(true);
    prop_assert_eq!(lenient.accept(definition, &raw).unwrap(), taken);
    Ok(())
}

/// Puts numbers, booleans and whole objects into strings, each with the luck that it has.
fn stringified(value: &Value, luck: &mut impl Iterator<Item = bool>) -> Value {
    let inner = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| (name.clone(), stringified(member, luck)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(|item| stringified(item, luck)).collect(),
        scalar => scalar.clone(),
    };
    let can_be_spelled = !matches!(inner, Value::Null | Value::String(_));
    if can_be_spelled && luck.next().unwrap_or(false) {
        Value::String(inner.to_string())
    } else {
        inner
    }
}

/// What was put into strings comes out of them, unchanged.
fn comes_out<T>(definition: &ToolDefinition, value: &T, luck: &[bool]) -> Result<(), TestCaseError>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let whole = serde_json::to_value(value).unwrap();
    let mut luck = luck.iter().copied();
    let Value::Object(members) = &whole else {
        panic!("an object is expected")
    };
    let members: serde_json::Map<_, _> = members
        .iter()
        .map(|(name, member)| (name.clone(), stringified(member, &mut luck)))
        .collect();
    let text = Value::from(members).to_string();
    let taken = ArgumentPolicy::default().accept(definition, &RawArguments(text.as_str().into()));
    prop_assert!(taken.is_ok(), "{text}\n{}", taken.unwrap_err());
    prop_assert_eq!(&taken.unwrap().parse_as::<T>().unwrap(), value);
    Ok(())
}

macro_rules! arrive {
    ($($name:ident: $shape:ident from $values:ident)*) => {$(
        #[test]
        fn $name() {
            static DEFINITION: LazyLock<ToolDefinition> = LazyLock::new(definition_of::<$shape>);
            proptest!(cases(200), |(value in $values())| arrives(&DEFINITION, &value)?);
        }
    )*};
}

arrive! {
    scalars_arrive: Scalars from scalars
    containers_arrive: Containers from containers
    recursive_values_arrive: Tree from tree
    enums_arrive: Enums from enums
    an_enum_arrives: Internal from internal
    flattened_structs_arrive: FlatStruct from flat_struct
    flattened_enums_arrive: FlatEnum from flat_enum
    flattened_variants_with_maps_arrive: FlatVariantMap from flat_variant_map
    flattened_external_enums_arrive: FlatExternal from flat_external
    flattened_maps_arrive: FlatMap from flat_map
    untagged_values_arrive: HoldsUntagged from untagged
}

macro_rules! come_out {
    ($($name:ident: $shape:ident from $values:ident)*) => {$(
        #[test]
        fn $name() {
            static DEFINITION: LazyLock<ToolDefinition> = LazyLock::new(definition_of::<$shape>);
            let luck = proptest::collection::vec(any::<bool>(), 40);
            proptest!(cases(200), |(value in $values(), luck in luck)| {
                comes_out(&DEFINITION, &value, &luck)?
            });
        }
    )*};
}

come_out! {
    containers_come_out_of_strings: Containers from containers
    recursive_values_come_out_of_strings: Tree from tree
    enums_come_out_of_strings: Enums from enums
    flattened_structs_come_out_of_strings: FlatStruct from flat_struct
}

#[test]
fn a_number_in_a_string_keeps_every_digit() {
    static SCHEMA: LazyLock<ToolDefinition> = LazyLock::new(|| {
        let schema = r#"{"properties":{"n":{"type":"number"},"s":{"type":"string"}}}"#;
        ToolDefinition::builder("t")
            .input_schema(schema)
            .build()
            .unwrap()
    });
    let number = "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?";
    proptest!(cases(500), |(number in number)| {
        let raw = RawArguments(format!(r#"{{"n":"{number}","s":{number}}}"#).into());
        let taken = ArgumentPolicy::default().accept(&SCHEMA, &raw).unwrap();
        let expected = format!(r#"{{"n":{number},"s":"{number}"}}"#);
        prop_assert_eq!(taken.as_str(), expected);
    });
}

#[test]
fn every_float_and_every_wide_integer_is_read_back() {
    #[derive(serde::Deserialize)]
    struct Numbers {
        f: f64,
        g: f32,
        i: i128,
        u: u128,
    }
    proptest!(cases(500), |(f in any::<f64>(), g in any::<f32>(), i in any::<i128>(), u in any::<u128>())| {
        prop_assume!(f.is_finite() && g.is_finite());
        let text = format!(r#"{{"f":{f:e},"g":{g:?},"i":{i},"u":{u}}}"#);
        let read: Numbers = ToolInput::parse(&text).unwrap().parse_as().unwrap();
        prop_assert_eq!(read.f.to_bits(), f.to_bits());
        prop_assert_eq!(read.g.to_bits(), g.to_bits());
        prop_assert_eq!((read.i, read.u), (i, u));
    });
}
