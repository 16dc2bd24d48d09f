//! Memory outside of the tool loop (seed heading “대화 메모리와 도구 호출”).
//!
//! The default: the history is loaded once for a turn, and what the user said and the final answer are
//! kept. Calls and their results are not. Prints what is kept and what the model is sent; a scripted
//! model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;

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
        .says("You asked about Jeju.");
    // For conversations that outlive the process, take a repository of `vernal-memory`.
    let repository = InMemoryChatMemoryRepository::new();
    let memory = ChatMemory::new(repository.clone());
    let client = ChatClient::builder(model.clone())
        .default_tools(weather)
        .default_advisors(MessageChatMemoryAdvisor::new(memory))
        .build()?;

    let mut printed = String::new();
    for text in ["Weather in Jeju?", "What did I ask about?"] {
        let answer = client.prompt(text).conversation("user-42").call().await?;
        writeln!(printed, "{}", answer.content())?;
    }
    for (call, prompt) in model.prompts().iter().enumerate() {
        let roles: Vec<_> = prompt.messages().iter().map(|m| m.role()).collect();
        writeln!(printed, "model call {}: {roles:?}", call + 1)?;
    }
    let conversation = ConversationId::new("user-42")?;
    for message in repository.load(&conversation, None).await? {
        writeln!(printed, "kept: {:?}: {}", message.role(), message.text())?;
    }
    Ok(printed)
}
