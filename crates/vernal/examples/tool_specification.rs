//! `ToolCallback` and `ToolDefinition` by hand (seed headings “`ToolCallback`” and “`ToolDefinition`”).
//!
//! A tool whose schema somebody else wrote, as one that stands for a remote service. Prints what the model
//! sees and gets; a scripted model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;

use vernal::prelude::*;
use vernal::tool::{ToolDefinitions, ToolFuture, ToolInput};
use vernal_testing::ScriptedModel;

struct RemoteWeather {
    definition: ToolDefinition,
    metadata: ToolMetadata,
}

impl ToolCallback for RemoteWeather {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn tool_metadata(&self) -> &ToolMetadata {
        &self.metadata
    }

    fn call<'a>(&'a self, input: ToolInput, _context: ToolContext) -> ToolFuture<'a> {
        Box::pin(async move {
            // The input is one JSON object that fits the schema.
            let unit: String = input.fields()?.read("unit")?;
            match unit.as_str() {
                "C" => Ok(ToolOutput::from_text("21 °C")),
                _ => Err(ToolError::model("the service is out of °F today")),
            }
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let definition = ToolDefinition::builder("currentWeather")
        .description("Get the weather in location")
        .input_schema(
            r#"{
                "type": "object",
                "properties": {
                    "location": { "type": "string" },
                    "unit": { "type": "string", "enum": ["C", "F"] }
                },
                "required": ["location", "unit"]
            }"#,
        )
        .build()?;
    let metadata = ToolMetadata::builder().read_only(true).build();
    let weather = RemoteWeather {
        definition,
        metadata,
    };

    let copy = ToolDefinitions::from(&weather);
    let mut printed = String::new();
    writeln!(printed, "{}: {}", copy.name(), copy.description())?;
    writeln!(printed, "  {}", copy.input_schema())?;

    let model = ScriptedModel::new()
        .calls("currentWeather", r#"{"location":"Jeju","unit":"K"}"#)
        .calls("currentWeather", r#"{"location":"Jeju","unit":"F"}"#)
        .calls("currentWeather", r#"{"location":"Jeju","unit":"C"}"#)
        .says("It is 21 °C in Jeju.");
    let response = ChatClient::create(model)
        .prompt("How warm is it in Jeju?")
        .tools(weather)
        .call()
        .await?;
    for message in response.messages().into_iter().flat_map(History::iter) {
        for answer in message.tool_responses() {
            for line in answer.text().lines() {
                writeln!(printed, "{line}")?;
            }
        }
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
