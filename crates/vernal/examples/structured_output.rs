//! Answers of a type.
//!
//! `entity` asks for one, natively where the provider can hold a model to a schema and in words
//! otherwise; an answer that does not fit is corrected. Tools may be called on the way. Prints the
//! values, and what the model was told; a scripted model stands in for a real one, so that no key is
//! needed.

use std::error::Error;
use std::fmt::Write as _;

use futures::StreamExt;
use schemars::JsonSchema;
use serde::Deserialize;
use vernal::prelude::*;
use vernal_testing::ScriptedModel;

#[derive(Debug, Deserialize, JsonSchema)]
struct Forecast {
    city: String,
    /// In degrees Celsius
    degrees: i32,
}

#[derive(Debug, Deserialize, JsonSchema)]
enum Mood {
    Glad,
    Sad,
}

/// Measures the temperature
#[tool]
fn thermometer(city: String) -> i32 {
    if city == "Jeju" { 21 } else { 9 }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let mut printed = String::new();

    // A tool is called, and then the answer is wrong at first.
    let model = ScriptedModel::new()
        .calls("thermometer", r#"{"city":"Jeju"}"#)
        .says(r#"{"city":"Jeju","degrees":"mild"}"#)
        .says(r#"{"city":"Jeju","degrees":21}"#);
    let client = ChatClient::builder(model.clone())
        .default_tools(thermometer)
        .build()?;
    let forecast: Forecast = client.prompt("Weather in Jeju?").entity().await?;
    writeln!(
        printed,
        "{} °C in {} after {} model calls",
        forecast.degrees,
        forecast.city,
        model.call_count()
    )?;
    let prompts = model.prompts();
    let told = prompts.last().and_then(|prompt| prompt.messages().last());
    let told = told
        .map(|message| message.text().into_owned())
        .unwrap_or_default();
    for line in told.lines().filter(|line| line.starts_with('$')) {
        writeln!(printed, "the model was told: {line}")?;
    }

    // Lists, enums and the like are asked for as a member of an object.
    let model = ScriptedModel::new().says(r#"{"value":["Glad","Sad"]}"#);
    let request = ChatClient::create(model).prompt("“I won!” and “It rains.”");
    let both = request.entity::<Vec<Mood>>().with_response().await?;
    writeln!(
        printed,
        "{:?} from {}",
        both.entity,
        both.response.content()
    )?;

    // A stream shows each try; its text is the answer that fits.
    let model = ScriptedModel::new()
        .says("It is mild in Jeju.")
        .says(r#"{"city":"Jeju","degrees":21}"#);
    let request = ChatClient::create(model).prompt("Weather in Jeju?");
    let mut events = request.entity::<Forecast>().stream();
    while let Some(event) = StreamExt::next(&mut events).await {
        match event? {
            ChatEvent::TextDelta { text, .. } => writeln!(printed, "text: {text}")?,
            ChatEvent::AnswerRejected { reason, .. } => writeln!(printed, "rejected: {reason}")?,
            ChatEvent::Done { response } => {
                writeln!(printed, "{:?}", response.entity::<Forecast>()?)?;
            }
            _ => {}
        }
    }

    // When nothing helps, the error has the last answer and what is wrong with it.
    let model = ScriptedModel::new().says("Mild.").says("Still mild.");
    let request = ChatClient::create(model).prompt("Weather in Jeju?");
    let failed = request.entity::<Forecast>().max_corrections(1).await.err();
    if let Some(invalid) = failed.as_ref().and_then(|error| error.invalid_answer()) {
        writeln!(
            printed,
            "gave up after {} tries: {}",
            invalid.tries(),
            invalid.text()
        )?;
    }
    Ok(printed)
}
