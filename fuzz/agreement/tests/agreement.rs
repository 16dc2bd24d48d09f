//! Random schemas from every keyword that is checked, random values near them, and two opinions.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use vernal_core::tool::schema::CompiledSchema;

/// How many schemas are made, each for ten values, unless `PROPTEST_CASES` says more.
const SCHEMAS: u32 = 3000;

fn scalar() -> impl Strategy<Value = Value> {
    select(vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(1.0),
        json!(-1),
        json!(2),
        json!(3),
        json!(1.5),
        json!(0.5),
        json!(1e3),
        json!(1u64 << 60),
        json!(""),
        json!("a"),
        json!("b"),
        json!("ab"),
        json!("é😀"),
        json!("1"),
    ])
}

fn name() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c", "1", "ab", "é"]).prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::Array),
            vec((name(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn object_or_any() -> impl Strategy<Value = Value> {
    let object = vec((name(), value()), 0..5)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()));
    let array = vec(value(), 0..5).prop_map(Value::Array);
    prop_oneof![3 => object, 2 => array, 2 => value()]
}

type Keyword = (&'static str, Value);

fn plain_keyword() -> BoxedStrategy<Keyword> {
    let types = [
        "null", "boolean", "number", "integer", "string", "array", "object",
    ];
    let one_type = select(types.to_vec()).prop_map(|name| ("type", json!(name)));
    let some_types = proptest::sample::subsequence(types.to_vec(), 1..4)
        .prop_map(|names| ("type", json!(names)));
    let bounds = select(vec![
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
    ]);
    let numbers = select(vec![
        json!(-1),
        json!(0),
        json!(1),
        json!(1.5),
        json!(2),
        json!(1e3),
    ]);
    let counts = select(vec![
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    ]);
    prop_oneof![
        2 => one_type,
        1 => some_types,
        2 => (bounds, numbers),
        1 => select(vec![json!(0.5), json!(1), json!(2), json!(1.5), json!(3)]).prop_map(|of| ("multipleOf", of)),
        2 => (counts, (0..4u8).prop_map(Value::from)),
        1 => any::<bool>().prop_map(|unique| ("uniqueItems", json!(unique))),
        2 => vec(name(), 0..3).prop_map(|mut names| {
            names.sort();
            names.dedup();
            ("required", json!(names))
        }),
        1 => value().prop_map(|value| ("const", value)),
        1 => vec(value(), 1..4).prop_map(|values| ("enum", Value::Array(values))),
        1 => (name(), vec(name(), 0..2)).prop_map(|(name, mut needed)| {
            needed.dedup();
            ("dependentRequired", json!({ name: needed }))
        }),
        1 => select(vec!["#/$defs/x", "#/$defs/y", "#named", "#"]).prop_map(|to| ("$ref", json!(to))),
        1 => Just(("$dynamicRef", json!("#dynamic"))),
    ]
    .boxed()
}

fn nested_keyword(inner: BoxedStrategy<Value>) -> BoxedStrategy<Keyword> {
    let one = select(vec![
        "items",
        "contains",
        "additionalProperties",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "unevaluatedProperties",
        "unevaluatedItems",
    ]);
    let list = select(vec!["allOf", "anyOf", "oneOf", "prefixItems"]);
    let named = select(vec!["properties", "dependentSchemas"]);
    let numbers = select(vec![r"^\d+$", r"^-?\d+$"]);
    prop_oneof![
        3 => (one, inner.clone()),
        3 => (list, vec(inner.clone(), 1..4).prop_map(Value::Array)),
        3 => (named, vec((name(), inner.clone()), 1..4).prop_map(|schemas| {
            Value::Object(schemas.into_iter().collect())
        })),
        1 => (numbers, inner.clone())
            .prop_map(|(pattern, schema)| ("patternProperties", json!({ pattern: schema }))),
        1 => (inner, 0..3u8, 0..3u8).prop_map(|(schema, min, max)| {
            ("contains", json!({ "schema": schema, "min": min, "max": max }))
        }),
    ]
    .boxed()
}

/// Keywords that belong together come as one: takes them apart.
fn schema_of(keywords: Vec<Keyword>) -> Value {
    let mut schema = Map::new();
    for (keyword, value) in keywords {
        match (keyword, &value) {
            ("contains", Value::Object(parts)) if parts.contains_key("schema") => {
                schema.insert("contains".to_owned(), parts["schema"].clone());
                schema.insert("minContains".to_owned(), parts["min"].clone());
                schema.insert("maxContains".to_owned(), parts["max"].clone());
            }
            _ => {
                schema.insert(keyword.to_owned(), value);
            }
        }
    }
    Value::Object(schema)
}

fn schema() -> impl Strategy<Value = Value> {
    let flat = prop_oneof![
        8 => vec(plain_keyword(), 0..3).prop_map(schema_of),
        1 => any::<bool>().prop_map(Value::Bool),
    ];
    flat.prop_recursive(4, 24, 4, |inner| {
        let inner = inner.boxed();
        let any = (
            vec(plain_keyword(), 0..3),
            vec(nested_keyword(inner.clone()), 0..4),
        )
            .prop_map(|(plain, nested)| schema_of([plain, nested].concat()));
        prop_oneof![2 => any, 1 => closed(inner)]
    })
}

/// A schema that looks at parts of a value in several places, and asks what was left.
fn closed(inner: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let list = select(vec!["allOf", "anyOf", "oneOf"]);
    let one = select(vec!["not", "if", "then", "else", "contains"]);
    let parts = vec(part(inner.clone()), 1..4);
    let place = prop_oneof![
        3 => (list, parts.prop_map(Value::Array)),
        3 => (one, part(inner.clone())),
        1 => (name(), part(inner.clone()))
            .prop_map(|(name, part)| ("dependentSchemas", json!({ name: part }))),
        1 => select(vec!["#/$defs/x", "#named"]).prop_map(|to| ("$ref", json!(to))),
    ];
    let rest = prop_oneof![3 => Just(json!(false)), 1 => inner.clone()];
    let keyword = select(vec!["unevaluatedProperties", "unevaluatedItems"]);
    (part(inner), vec(place, 1..4), keyword, rest).prop_map(|(part, places, keyword, rest)| {
        let mut schema = schema_of(places);
        if let (Value::Object(schema), Value::Object(part)) = (&mut schema, part) {
            schema.extend(part);
            schema.insert(keyword.to_owned(), rest);
        }
        schema
    })
}

/// A schema that looks at some members or items.
fn part(inner: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let fits_often = prop_oneof![2 => Just(json!(true)), 1 => inner];
    let named = vec((name(), fits_often.clone()), 1..3)
        .prop_map(|schemas| json!({ "properties": schemas.into_iter().collect::<Map<_, _>>() }));
    let items = vec(fits_often.clone(), 1..3).prop_map(|schemas| json!({ "prefixItems": schemas }));
    let some = fits_often.prop_map(|schema| json!({ "contains": schema, "minContains": 0 }));
    prop_oneof![3 => named, 2 => items, 1 => some]
}

/// A schema with the definitions that it may refer to.
fn document() -> impl Strategy<Value = Value> {
    (schema(), schema(), schema(), schema(), schema()).prop_map(|(root, x, y, named, dynamic)| {
        let mut root = match root {
            Value::Object(members) => members,
            other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
        };
        let with = |schema: Value, anchor: &str, name: &str| match schema {
            Value::Object(mut members) => {
                members.insert(anchor.to_owned(), json!(name));
                Value::Object(members)
            }
            other => json!({ anchor: name, "allOf": [other] }),
        };
        let named = with(named, "$anchor", "named");
        let dynamic = with(dynamic, "$dynamicAnchor", "dynamic");
        root.insert(
            "$defs".to_owned(),
            json!({ "x": x, "y": y, "n": named, "d": dynamic }),
        );
        Value::Object(root)
    })
}

#[test]
fn agrees_with_another_implementation() {
    let (compared, fits, refused) = (Cell::new(0_u32), Cell::new(0_u32), Cell::new(0_u32));
    let mut config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    config.cases = SCHEMAS * (config.cases / 256).max(1);
    config.max_shrink_iters = 4000;
    let mut runner = TestRunner::new(config);
    let result = runner.run(
        &(document(), vec(object_or_any(), 10)),
        |(schema, values)| {
            let ours = match CompiledSchema::new(&schema.to_string()) {
                Ok(compiled) => compiled,
                Err(error) => {
                    // One that never ends has no meaning that could be compared.
                    let endless = error.to_string().contains("refers to itself without end");
                    prop_assert!(endless, "{schema} {error}");
                    refused.set(refused.get() + 1);
                    return Ok(());
                }
            };
            prop_assert!(ours.unchecked().is_empty());
            let theirs = jsonschema::draft202012::new(&schema);
            prop_assert!(theirs.is_ok(), "{schema}");
            let theirs = theirs.unwrap();
            for value in values {
                let our_result = ours.check_value(&value.to_string());
                let their_result = theirs.is_valid(&value);
                prop_assert_eq!(
                    our_result.is_ok(),
                    their_result,
                    "{}\n{}\n{:?}",
                    schema,
                    value,
                    our_result
                );
                compared.set(compared.get() + 1);
                fits.set(fits.get() + u32::from(their_result));
            }
            Ok(())
        },
    );
    println!(
        "{} values compared, {} of them fit; {} schemas without end left out",
        compared.get(),
        fits.get(),
        refused.get()
    );
    if let Err(failure) = result {
        panic!("{failure}");
    }
    assert!(
        compared.get() >= 20_000,
        "only {} values were compared",
        compared.get()
    );
    assert!(fits.get() > compared.get() / 10, "hardly any value fits");
    assert!(
        fits.get() < compared.get() * 9 / 10,
        "hardly any value does not fit"
    );
}
