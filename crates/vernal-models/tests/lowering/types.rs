//! The schemas of Rust types, which most tools have.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use vernal_core::tool::schema::input_schema_of;
use vernal_models::lowering::{SchemaDialect, lower};

use crate::ALL;
use crate::properties::holds;

#[derive(Serialize, Deserialize, JsonSchema)]
struct Order {
    /// What is ordered.
    items: Vec<Item>,
    note: Option<String>,
    #[serde(default)]
    express: bool,
    payment: Payment,
    size: Size,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Item {
    name: String,
    count: u8,
    part_of: Option<Box<Item>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Payment {
    Cash,
    Card {
        number: String,
        holder: Option<String>,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Size {
    Small,
    Large,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Flat {
    id: u32,
    #[serde(flatten)]
    payment: Payment,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Loose {
    labels: BTreeMap<String, String>,
    any: Value,
    pair: (u8, String),
}

#[test]
fn sch_8_rust_types_go_to_every_provider() {
    let order = json!({"items": [{"name": "tea", "count": 2, "part_of": {"name": "set", "count": 1, "part_of": null}}],
        "note": null, "payment": {"kind": "card", "number": "1", "holder": null}, "size": "small"});
    let flat = json!({"id": 1, "kind": "cash"});
    let loose = json!({"labels": {"a": "b"}, "any": [1], "pair": [1, "x"]});
    for (schema, value, strict) in [
        // An item is part of an item, which Anthropic does not take.
        (input_schema_of::<Order>(), order, [true, false]),
        (input_schema_of::<Flat>(), flat, [true, true]),
        (input_schema_of::<Loose>(), loose, [false, false]),
    ] {
        let schema_value: Value = serde_json::from_str(&schema).unwrap();
        for dialect in ALL {
            let taken = holds(
                &schema_value,
                std::slice::from_ref(&value),
                dialect,
                &schema,
            );
            assert_eq!(
                taken,
                1,
                "{dialect:?} {schema} {:?}",
                lower(&schema, dialect)
            );
        }
        let dialects = [SchemaDialect::OpenAiStrict, SchemaDialect::AnthropicStrict];
        for (dialect, strict) in dialects.into_iter().zip(strict) {
            let lowered = lower(&schema, dialect);
            assert_eq!(lowered.is_strict, strict, "{lowered:?}");
        }
    }
}
