//! Declarative: `#[tools]` and `#[tool]` (seed heading “선언적: `@Tool`”).
//!
//! Prints what the model is told about two tools, and what it got when it called them. A scripted model
//! stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;

use vernal::prelude::*;
use vernal_testing::ScriptedModel;

/// What the weather comes from; it stays with the application.
struct WeatherService;

impl WeatherService {
    fn fetch(&self, city: &str, at: Option<&str>) -> String {
        format!("Sunny in {city} {}", at.unwrap_or("now"))
    }
}

struct WeatherTools {
    weather_service: WeatherService,
}

#[tools]
impl WeatherTools {
    #[tool(
        name = "getWeather",
        description = "Get the current weather for a given city"
    )]
    fn weather(&self, city: String) -> String {
        self.weather_service.fetch(&city, None)
    }

    /// Get the weather for a city at a specific time.
    #[tool]
    async fn weather_at(
        &self,
        /// City name
        city: String,
        #[param(description = "Time in ISO-8601 format", required = false)] at: Option<String>,
    ) -> String {
        self.weather_service.fetch(&city, at.as_deref())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let model = ScriptedModel::new()
        .calls("getWeather", r#"{"city":"Copenhagen"}"#)
        .calls(
            "weather_at",
            r#"{"city":"Jeju","at":"2026-12-01T09:30:00+09:00"}"#,
        )
        .says("Both are sunny.");
    let tools = ToolCallbacks::from(WeatherTools {
        weather_service: WeatherService,
    });
    let mut printed = String::new();
    for tool in &tools {
        let definition = tool.tool_definition();
        writeln!(
            printed,
            "{}: {}",
            definition.name(),
            definition.description()
        )?;
        writeln!(printed, "  {}", definition.input_schema())?;
    }
    let response = ChatClient::create(model)
        .prompt("What is the weather in Copenhagen now, and in Jeju tomorrow morning?")
        .tools(tools)
        .call()
        .await?;
    for message in response.messages().into_iter().flat_map(History::iter) {
        for answer in message.tool_responses() {
            writeln!(printed, "{} gave: {}", answer.name, answer.text())?;
        }
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
