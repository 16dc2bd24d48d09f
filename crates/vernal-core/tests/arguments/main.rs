//! What is taken as arguments (rules ARG-1 to ARG-5), what a model is told (ERR-4), and that nothing
//! that a model or a server writes can take long.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod bounds;
mod coerced;
mod read;
mod taken;
mod told;

use serde::de::DeserializeOwned;
use vernal_core::message::RawArguments;
use vernal_core::tool::{ArgumentPolicy, ToolDefinition, ToolInput};

pub(crate) fn definition(schema: &str) -> ToolDefinition {
    ToolDefinition::builder("t")
        .input_schema(schema)
        .build()
        .unwrap()
}

pub(crate) fn accepted(
    policy: &ArgumentPolicy,
    schema: &str,
    arguments: &str,
) -> Result<String, String> {
    let raw = RawArguments(arguments.into());
    let input = policy.accept(&definition(schema), &raw);
    input
        .map(|input| input.as_str().to_owned())
        .map_err(|violations| violations.to_string())
}

pub(crate) fn complaints(schema: &str, arguments: &str) -> Vec<String> {
    let checked = definition(schema).compiled_schema().check(arguments);
    checked.err().map_or(Vec::new(), |all| {
        all.iter().map(ToString::to_string).collect()
    })
}

pub(crate) const OPEN: &str = r#"{"type":"object"}"#;

pub(crate) fn read<T: DeserializeOwned>(text: &str) -> T {
    ToolInput::parse(text).unwrap().parse_as().unwrap()
}
