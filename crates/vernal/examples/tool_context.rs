//! The tool context (seed heading “도구 컨텍스트”).
//!
//! What the application gives its tools reaches them and never a model. Prints what the tools saw, and
//! whether the model saw any of it; a scripted model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;

use serde::Serialize;
use vernal::prelude::*;
use vernal::tool::Context;
use vernal_testing::{Reply, ScriptedModel};

#[derive(Serialize)]
struct Customer {
    id: u64,
    name: &'static str,
}

/// Stands for a database in which each tenant has customers of its own.
struct CustomerRepository;

impl CustomerRepository {
    fn find_by_id(&self, id: u64, tenant: &str) -> Option<Customer> {
        match (id, tenant) {
            (42, "acme") => Some(Customer { id, name: "Kim" }),
            (42, _) => Some(Customer { id, name: "Lee" }),
            _ => None,
        }
    }
}

struct CustomerTools;

#[tools]
impl CustomerTools {
    /// Retrieve customer information
    #[tool(name = "getCustomerInfo")]
    fn customer_info(
        &self,
        id: u64,
        repository: Context<CustomerRepository>,
        context: &ToolContext,
    ) -> Result<Customer, ToolError> {
        let tenant = context.get_str("tenantId").ok_or("nobody said for whom")?;
        Ok(repository
            .find_by_id(id, tenant)
            .ok_or("there is no such customer")?)
    }

    /// Which settings hold
    #[tool]
    fn settings(context: &ToolContext) -> String {
        let names = context.names().filter(|name| *name != "tenantId");
        let settings = names.map(|name| format!("{name}={}", context.get_str(name).unwrap_or("")));
        settings.collect::<Vec<_>>().join(" ")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let batch = Reply::call("getCustomerInfo", r#"{"id":42}"#).and_call("settings", "{}");
    let model = ScriptedModel::new()
        .replies(batch)
        .says("The customer with ID 42 is Kim.");
    let client = ChatClient::builder(model.clone())
        .default_tools(CustomerTools)
        .default_tool_context(
            ToolContext::from([("region", "eu"), ("tier", "free")]).with(CustomerRepository),
        )
        .build()?;
    let response = client
        .prompt("Tell me more about the customer with ID 42")
        .tool_context([("tenantId", "acme"), ("tier", "gold")]) // over the client's
        .call()
        .await?;
    let mut printed = String::new();
    for message in response.messages().into_iter().flat_map(History::iter) {
        for answer in message.tool_responses() {
            writeln!(printed, "{} gave: {}", answer.name, answer.text())?;
        }
    }
    let seen = model.prompts().iter().any(|prompt| {
        let schemas = prompt
            .options()
            .tools()
            .definitions()
            .map(|tool| tool.input_schema());
        let said = format!("{:?} {:?}", prompt.messages(), schemas.collect::<Vec<_>>());
        ["acme", "tenantId", "repository"]
            .iter()
            .any(|secret| said.contains(secret))
    });
    writeln!(
        printed,
        "the model saw the tenant: {}",
        if seen { "yes" } else { "no" }
    )?;
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
