//! Memory inside of the tool loop (seed heading “대화 메모리와 도구 호출”).
//!
//! With an order greater than the loop's, every message of a turn is kept, calls and results too, so
//! that a later turn can go on from them. The automatic loop notices and leaves the history to the
//! memory; a loop that is built by hand is told with `disable_internal_conversation_history`. Prints
//! what is kept and what the model is sent; a scripted model stands in for a real one, so that no key is
//! needed.

use std::error::Error;
use std::fmt::Write as _;

use vernal::advisor::order::HIGHEST_PRECEDENCE;
use vernal::prelude::*;
use vernal_testing::ScriptedModel;

/// Tells the weather
#[tool]
fn weather(city: String) -> String {
    format!("Sunny in {city}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let model = ScriptedModel::new()
        .calls("weather", r#"{"city":"Jeju"}"#)
        .says("It is sunny in Jeju.")
        .says("The tool said: Sunny in Jeju.");
    let repository = InMemoryChatMemoryRepository::new();
    let memory = MessageChatMemoryAdvisor::builder(repository.clone())
        .order(HIGHEST_PRECEDENCE + 400) // the loop is at + 300
        .build();
    let client = ChatClient::builder(model.clone())
        .default_tools(weather)
        .default_advisors(memory)
        .build()?;

    let mut printed = String::new();
    for text in ["Weather in Jeju?", "What did the tool say?"] {
        let answer = client.prompt(text).conversation("user-42").call().await?;
        writeln!(printed, "{}", answer.content())?;
    }
    for (call, prompt) in model.prompts().iter().enumerate() {
        let roles: Vec<_> = prompt.messages().iter().map(|m| m.role()).collect();
        writeln!(printed, "model call {}: {roles:?}", call + 1)?;
    }
    let conversation = ConversationId::new("user-42")?;
    for message in repository.load(&conversation, None).await? {
        let calls = message.tool_calls().map(|call| format!("{}()", call.name));
        let results = message.tool_responses();
        let results = results.map(|result| result.text().into_owned());
        let said: Vec<String> = calls.chain(results).collect();
        let said = format!("{}{}", message.text(), said.join(" "));
        writeln!(printed, "kept: {:?}: {}", message.role(), said)?;
    }
    Ok(printed)
}
