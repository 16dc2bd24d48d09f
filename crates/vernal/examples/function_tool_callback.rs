//! By hand: `FunctionToolCallback` (seed heading “프로그래밍 방식: `FunctionToolCallback`”).
//!
//! Makes tools of closures and functions of every shape. Prints what the model got when it called them;
//! a scripted model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vernal::prelude::*;
use vernal_testing::{Reply, ScriptedModel};

#[derive(Deserialize, JsonSchema)]
struct WeatherRequest {
    /// The city's name.
    location: String,
    unit: Option<Unit>,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
enum Unit {
    C,
    F,
}

#[derive(Serialize)]
struct WeatherResponse {
    degrees: f64,
    unit: Unit,
}

struct WeatherService;

impl WeatherService {
    async fn weather(&self, request: WeatherRequest) -> Result<WeatherResponse, String> {
        let unit = request.unit.unwrap_or(Unit::C);
        match (request.location.as_str(), unit) {
            ("Copenhagen", Unit::C) => Ok(WeatherResponse { degrees: 3.5, unit }),
            ("Copenhagen", Unit::F) => Ok(WeatherResponse {
                degrees: 38.3,
                unit,
            }),
            (elsewhere, _) => Err(format!("no station in {elsewhere}")),
        }
    }
}

/// A plain function is a tool by its name.
fn stations() -> [&'static str; 1] {
    ["Copenhagen"]
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let weather_service = Arc::new(WeatherService);
    let current_weather =
        FunctionToolCallback::builder("currentWeather", move |request: WeatherRequest| {
            let weather_service = weather_service.clone();
            async move { weather_service.weather(request).await }
        })
        .description("Get the weather in location")
        .build()?;

    // Without an argument, like a `Supplier`.
    let stations = FunctionToolCallback::builder("stations", stations).build()?;

    // Without a result, like a `Consumer`: the model reads `Done`.
    let notes = Arc::new(Mutex::new(Vec::new()));
    let noted = notes.clone();
    let note = FunctionToolCallback::builder("note", move |request: WeatherRequest| {
        if let Ok(mut notes) = noted.lock() {
            notes.push(request.location);
        }
    })
    .build()?;

    // With the tool context, like a `BiFunction`; or with that alone.
    let who = FunctionToolCallback::builder("whoAsks", |context: ToolContext| {
        context.get_str("user").unwrap_or("nobody").to_owned()
    })
    .build()?;

    let batch = Reply::call("stations", "{}")
        .and_call("currentWeather", r#"{"location":"Copenhagen","unit":"F"}"#)
        .and_call("currentWeather", r#"{"location":"Atlantis"}"#)
        .and_call("note", r#"{"location":"Copenhagen"}"#)
        .and_call("whoAsks", "{}");
    let model = ScriptedModel::new()
        .replies(batch)
        .says("38.3 °F in Copenhagen.");
    let response = ChatClient::create(model)
        .prompt("What's the weather in Copenhagen?")
        .tools((current_weather, stations, note, who))
        .tool_context([("user", "kim")])
        .call()
        .await?;
    let mut printed = String::new();
    for message in response.messages().into_iter().flat_map(History::iter) {
        for answer in message.tool_responses() {
            writeln!(printed, "{} gave: {}", answer.name, answer.text())?;
        }
    }
    let notes = notes.lock().map_err(|_| "a note was not finished")?;
    writeln!(printed, "noted: {}", notes.join(", "))?;
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
