//! Names, schemas and arguments of any kind never panic, and are read as serde_json reads them.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use vernal_core::message::RawArguments;
use vernal_core::tool::schema::CompiledSchema;
use vernal_core::tool::{ArgumentPolicy, ToolDefinition, ToolInput};

use crate::cases;

/// Text that is often JSON, or nearly so.
fn json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?[0-9]{1,25}(\\.[0-9]{1,5})?(e-?[0-9]{1,3})?",
        any::<String>().prop_map(|text| Value::from(text).to_string()),
        "\"(\\\\u[0-9a-fd][0-9a-f]{3}|\\\\[\"\\\\/bfnrt]|[a-z \u{1f600}]){0,4}\"",
    ];
    scalar.prop_recursive(5, 30, 4, |inner| {
        let name = prop_oneof![
            "\"[a-c]\"",
            "\"\\\\u006[1-3]\"",
            any::<String>().prop_map(|t| Value::from(t).to_string())
        ];
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| format!("[ {} ]", items.join(" ,"))),
            vec((name, inner), 0..4).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(n, v)| format!("{n} :{v}")).collect();
                format!("{{{}\n}}", members.join(","))
            }),
        ]
    })
}

/// Pieces that are keywords, values and punctuation of schemas, in any order.
fn soup() -> impl Strategy<Value = String> {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"type\"",
        "\"object\"",
        "\"properties\"",
        "\"items\"",
        "\"$ref\"",
        "\"#\"",
        "\"#/properties/a\"",
        "\"a\"",
        "\"$id\"",
        "\"x\"",
        "\"enum\"",
        "1",
        "null",
        "true",
        "\"",
        "\\",
        "\\u",
        "d800",
        " ",
        "-",
        "e9",
        "0",
        ".5",
        "\u{feff}",
        "\0",
        "```",
        "json",
        "\n",
    ];
    vec(proptest::sample::select(pieces.to_vec()), 0..40).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    let cut = (json(), any::<proptest::sample::Index>()).prop_map(|(text, at)| {
        let end = text.floor_char_boundary(at.index(text.len() + 1));
        text[..end].to_owned()
    });
    prop_oneof![any::<String>(), json(), cut, soup()]
}

#[test]
fn names_descriptions_and_schemas_of_any_kind_are_taken_or_refused() {
    proptest!(cases(500), |(name in any_text(), description in any_text(), schema in any_text())| {
        let built = ToolDefinition::builder(name.as_str())
            .description(description)
            .input_schema(schema.as_str())
            .build();
        if let Err(error) = &built {
            prop_assert!(!error.to_string().is_empty());
        }
        if let Ok(definition) = built {
            // Its normal form is one: it does not change any more.
            let again = ToolDefinition::builder("t").input_schema(definition.input_schema()).build();
            let again = again.unwrap();
            prop_assert_eq!(again.input_schema(), definition.input_schema());
        }
    });
}

#[test]
fn arguments_of_any_kind_are_taken_or_refused() {
    let schemas = [
        "{}",
        r#"{"properties":{"a":{"type":"integer"},"b":{"type":["string","null"]}},"additionalProperties":false}"#,
        r##"{"properties":{"a":{"anyOf":[{"$ref":"#/properties/b"},{"type":"array","items":{"$ref":"#"}}]},
            "b":{"type":"object","unevaluatedProperties":{"type":"integer"},"patternProperties":{"^\\d+$":{}}}},
            "propertyNames":{"maxLength":3},"maxProperties":4}"##,
    ];
    let tools = schemas.map(|schema| {
        ToolDefinition::builder("t")
            .input_schema(schema)
            .build()
            .unwrap()
    });
    let policies = [
        ArgumentPolicy::default(),
        ArgumentPolicy::default()
            .repair_code_fences(true)
            .repair_double_encoding(true),
    ];
    proptest!(cases(1000), |(text in any_text())| {
        let raw = RawArguments(text.as_str().into());
        for tool in &tools {
            for policy in &policies {
                match policy.accept(tool, &raw) {
                    Ok(input) => {
                        prop_assert!(tool.compiled_schema().check(input.as_str()).is_ok());
                        prop_assert!(input.fields().is_ok());
                        prop_assert_eq!(&ToolInput::parse(input.as_str()).unwrap(), &input);
                    }
                    Err(violations) => {
                        prop_assert!(violations.iter().count() > 0);
                        prop_assert!(violations.to_string().len() < 2048);
                    }
                }
            }
        }
        let _ = raw.as_valid_object();
    });
}

/// Whether two values are the same but for the last bit of a float, which serde_json may get wrong.
fn nearly(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => match (x.as_f64(), y.as_f64()) {
            _ if x == y => true,
            (Some(x), Some(y)) => (x - y).abs() <= x.abs() * 1e-15,
            _ => false,
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| nearly(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|((n, a), (m, b))| n == m && nearly(a, b))
        }
        _ => a == b,
    }
}

#[test]
fn what_is_json_is_what_serde_json_says() {
    proptest!(cases(1000), |(inner in any_text())| {
        let text = format!("{{\"v\":{inner}}}");
        let theirs = serde_json::from_str::<Value>(&text);
        match ToolInput::parse(&text).map_err(|error| error.to_string()) {
            Ok(input) => {
                // serde_json refuses numbers that no float can hold; they are text until they are read.
                match (input.parse_as::<Value>(), theirs) {
                    (Ok(ours), Ok(theirs)) => prop_assert!(nearly(&ours, &theirs), "{text}"),
                    (Err(ours), Err(_)) => prop_assert!(ours.to_string().contains("a float can hold")),
                    (ours, theirs) => prop_assert!(false, "{text}: {ours:?} {theirs:?}"),
                }
            }
            Err(error) => {
                let twice = error.contains("is given twice");
                prop_assert!(twice || theirs.is_err(), "{text}: {error}");
            }
        }
    });
}

#[test]
fn a_schema_of_any_kind_checks_any_value() {
    proptest!(cases(500), |(schema in json(), values in vec(json(), 3))| {
        let Ok(compiled) = CompiledSchema::new(&schema) else { return Ok(()) };
        for value in values {
            if let Err(violations) = compiled.check_value(&value) {
                prop_assert!(violations.to_string().len() < 2048);
            }
        }
    });
}
