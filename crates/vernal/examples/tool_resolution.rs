//! Tool resolution (seed heading “도구 해석”).
//!
//! A model can run the tools of its request and no others, unless the fallback is on: then it can run
//! every tool that the resolver knows, if it says the name. Prints what it got both ways; a scripted
//! model stands in for a real one, so that no key is needed.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

use vernal::prelude::*;
use vernal::tool::{StaticToolCallbackResolver, ToolCallbackResolver};
use vernal_testing::ScriptedModel;

/// Tells the weather
#[tool]
fn weather() -> &'static str {
    "Sunny"
}

/// Tells the time
#[tool]
fn clock() -> &'static str {
    "09:30"
}

/// Finds tools as they are asked for, as one over a database would.
struct Plugins(HashMap<&'static str, fn() -> String>);

impl ToolCallbackResolver for Plugins {
    fn resolve(&self, tool_name: &str) -> Option<Arc<dyn ToolCallback>> {
        let run = *self.0.get(tool_name)?;
        let tool = FunctionToolCallback::builder(tool_name, run).build().ok()?;
        Some(Arc::new(tool))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let resolver = StaticToolCallbackResolver::new(clock)?;
    let plugins: fn() -> String = || "42".to_owned();
    let plugins = Plugins(HashMap::from([("answer", plugins)]));
    let all: Vec<Arc<dyn ToolCallbackResolver>> =
        vec![Arc::new(resolver.clone()), Arc::new(plugins)];

    let off = ToolCallingManager::builder().tool_callback_resolver(resolver);
    let on = ToolCallingManager::builder()
        .tool_callback_resolver(all)
        .resolution_fallback_enabled(true);
    let mut printed = String::new();
    for (title, manager) in [("fallback off", off.build()?), ("fallback on", on.build()?)] {
        let model = ScriptedModel::new()
            .calls("weather", "{}")
            .calls("clock", "{}")
            .calls("answer", "{}")
            .says("That is all.");
        let client = ChatClient::builder(model.clone())
            .default_tools(weather)
            .tool_calling_manager(manager)
            .build()?;
        let response = client.prompt("Weather, time, answer?").call().await?;
        writeln!(printed, "{title}")?;
        let messages = response.messages().into_iter().flat_map(History::iter);
        for answer in messages.flat_map(|message| message.tool_responses()) {
            writeln!(printed, "  {}: {}", answer.name, answer.text())?;
        }
        let prompts = model.prompts();
        let offered = prompts
            .iter()
            .map(|prompt| prompt.options().tools().len())
            .max();
        writeln!(
            printed,
            "  the model was offered {} tool",
            offered.unwrap_or(0)
        )?;
    }
    Ok(printed)
}
