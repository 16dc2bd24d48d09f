//! Defining a tool once and using it wherever it is needed (seed heading “`ToolCallback` 빈”).
//!
//! What a container of beans does there, `#[tool(register)]` and the feature `registry` do here: tools are
//! collected when the program is linked, and found by name through a resolver. Nothing is handed to a
//! model unless the program does. A scripted model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

use vernal::prelude::*;
use vernal::tool::{StaticToolCallbackResolver, ToolCallbackResolver, registered_tools};
use vernal_testing::ScriptedModel;

/// Get the weather in location
#[tool(register, name = "currentWeather")]
fn current_weather(
    /// The city's name.
    location: String,
) -> String {
    format!("Sunny in {location}")
}

#[derive(Default)]
struct Calendar;

#[tools(register)]
impl Calendar {
    /// Get today's date
    #[tool]
    fn today(&self) -> &'static str {
        "2026-12-01"
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let mut printed = String::new();
    for tool in registered_tools() {
        let definition = tool.tool_definition();
        writeln!(
            printed,
            "registered: {}: {}",
            definition.name(),
            definition.description()
        )?;
    }

    let resolver = StaticToolCallbackResolver::registered()?;
    let weather: Arc<dyn ToolCallback> = resolver
        .resolve("currentWeather")
        .ok_or("nobody registered `currentWeather`")?;

    let model = ScriptedModel::new()
        .calls("currentWeather", r#"{"location":"Copenhagen"}"#)
        .says("It is sunny in Copenhagen.");
    let response = ChatClient::create(model.clone())
        .prompt("What's the weather in Copenhagen?")
        .tools(weather)
        .call()
        .await?;
    for prompt in model.prompts().iter().take(1) {
        let offered: Vec<String> = prompt
            .options()
            .tools()
            .definitions()
            .map(|tool| tool.name().to_string())
            .collect();
        writeln!(printed, "offered to the model: {}", offered.join(", "))?;
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
