//! Tool argument augmentation (seed heading “도구 인자 보강”).
//!
//! The model is asked for its reasons beside what a tool takes; the application gets them, and the tool
//! is as it was. Prints the schema, the reasons and what the tool got; a scripted model stands in for a
//! real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use vernal::prelude::*;
use vernal::tool::augment::AugmentedToolCallbackProvider;
use vernal_testing::ScriptedModel;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentThinking {
    /// Your reasoning for calling this tool
    inner_thought: String,
    /// Confidence level (low, medium, high)
    confidence: Option<String>,
}

struct WeatherTools;

#[tools]
impl WeatherTools {
    /// Get the weather in a city
    #[tool]
    fn weather(&self, city: String) -> String {
        format!("Sunny in {city}")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let thoughts = Arc::new(Mutex::new(Vec::new()));
    let heard = thoughts.clone();
    let provider = AugmentedToolCallbackProvider::<AgentThinking>::builder()
        .tools(WeatherTools)
        .argument_consumer(move |event| {
            let thinking = event.arguments();
            let confidence = thinking.confidence.as_deref().unwrap_or("unsaid");
            let tool = event.tool_definition().name();
            let thought = format!(
                "{tool}: {} (confidence: {confidence})",
                thinking.inner_thought
            );
            heard
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(thought);
        })
        .build()?;
    let arguments =
        r#"{"city":"Jeju","innerThought":"The user asks about Jeju.","confidence":"high"}"#;
    let model = ScriptedModel::new()
        .calls("weather", arguments)
        .says("It is sunny in Jeju.");
    let client = ChatClient::builder(model.clone())
        .default_tools(provider)
        .build()?;
    let response = client.prompt("What is the weather in Jeju?").call().await?;

    let mut printed = String::new();
    if let Some(prompt) = model.prompts().first() {
        for tool in prompt.options().tools().definitions() {
            writeln!(
                printed,
                "the model sees {}: {}",
                tool.name(),
                tool.input_schema()
            )?;
        }
    }
    for thought in thoughts
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
    {
        writeln!(printed, "{thought}")?;
    }
    let messages = response.messages().into_iter().flat_map(History::iter);
    for answer in messages.flat_map(|message| message.tool_responses()) {
        writeln!(printed, "{} gave: {}", answer.name, answer.text())?;
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
