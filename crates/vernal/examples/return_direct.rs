//! Return Direct (seed heading “Return Direct”).
//!
//! A result that is the answer itself is not sent back to the model. Prints the answers and how often
//! the model was called; a scripted model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

use vernal::prelude::*;
use vernal_testing::{Reply, ScriptedModel};

struct CustomerTools;

#[tools]
impl CustomerTools {
    /// Retrieve customer information
    #[tool(return_direct)]
    fn customer(&self, id: u64) -> String {
        format!("Customer {id}: Kim")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    // A tool that is made by program says it in its metadata.
    let orders = FunctionToolCallback::builder("orders", || "3 open orders")
        .description("Count the open orders")
        .tool_metadata(ToolMetadata::builder().return_direct(true).build())
        .build()?;
    let weather = FunctionToolCallback::builder("weather", || "Sunny").build()?;
    let (orders, weather) = (Arc::new(orders), Arc::new(weather));

    let mut printed = String::new();
    for (title, batch) in [
        ("one direct tool", Reply::call("customer", r#"{"id":42}"#)),
        (
            "two direct tools",
            Reply::call("customer", r#"{"id":42}"#).and_call("orders", "{}"),
        ),
        (
            "one that is not",
            Reply::call("customer", r#"{"id":42}"#).and_call("weather", "{}"),
        ),
    ] {
        let model = ScriptedModel::new()
            .replies(batch)
            .says("Kim, and it is sunny.");
        let client = ChatClient::builder(model.clone()).build()?;
        let response = client
            .prompt("Who is customer 42?")
            .tools((CustomerTools, orders.clone(), weather.clone()))
            .call()
            .await?;
        writeln!(printed, "{title}: {} model call(s)", model.call_count())?;
        for generation in &response.chat_response().generations {
            let reason = generation.finish_reason.as_ref();
            let reason = reason.map_or("none", |reason| reason.as_str());
            writeln!(printed, "  {reason}: {}", generation.message.text())?;
        }
    }
    Ok(printed)
}
