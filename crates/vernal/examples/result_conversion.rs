//! Converting results (seed heading “결과 변환”).
//!
//! By default a model reads compact JSON; a `ToolCallResultConverter` sees the value with its type and
//! writes something else. Prints what the model got; a scripted model stands in for a real one, so that no
//! key is needed.

use std::error::Error;
use std::fmt::Write as _;

use serde::Serialize;
use vernal::prelude::*;
use vernal::tool::{ToolCallResultConverter, ToolResult};
use vernal_testing::{Reply, ScriptedModel};

#[derive(Serialize)]
struct Customer {
    id: u64,
    name: &'static str,
}

/// Writes customers as a line of text, and everything else by the default rules.
struct AsLine;

impl ToolCallResultConverter for AsLine {
    fn convert(&self, result: ToolResult<'_>) -> Result<ToolOutput, ToolError> {
        match result.downcast_ref::<Customer>() {
            Some(customer) => Ok(ToolOutput::from_text(format!(
                "#{} {}",
                customer.id, customer.name
            ))),
            None => result.by_default(),
        }
    }
}

struct CustomerTools;

#[tools]
impl CustomerTools {
    /// Retrieve customer information
    #[tool]
    fn customer(&self, id: u64) -> Customer {
        Customer { id, name: "Kim" }
    }

    /// Retrieve customer information as text
    #[tool(result_converter = AsLine)]
    fn customer_line(&self, id: u64) -> Customer {
        Customer { id, name: "Kim" }
    }

    /// Forget a customer
    #[tool(result_converter = |_: ToolResult<'_>| Err(ToolError::model("the archive is closed")))]
    fn forget(&self, id: u64) {
        let _ = id;
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    // Tools made by hand carry their converter in their metadata.
    let count = FunctionToolCallback::builder("countCustomers", || 42)
        .tool_metadata(
            ToolMetadata::builder()
                .result_converter(|result: ToolResult<'_>| {
                    Ok(ToolOutput::from_text(format!(
                        "{} customers",
                        result.to_json()?
                    )))
                })
                .build(),
        )
        .build()?;

    let batch = Reply::call("customer", r#"{"id":42}"#)
        .and_call("customer_line", r#"{"id":42}"#)
        .and_call("countCustomers", "{}")
        .and_call("forget", r#"{"id":42}"#);
    let model = ScriptedModel::new()
        .replies(batch)
        .says("Customer 42 is Kim.");
    let response = ChatClient::create(model)
        .prompt("Tell me more about the customer with ID 42")
        .tools((CustomerTools, count))
        .call()
        .await?;
    let mut printed = String::new();
    for message in response.messages().into_iter().flat_map(History::iter) {
        for answer in message.tool_responses() {
            writeln!(printed, "{} gave: {}", answer.name, answer.text())?;
        }
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
