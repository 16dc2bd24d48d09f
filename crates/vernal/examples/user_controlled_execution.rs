//! User-controlled tool execution (seed heading “사용자 제어 도구 실행”).
//!
//! The loop is the caller's own: each round can be looked at, and stopped. Prints the rounds; a scripted
//! model stands in for a real one, so that no key is needed. `user_controlled_streaming` is its twin.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

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
    let mut printed = String::new();

    let chat_client = ChatClient::create(model);
    let tool_calling_manager = ToolCallingManager::builder().build()?;

    let tools = ToolCallbacks::from(WeatherTools);
    let chat_options = Arc::new(ChatOptions::builder().tool_callbacks(tools)?.build());

    let question = "What is the weather in Amsterdam and Paris?";

    // The tool loop is off: nothing runs by itself.
    let mut response = chat_client
        .prompt(question)
        .options(chat_options.clone())
        .advisors(AdvisorParams::tool_calling_advisor_auto_register(false))
        .call()
        .await?;

    let mut prompt = Prompt::new(question, chat_options.clone());

    // Drive the loop yourself: each iteration can be observed and interrupted.
    while response.chat_response().has_tool_calls() {
        for call in response.chat_response().tool_calls() {
            writeln!(
                printed,
                "the model asks for {} {}",
                call.name, call.arguments
            )?;
        }
        let result = tool_calling_manager
            .execute_tool_calls(&prompt, response.chat_response())
            .await?;
        for answer in result.tool_responses() {
            writeln!(printed, "{} gave: {}", answer.name, answer.text())?;
        }
        prompt = Prompt::new(result.conversation_history().clone(), chat_options.clone());
        response = chat_client
            .prompt(result.conversation_history().clone())
            .options(chat_options.clone())
            .advisors(AdvisorParams::tool_calling_advisor_auto_register(false))
            .call()
            .await?;
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
