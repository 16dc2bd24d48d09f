//! Schemas in the words of each provider (rule SCH-8): what becomes of each keyword, and what holds for
//! any schema.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod dialects;
mod generate;
mod properties;
mod strict;
mod types;

use serde_json::Value;
use vernal_core::model::LossOutcome;
use vernal_models::lowering::{LoweredSchema, SchemaDialect, lower};

const ALL: [SchemaDialect; 9] = [
    SchemaDialect::OpenAi,
    SchemaDialect::OpenAiStrict,
    SchemaDialect::Anthropic,
    SchemaDialect::AnthropicStrict,
    SchemaDialect::Gemini,
    SchemaDialect::GeminiOpenApi,
    SchemaDialect::Ollama,
    SchemaDialect::Bedrock,
    SchemaDialect::BedrockStrict,
];

fn lowered(schema: &Value, dialect: SchemaDialect) -> (Value, LoweredSchema) {
    let lowered = lower(&schema.to_string(), dialect);
    (serde_json::from_str(&lowered.schema).unwrap(), lowered)
}

/// The losses in short: path, keyword, outcome.
fn losses(lowered: &LoweredSchema) -> Vec<(&str, &str, LossOutcome)> {
    let losses = lowered.losses.iter();
    losses
        .map(|loss| (&*loss.path, &*loss.keyword, loss.outcome))
        .collect()
}
