//! Any text as a tool's schema, in the words of every provider: it ends, it is the same every time, it is
//! not much larger than what it was made from allows, and a schema stays one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use vernal_core::tool::ToolDefinition;
use vernal_models::lowering::{SchemaDialect, lower, size_of};

const DIALECTS: [SchemaDialect; 9] = [
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

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let is_json = serde_json::from_str::<Value>(&text).is_ok();
    let tool = ToolDefinition::builder("t").input_schema(&*text).build();
    for dialect in DIALECTS {
        let lowered = lower(&text, dialect);
        assert_eq!(lowered, lower(&text, dialect));
        if is_json {
            assert!(serde_json::from_str::<Value>(&lowered.schema).is_ok());
        }
        if let Ok(tool) = &tool {
            let lowered = lower(tool.input_schema(), dialect);
            size_of(&lowered.schema);
            // What is larger than a tool's schema may be is no tool's.
            if lowered.schema.len() < 200_000 {
                let again = ToolDefinition::builder("t").input_schema(lowered.schema.clone());
                let again = again.build();
                assert!(again.is_ok(), "{:?} {}", again.err(), lowered.schema);
            }
        }
    }
});
