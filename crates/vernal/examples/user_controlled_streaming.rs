//! User-controlled tool execution, streamed (seed heading “사용자 제어 도구 실행”).
//!
//! The twin of `user_controlled_execution`: each round's events are passed on as they come, as to a web
//! page, and collected into the response that the loop goes on from. Prints the events; a scripted model
//! stands in for a real one, so that no key is needed.

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

/// Stands for the page that shows what happens.
fn show(page: &mut String, event: &ChatEvent) -> std::fmt::Result {
    match event {
        ChatEvent::TextDelta { text, .. } => writeln!(page, "text: {text}"),
        ChatEvent::ToolCallStarted { name, .. } => writeln!(page, "the model asks for {name}"),
        _ => Ok(()),
    }
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let batch = Reply::text("I look ")
        .and_text("at both.")
        .and_call("weather", r#"{"city":"Amsterdam"}"#)
        .and_call("weather", r#"{"city":"Paris"}"#);
    let model = ScriptedModel::new().replies(batch).says("Both are sunny.");
    let mut page = String::new();

    let chat_client = ChatClient::create(model);
    let tool_calling_manager = ToolCallingManager::builder().build()?;

    let tools = ToolCallbacks::from(WeatherTools);
    let chat_options = Arc::new(ChatOptions::builder().tool_callbacks(tools)?.build());

    let question = "What is the weather in Amsterdam and Paris?";
    let mut prompt = Prompt::new(question, chat_options.clone());

    loop {
        // The tool loop is off: nothing runs by itself.
        let stream = chat_client
            .prompt(prompt.messages().clone())
            .options(chat_options.clone())
            .advisors(AdvisorParams::tool_calling_advisor_auto_register(false))
            .stream();
        let mut events = ChatClientMessageAggregator::new(stream);
        while let Some(event) = events.next().await {
            show(&mut page, &event?)?;
        }
        let response = events.response().await?;
        if !response.chat_response().has_tool_calls() {
            writeln!(page, "answer: {}", response.content())?;
            return Ok(page);
        }

        let result = tool_calling_manager
            .execute_tool_calls(&prompt, response.chat_response())
            .await?;
        for answer in result.tool_responses() {
            writeln!(page, "{} gave: {}", answer.name, answer.text())?;
        }
        prompt = Prompt::new(result.conversation_history().clone(), chat_options.clone());
    }
}
