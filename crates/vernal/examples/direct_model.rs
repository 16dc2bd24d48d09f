//! A model without a client, called and streamed (seed heading “사용자 제어 도구 실행”).
//!
//! A `ChatModel` is all that a program of its own needs: the manager runs the tools, with the same limits,
//! checks and context as ever. Prints both loops; a scripted model stands in for a real one, so that no key
//! is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

use vernal::prelude::*;
use vernal_testing::ScriptedModel;

/// Tells the weather for the unit that the user prefers
#[tool]
fn weather(city: String, context: &ToolContext) -> String {
    let unit = context.get_str("unit").unwrap_or("C");
    format!("20 °{unit} in {city}")
}

fn options() -> Result<Arc<ChatOptions>, Box<dyn Error>> {
    let options = ChatOptions::builder()
        .tool_callbacks(ToolCallbacks::from(weather))?
        .tool_context([("unit", "C")])
        .build();
    Ok(Arc::new(options))
}

/// The model calls the tool wrongly, then rightly, and answers.
fn model() -> impl ChatModel {
    ScriptedModel::new()
        .calls("weather", r#"{"town":"Jeju"}"#)
        .calls("weather", r#"{"city":"Jeju"}"#)
        .says("20 °C in Jeju.")
}

/// The loop, called.
async fn called(model: &impl ChatModel, printed: &mut String) -> Result<String, Box<dyn Error>> {
    let manager = ToolCallingManager::default();
    let mut prompt = Prompt::new("How warm is it in Jeju?", options()?);
    let mut response = model.call(prompt.clone()).await?;
    while response.has_tool_calls() {
        let result = manager.execute_tool_calls(&prompt, &response).await?;
        for answer in result.tool_responses() {
            writeln!(
                printed,
                "  {:?}: {}",
                answer.outcome,
                answer.text().lines().next().unwrap_or("")
            )?;
        }
        prompt = prompt.with_messages(result.conversation_history().clone());
        response = model.call(prompt.clone()).await?;
    }
    Ok(response.content().into_owned())
}

/// The same loop, streamed. A turn that is kept counts for the limits what the prompt does not show.
async fn streamed(model: &impl ChatModel, printed: &mut String) -> Result<String, Box<dyn Error>> {
    let manager = ToolCallingManager::default();
    let options = options()?;
    let mut turn = Turn::start("How warm is it in Jeju?");
    loop {
        let prompt = Prompt::new(turn.instructions().clone(), options.clone());
        let mut events = ChatClientMessageAggregator::of_model(model.stream(prompt));
        while let Some(event) = events.next().await {
            if let ChatEvent::ToolCallDelta { arguments, .. } = event? {
                writeln!(printed, "  arguments: {arguments}")?;
            }
        }
        let response = events.response().await?.into_chat_response();
        if !response.has_tool_calls() {
            return Ok(response.content().into_owned());
        }
        manager
            .execute_in_turn(&mut turn, &options, &response)
            .await?;
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let mut printed = String::from("called\n");
    let answer = called(&model(), &mut printed).await?;
    writeln!(printed, "  {answer}\nstreamed")?;
    let answer = streamed(&model(), &mut printed).await?;
    writeln!(printed, "  {answer}")?;
    Ok(printed)
}
