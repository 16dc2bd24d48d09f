//! Tools without a client (seed heading “ChatModel 도구 호출”).
//!
//! A model is told which tools there are, and its calls come back unexecuted; the manager executes them
//! under the same limits. Prints each step; a scripted model stands in for a real one, so that no key is
//! needed.

use std::error::Error;
use std::fmt::Write as _;

use vernal::prelude::*;
use vernal_testing::ScriptedModel;

/// Get the current weather for a given city
#[tool]
fn weather(city: String) -> String {
    format!("Sunny in {city}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let model = ScriptedModel::new()
        .calls("weather", r#"{"city":"Jeju"}"#)
        .says("It is sunny.");
    let options = ChatOptions::builder()
        .tool_callbacks(ToolCallbacks::from(weather))?
        .build();
    let manager = ToolCallingManager::builder().build()?;
    let mut printed = String::new();

    let mut prompt = Prompt::new("What is the weather in Jeju?", options);
    let mut response = model.call(prompt.clone()).await?;
    while response.has_tool_calls() {
        for call in response.tool_calls() {
            writeln!(
                printed,
                "not yet executed: {} {}",
                call.name, call.arguments
            )?;
        }
        let result = manager.execute_tool_calls(&prompt, &response).await?;
        prompt = prompt.with_messages(result.conversation_history().clone());
        response = model.call(prompt.clone()).await?;
    }
    writeln!(printed, "{} messages", prompt.messages().len())?;
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
