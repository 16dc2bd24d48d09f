//! The rules by their numbers.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde_json::{Map, Value};
use vernal_core::tool::schema::{CompiledSchema, ParameterSchemas, input_schema_of};

use crate::namesakes::*;
use crate::shapes::*;

fn schema_of<T: JsonSchema>() -> Value {
    serde_json::from_str(&input_schema_of::<T>()).unwrap()
}

fn all_schemas() -> Vec<Value> {
    vec![
        schema_of::<Scalars>(),
        schema_of::<Containers>(),
        schema_of::<Nested>(),
        schema_of::<HoldsEmpty>(),
        schema_of::<Tree>(),
        schema_of::<House>(),
        schema_of::<HoldsEnums>(),
        schema_of::<FlatStruct>(),
        schema_of::<FlatInternal>(),
        schema_of::<FlatExternal>(),
        schema_of::<FlatTwo>(),
        schema_of::<Renamed>(),
        schema_of::<NamesLikeKeywords>(),
        schema_of::<Described>(),
        schema_of::<Defaults>(),
        schema_of::<Foreign>(),
        schema_of::<Dates>(),
        schema_of::<OneName>(),
    ]
}

/// Visits every schema in a schema; `is_part` is whether it is for the same value as the one around it.
fn visit(schema: &Value, is_part: bool, each: &mut dyn FnMut(&Map<String, Value>, bool)) {
    let Some(members) = schema.as_object() else {
        return;
    };
    each(members, is_part);
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties" | "$defs" | "patternProperties", Value::Object(named)) => {
                named.values().for_each(|schema| visit(schema, false, each));
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(list)) => {
                list.iter().for_each(|schema| visit(schema, true, each));
            }
            ("prefixItems", Value::Array(list)) => {
                list.iter().for_each(|schema| visit(schema, false, each));
            }
            ("items" | "additionalProperties", schema) => visit(schema, false, each),
            _ => {}
        }
    }
}

#[test]
fn sch_1_objects_are_closed_and_say_what_they_require() {
    for schema in all_schemas() {
        assert_eq!(schema["type"], "object");
        let mut inside_flattened = false;
        visit(&schema, false, &mut |members, is_part| {
            if !members.contains_key("properties") {
                return;
            }
            assert!(members["required"].is_array(), "{members:?}");
            inside_flattened |= members.contains_key("unevaluatedProperties");
            let closed = members.contains_key("additionalProperties")
                || members.contains_key("unevaluatedProperties");
            assert!(closed || (is_part && inside_flattened), "{members:?}");
        });
    }
}

#[test]
fn sch_1_maps_keep_what_their_members_are() {
    let schema = schema_of::<Containers>();
    let of = |name: &str| schema["properties"][name]["additionalProperties"].clone();
    assert_eq!(
        of("map"),
        serde_json::json!({"type":"integer","minimum":0,"maximum":255})
    );
    assert_eq!(of("btree_map"), serde_json::json!({"$ref":"#/$defs/Leaf"}));
    assert_eq!(
        schema_of::<Anything>()["properties"]["map"]["additionalProperties"],
        true
    );
    assert_eq!(
        schema_of::<FlatMap>()["additionalProperties"]["type"],
        "integer"
    );
}

#[test]
fn sch_1_parameters_keep_their_order_and_fields_are_alphabetical() {
    let text = ParameterSchemas::new()
        .parameter::<Leaf>("zebra", "", true)
        .parameter::<u8>("apple", "", true)
        .finish();
    assert!(text.find("zebra") < text.find("apple"));
    let leaf = input_schema_of::<Leaf>();
    assert!(leaf.find("\"a\":") < leaf.find("\"z\":"));
}

#[test]
fn sch_1_nothing_is_said_that_a_model_has_no_use_for() {
    for schema in all_schemas() {
        visit(&schema, false, &mut |members, _| {
            assert!(
                !members.get("title").is_some_and(Value::is_string),
                "{members:?}"
            );
            assert!(!members.contains_key("$schema"));
            let format = members
                .get("format")
                .and_then(Value::as_str)
                .unwrap_or_default();
            assert!(
                !format.contains("int") && !["float", "double"].contains(&format),
                "{format}"
            );
        });
    }
    assert_eq!(
        schema_of::<NamesLikeKeywords>()["properties"]["title"]["type"],
        "string"
    );
}

