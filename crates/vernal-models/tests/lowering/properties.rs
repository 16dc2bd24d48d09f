//! What holds for any schema: in the words of any dialect it is a schema, it takes what the tool takes
//! as far as the report says, and what a model says in those words the tool takes.

use serde_json::{Map, Value, json};
use vernal_core::message::RawArguments;
use vernal_core::model::LossOutcome;
use vernal_core::tool::{ArgumentPolicy, ToolDefinition};
use vernal_models::lowering::{LoweredSchema, SchemaDialect, lower};

use crate::generate::{Chance, disturb, root, value};
use crate::{ALL, lowered};

const SCHEMAS: u64 = 120;
const VALUES: usize = 12;

fn definition(schema: &Value) -> ToolDefinition {
    let text = schema.to_string();
    let built = ToolDefinition::builder("t")
        .input_schema(text.clone())
        .build();
    built.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn takes(definition: &ToolDefinition, value: &Value) -> bool {
    definition
        .compiled_schema()
        .check(&value.to_string())
        .is_ok()
}

/// Whether the report says that all is taken that was. Values here have no members that their schema
/// does not name, so that it does not matter to them that an object was closed.
fn promises_all(report: &LoweredSchema) -> bool {
    let mut losses = report.losses.iter();
    losses
        .all(|loss| loss.outcome != LossOutcome::Narrowed || loss.keyword == "additionalProperties")
}

/// The schema in words of JSON Schema, where it has `nullable`.
fn without_nullable(schema: &Value) -> Value {
    let Value::Object(members) = schema else {
        return match schema {
            Value::Array(items) => items.iter().map(without_nullable).collect(),
            other => other.clone(),
        };
    };
    let mut members: Map<String, Value> = members
        .iter()
        .map(|(name, inner)| (name.clone(), without_nullable(inner)))
        .collect();
    match members.remove("nullable") {
        Some(_) => json!({"anyOf": [members, {"type": "null"}]}),
        None => members.into(),
    }
}

/// The values that a strict schema asks for in place of one whose optional members are missing: `null`
/// under each name, in each alternative that could be meant.
fn filled(schema: &Value, root: &Value, value: &Value, depth: usize) -> Vec<Value> {
    if depth == 0 {
        return vec![value.clone()];
    }
    if let Some(to) = schema["$ref"].as_str() {
        return filled(root.pointer(&to[1..]).unwrap(), root, value, depth - 1);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let mut all: Vec<Value> = choices
            .iter()
            .flat_map(|choice| filled(choice, root, value, depth - 1))
            .collect();
        all.dedup();
        all.truncate(6);
        return all;
    }
    match value {
        Value::Object(members) if schema["properties"].is_object() => {
            let mut all = vec![members.clone()];
            for (name, property) in schema["properties"].as_object().unwrap() {
                let options = match members.get(name) {
                    Some(member) => filled(property, root, member, depth - 1),
                    None => vec![Value::Null],
                };
                all = all
                    .iter()
                    .flat_map(|members| {
                        options.iter().map(move |option| {
                            let mut members = members.clone();
                            members.insert(name.clone(), option.clone());
                            members
                        })
                    })
                    .take(64)
                    .collect();
            }
            all.into_iter().map(Value::from).collect()
        }
        Value::Array(items) if schema["items"].is_object() => {
            let mut all: Vec<Vec<Value>> = vec![Vec::new()];
            for item in items {
                let options = filled(&schema["items"], root, item, depth - 1);
                all = all
                    .iter()
                    .flat_map(|before| {
                        options.iter().map(move |option| {
                            let mut items = before.clone();
                            items.push(option.clone());
                            items
                        })
                    })
                    .take(64)
                    .collect();
            }
            all.into_iter().map(Value::from).collect()
        }
        other => vec![other.clone()],
    }
}

pub(crate) fn holds(schema: &Value, values: &[Value], dialect: SchemaDialect, what: &str) -> usize {
    let original = definition(schema);
    let (value, report) = lowered(schema, dialect);
    let (again, _) = lowered(schema, dialect);
    assert_eq!(value, again, "{what}");
    let readable = without_nullable(&value);
    let sent = definition(&readable);
    if !promises_all(&report) {
        return 0;
    }
    let mut taken = 0;
    for given in values.iter().filter(|value| takes(&original, value)) {
        taken += 1;
        let said = if dialect == SchemaDialect::OpenAiStrict && report.is_strict {
            filled(&value, &value, given, 12)
        } else {
            vec![given.clone()]
        };
        let said = said.iter().find(|said| takes(&sent, said));
        let Some(said) = said else {
            panic!(
                "{what} {dialect:?}\n{schema}\n{value}\n{:?}\nrefuses {given}",
                report.losses
            );
        };
        // And it comes back.
        let raw = RawArguments(said.to_string().into());
        let accepted = ArgumentPolicy::default().accept(&original, &raw);
        assert!(
            accepted.is_ok(),
            "{what} {dialect:?}\n{schema}\n{said}\n{}",
            accepted.unwrap_err()
        );
    }
    taken
}

#[test]
fn sch_8_any_schema_lowered_takes_what_the_tool_takes() {
    let mut taken = [0_usize; ALL.len()];
    for seed in 1..=SCHEMAS {
        let mut chance = Chance::new(seed);
        let schema = root(&mut chance);
        let values: Vec<Value> = (0..VALUES)
            .map(|_| value(&schema, &schema, &mut chance, 8))
            .collect();
        for (dialect, taken) in ALL.iter().zip(&mut taken) {
            *taken += holds(&schema, &values, *dialect, &format!("seed {seed}"));
        }
    }
    // It is no proof where nothing was taken.
    assert!(taken.iter().all(|taken| *taken > 150), "{taken:?}");
}

#[test]
fn sch_8_schemas_that_make_no_sense_become_json() {
    for seed in 1..=500 {
        let mut chance = Chance::new(seed);
        let mut schema = root(&mut chance);
        for _ in 0..=chance.below(3) {
            disturb(&mut schema, &mut chance);
        }
        for dialect in ALL {
            let (value, report) = lowered(&schema, dialect);
            assert!(
                value == schema || report.schema.len() < 200_000,
                "seed {seed} {dialect:?}"
            );
        }
    }
}

#[test]
fn sch_8_deep_wide_and_broken_schemas_end() {
    let open = r#"{"type":"object","properties":{"d":"#;
    let deep = format!("{}{{}}{}", open.repeat(300), "}}".repeat(300));
    for dialect in ALL {
        assert!(lower(&deep, dialect).schema.len() < 20_000, "{dialect:?}");
    }
    let mut doubling = Map::new();
    for at in 0..40 {
        let next = format!("#/$defs/n{}", at + 1);
        let both =
            json!({"type": "object", "properties": {"a": {"$ref": next}, "b": {"$ref": next}}});
        doubling.insert(format!("n{at}"), both);
    }
    doubling.insert("n40".to_owned(), json!({"type": "string"}));
    let wide = json!({"$ref": "#/$defs/n0", "$defs": doubling});
    let links = (0..4000).map(|at| {
        let next = json!({"$ref": format!("#/$defs/n{}", at + 1)});
        (format!("n{at}"), next)
    });
    let links: Map<String, Value> = links.collect();
    let chain =
        json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/n0"}}, "$defs": links});
    let broken = json!({"type": "object", "properties": 3, "required": {"a": 1}, "anyOf": "x", "allOf": [1],
        "$ref": "#/nowhere", "enum": 3, "items": [true], "oneOf": [[]]});
    let around = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}});
    for schema in [wide, chain, broken, around, json!(1), json!([])] {
        for dialect in ALL {
            let report = lower(&schema.to_string(), dialect);
            assert!(report.schema.len() < 2_000_000, "{dialect:?}");
        }
    }
}
