//! By hand: `MethodToolCallback` (seed heading “프로그래밍 방식: `MethodToolCallback`”).
//!
//! Makes tools of methods of a type that somebody else wrote. Prints what the model got when it called
//! them; a scripted model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

use vernal::prelude::*;
use vernal::tool::{MethodParameter, MethodToolCallback};
use vernal_testing::ScriptedModel;

/// Another crate, for example.
mod weather {
    pub(super) struct WeatherTools;

    impl WeatherTools {
        pub(super) fn get_weather(&self, city: String) -> String {
            format!("Sunny in {city}")
        }

        pub(super) async fn forecast(&self, city: &str, days: u8) -> Result<String, String> {
            match days {
                0..=7 => Ok(format!("{days} days of sun in {city}")),
                _ => Err("no forecast goes beyond 7 days".to_owned()),
            }
        }

        pub(super) fn cities() -> Vec<&'static str> {
            vec!["Copenhagen", "Jeju"]
        }
    }
}

use weather::WeatherTools;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let object = Arc::new(WeatherTools);

    // A method by its path.
    let weather = MethodToolCallback::builder("getWeather")
        .description("Get the current weather for a given city")
        .object(object.clone())
        .parameter::<String>("city")
        .method(WeatherTools::get_weather)
        .build()?;

    // An async method whose types differ from those that a model can give.
    let forecast = MethodToolCallback::builder("getForecast")
        .tool_metadata(ToolMetadata::builder().read_only(true).build())
        .object(object)
        .parameter(MethodParameter::new("city").description("City name"))
        .parameter(MethodParameter::new("days").default_value(3))
        .method(async |tools: &WeatherTools, city: String, days: u8| {
            tools.forecast(&city, days).await
        })
        .build()?;

    // A function needs no object.
    let cities = MethodToolCallback::builder("getCities")
        .method(WeatherTools::cities)
        .build()?;

    let model = ScriptedModel::new()
        .calls("getCities", "{}")
        .calls("getWeather", r#"{"city":"Jeju"}"#)
        .calls("getForecast", r#"{"city":"Jeju"}"#)
        .calls("getForecast", r#"{"city":"Jeju","days":30}"#)
        .says("It stays sunny in Jeju for at least 3 days.");
    let response = ChatClient::create(model)
        .prompt("Where is it sunny, and for how long?")
        .tools((weather, forecast, cities))
        .call()
        .await?;
    let mut printed = String::new();
    for message in response.messages().into_iter().flat_map(History::iter) {
        for answer in message.tool_responses() {
            writeln!(printed, "{} gave: {}", answer.name, answer.text())?;
        }
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