#[test]
fn sch_2_what_may_be_left_out_is_not_required() {
    assert_eq!(schema_of::<Leaf>()["required"], serde_json::json!(["z"]));
    assert_eq!(schema_of::<Defaults>()["required"], serde_json::json!([]));
    assert_eq!(
        schema_of::<SomeDefaults>()["required"],
        serde_json::json!(["needed"])
    );
    let text = ParameterSchemas::new()
        .parameter::<u8>("a", "", false)
        .parameter::<u8>("b", "", true)
        .finish();
    assert!(text.contains(r#""required":["b"]"#));
}

#[test]
fn sch_3_descriptions_come_from_the_parameter_or_from_the_type() {
    let schema = schema_of::<Described>();
    assert!(
        schema.get("description").is_none(),
        "a tool has a description of its own"
    );
    let of = |name: &str| schema["properties"][name]["description"].clone();
    assert_eq!(of("doc"), "About a field.\n\nWith a second paragraph.");
    assert_eq!(of("attribute"), "About another");
    assert_eq!(of("leaf"), "About a reference.");
    assert_eq!(of("plain"), Value::Null);
    assert_eq!(
        schema["$defs"]["DescribedLeaf"]["description"],
        "About the leaf."
    );
    let described = ParameterSchemas::new()
        .parameter::<DescribedLeaf>("own", "Of the parameter.", true)
        .parameter::<DescribedLeaf>("blank", "  ", true)
        .finish();
    let schema: Value = serde_json::from_str(&described).unwrap();
    assert_eq!(
        schema["properties"]["own"]["description"],
        "Of the parameter."
    );
    assert!(schema["properties"]["blank"].get("description").is_none());
}

#[test]
fn sch_3_serde_names_are_the_names() {
    let schema = schema_of::<Renamed>();
    let names: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["newName", "someEnum", "someField", "type"]);
}

#[test]
fn sch_4_a_value_is_one_property_of_any_kind() {
    let text = ParameterSchemas::new()
        .parameter::<Value>("v", "", true)
        .finish();
    assert_eq!(
        text,
        r#"{"type":"object","properties":{"v":{}},"required":["v"],"additionalProperties":false}"#
    );
    let compiled = CompiledSchema::new(&text).unwrap();
    for value in ["1", "null", "[{}]", r#"{"a":1}"#] {
        assert!(compiled.check(&format!(r#"{{"v":{value}}}"#)).is_ok());
    }
}

fn references(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    visit(schema, false, &mut |members, _| {
        found.extend(
            members
                .get("$ref")
                .and_then(Value::as_str)
                .map(str::to_owned),
        );
    });
    found
}

#[test]
fn sch_5_every_reference_leads_to_a_definition_and_every_definition_is_used() {
    for schema in all_schemas() {
        let defined: BTreeSet<String> = schema["$defs"]
            .as_object()
            .map(|named| named.keys().map(|name| format!("#/$defs/{name}")).collect())
            .unwrap_or_default();
        assert_eq!(references(&schema), defined);
    }
}

#[test]
fn sch_5_recursion_goes_through_a_definition_and_not_through_the_root() {
    for (schema, name) in [(schema_of::<Tree>(), "Tree"), (schema_of::<List>(), "List")] {
        assert_eq!(
            references(&schema),
            BTreeSet::from([format!("#/$defs/{name}")])
        );
        assert_eq!(schema["$defs"][name]["properties"], schema["properties"]);
    }
    let house = schema_of::<House>();
    let names: Vec<_> = house["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["House", "Person", "Tree"]);
}

#[test]
fn sch_5_two_types_of_one_name_are_told_apart_and_equal_ones_are_shared() {
    let schema = schema_of::<OneName>();
    let names: Vec<_> = schema["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Chain", "Point", "Point2"]);
    let of = |name: &str| schema["properties"][name]["$ref"].clone();
    assert_eq!(
        (of("a"), of("again")),
        ("#/$defs/Point".into(), "#/$defs/Point".into())
    );
    assert_eq!(of("b"), "#/$defs/Point2");
    assert_eq!(schema["properties"]["c"]["items"]["$ref"], "#/$defs/Point");
    assert!(
        schema["$defs"]["Point2"]["properties"]
            .get("latitude")
            .is_some()
    );
    let compiled = CompiledSchema::new(&schema.to_string()).unwrap();
    let fits = r#"{"a":{"x":1,"y":2},"b":{"latitude":1,"longitude":2},"c":[{"x":1,"y":2}],
        "again":{"x":1,"y":2},"loops":[{"next":{"next":null}},{}]}"#;
    assert_eq!(compiled.check(fits), Ok(()));
}

#[test]
fn sch_7_the_bytes_are_the_same_every_time_and_on_every_thread() {
    let make = || {
        let parameters = ParameterSchemas::new()
            .parameter::<HoldsEnums>("a", "", true)
            .parameter::<OneName>("b", "", true)
            .finish();
        [
            input_schema_of::<House>(),
            input_schema_of::<FlatTwo>(),
            input_schema_of::<Containers>(),
            parameters,
        ]
    };
    let first = make();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..25).for_each(|_| assert_eq!(make(), first)));
        }
    });
}
