//! Tool call limits (seed heading “도구 호출 한도”).
//!
//! A model that goes round in circles is stopped: by default the turn ends, or it is told and goes on.
//! Prints what came of both, and of a loop of the caller's own; a scripted model stands in for a real
//! one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;

use vernal::calling::ToolCallLimitExceeded;
use vernal::prelude::*;
use vernal_testing::{Reply, ScriptedModel};

/// Searches the web
#[tool]
fn search(query: String) -> String {
    format!("nothing about {query}")
}

/// Tells the weather
#[tool(name = "getCurrentWeather")]
fn current_weather() -> &'static str {
    "Sunny"
}

/// Asks for both tools, three times, in one answer.
fn circles() -> Reply {
    ["a", "b", "c"].iter().fold(Reply::empty(), |reply, query| {
        reply
            .and_call("search", format!(r#"{{"query":"{query}"}}"#))
            .and_call("getCurrentWeather", "{}")
    })
}

fn limits(behavior: ToolCallLimitBehavior) -> Result<ToolCallingManager, Box<dyn Error>> {
    Ok(ToolCallingManager::builder()
        .max_calls_per_tool(40) // the default for every tool
        .max_calls_for_tool("search", 2) // another one for this tool
        .exclude_tool_from_limit("getCurrentWeather") // none for this one
        .max_total_tool_calls(150) // of all tools together
        .on_limit_exceeded(behavior)
        .build()?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let mut printed = String::new();
    for behavior in [
        ToolCallLimitBehavior::Throw,
        ToolCallLimitBehavior::ReturnErrorResponse,
    ] {
        let model = ScriptedModel::new()
            .replies(circles())
            .says("I found nothing.");
        let client = ChatClient::builder(model)
            .default_tools((search, current_weather))
            .tool_calling_manager(limits(behavior)?)
            .build()?;
        let response = client.prompt("Search!").call().await?;
        writeln!(printed, "{behavior:?}: {}", response.content())?;
        for generation in &response.chat_response().generations {
            let partial = ToolCallLimitExceeded::METADATA_PARTIAL_TOOL_RESPONSES;
            if let Some(kept) = generation
                .metadata
                .get(partial)
                .and_then(|kept| kept.as_array())
            {
                writeln!(printed, "  {} results are kept", kept.len())?;
            }
        }
        let messages = response.messages().into_iter().flat_map(History::iter);
        let answers = messages.flat_map(|message| message.tool_responses());
        for answer in answers.filter(|answer| answer.is_error()) {
            writeln!(printed, "  {}: {}", answer.name, answer.text())?;
        }
    }

    let model = ScriptedModel::new().replies(circles());
    let options =
        ChatOptions::builder().tool_callbacks(ToolCallbacks::from((search, current_weather)))?;
    let prompt = Prompt::new("Search!", options.build());
    let response = model.call(prompt.clone()).await?;
    let manager = limits(ToolCallLimitBehavior::Throw)?;
    let error = manager.execute_tool_calls(&prompt, &response).await.err();
    if let Some(exceeded) = error.as_ref().and_then(|error| error.limit_exceeded()) {
        let (tool, limit) = (exceeded.tool_name().unwrap_or("all"), exceeded.limit());
        let kept = exceeded.partial_result().successes().count();
        writeln!(
            printed,
            "a loop of one's own: {tool} over {limit}, {kept} results are kept"
        )?;
    }
    Ok(printed)
}
