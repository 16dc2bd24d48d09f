//! Passing tools to a client (seed heading “ChatClient에 도구 전달”).
//!
//! Tools for every request, and for one; in any mix, and what happens when two have one name. Prints what
//! the model was offered; a scripted model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;

use vernal::prelude::*;
use vernal_testing::ScriptedModel;

struct WeatherTools;

#[tools]
impl WeatherTools {
    /// Get the current weather for a given city
    #[tool]
    fn get_weather(&self, city: String) -> String {
        format!("Sunny in {city}")
    }
}

/// Get today's date
#[tool]
fn today() -> &'static str {
    "2026-12-01"
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let model = ScriptedModel::new().says("Hello.").says("Hello again.");
    let random = FunctionToolCallback::builder("random", || 4).build()?;
    // For every request: an object, a function, perhaps something.
    let client = ChatClient::builder(model.clone())
        .default_tools((WeatherTools, Some(today)))
        .build()?;

    client.prompt("Hi!").call().await?;
    // For this request only, behind the client's own.
    client.prompt("Hi!").tools(random).call().await?;
    let twice = client.prompt("Hi!").tools(WeatherTools).call().await;

    let mut printed = String::new();
    for prompt in model.prompts() {
        let names = prompt.options().tools().definitions();
        let names: Vec<_> = names.map(|tool| tool.name().to_string()).collect();
        writeln!(printed, "offered: {}", names.join(", "))?;
    }
    if let Err(error) = twice {
        writeln!(printed, "{error}")?;
    }
    Ok(printed)
}
