//! The client that does the job.

use vernal::models::openai::OpenAiChatModel;
use vernal::prelude::*;
use vernal_core::tool::{ToolCallback, ToolFuture, ToolInput};

use super::{fillers, tool_result};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Weather {
    city: String,
    #[expect(dead_code, reason = "the model sends it, the tool has no use for it")]
    days: u32,
}

/// A tool that is offered and never called.
struct Filler(ToolDefinition);

impl ToolCallback for Filler {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _input: ToolInput, _context: ToolContext) -> ToolFuture<'a> {
        Box::pin(async { Ok(ToolOutput::from_text("ok")) })
    }
}

/// The client of the job, with ten tools.
pub fn client(base_url: &str, model: &str) -> ChatClient {
    let weather =
        FunctionToolCallback::builder(
            "get_weather",
            |at: Weather| async move { tool_result(&at.city) },
        )
        .description("Get the weather for a city")
        .build()
        .unwrap();
    let fillers: Vec<_> = fillers()
        .map(|(name, description, schema)| {
            let definition = ToolDefinition::builder(name).description(description);
            Filler(definition.input_schema(schema).build().unwrap())
        })
        .collect();
    let model = OpenAiChatModel::builder()
        .base_url(base_url)
        .api_key("k")
        .model(model)
        .build()
        .unwrap();
    // The long jobs call one tool more often than the default limits allow.
    let manager = ToolCallingManager::builder()
        .unlimited_calls_per_tool()
        .max_rounds(100)
        .build()
        .unwrap();
    ChatClient::builder(model)
        .tool_calling_manager(manager)
        .default_system("You are a helpful agent.")
        .default_tools((weather, fillers))
        .build()
        .unwrap()
}
