//! User-controlled tool execution (seed heading “사용자 제어 도구 실행”).
//!
//! The loop is the caller's own: each round can be looked at, and stopped. Prints the rounds; a scripted
//! model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;

use vernal::prelude::*;
use vernal_testing::{Reply, ScriptedModel};

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
    let batch = Reply::text("I look at both.")
        .and_call("weather", r#"{"city":"Amsterdam"}"#)
        .and_call("weather", r#"{"city":"Paris"}"#);
    let model = ScriptedModel::new().replies(batch).says("Both are sunny.");
    let client = ChatClient::create(model);
    let manager = ToolCallingManager::default();

    let tools = ToolCallbacks::from(WeatherTools);
    let options = ChatOptions::builder().tool_callbacks(tools)?.build();
    let mut prompt = Prompt::new(
        "What is the weather in Amsterdam and Paris?",
        options.clone(),
    );

    // No tool loop runs by itself.
    let request = |prompt: &Prompt| {
        client
            .prompt(prompt.clone())
            .advisors(AdvisorParams::tool_calling_advisor_auto_register(false))
    };
    let mut printed = String::new();
    let mut response = request(&prompt).call().await?;
    while response.chat_response().has_tool_calls() {
        for call in response
            .chat_response()
            .generations
            .iter()
            .flat_map(|g| g.message.tool_calls())
        {
            writeln!(
                printed,
                "the model asks for {} {}",
                call.name, call.arguments
            )?;
        }
        // Here an application asks for consent, tells somebody, or stops.
        let result = manager
            .execute_tool_calls(&prompt, response.chat_response())
            .await?;
        for answer in result.tool_responses() {
            writeln!(printed, "{} gave: {}", answer.name, answer.text())?;
        }
        prompt = Prompt::new(result.conversation_history().clone(), options.clone());
        response = request(&prompt).call().await?;
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
