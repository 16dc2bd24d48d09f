//! Input schemas (seed heading “JSON 스키마”).
//!
//! What describes a parameter and what makes it optional. Prints the schema that the model sees, and what
//! it is told about arguments that do not fit.

use std::error::Error;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use vernal::prelude::*;
use vernal_testing::ScriptedModel;

/// How to reach somebody.
#[derive(Deserialize, Serialize, schemars::JsonSchema)]
#[serde(tag = "by", rename_all = "lowercase")]
enum Contact {
    Email {
        #[schemars(extend("format" = "email"))]
        address: String,
    },
    Phone {
        number: String,
    },
}

struct CustomerTools;

#[tools]
impl CustomerTools {
    /// Update customer information
    #[tool]
    fn update_customer_info(
        &self,
        id: u32,
        /// The full name
        name: Option<String>,
        #[param(description = "Where to write or call")] contact: Contact,
        #[param(default = "en")] language: String,
    ) -> String {
        let name = name.unwrap_or_else(|| "the same".to_owned());
        let contact = match contact {
            Contact::Email { address } => address,
            Contact::Phone { number } => number,
        };
        format!("{id}: {name}, {contact}, {language}")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let mut printed = String::new();
    for tool in ToolCallbacks::from(CustomerTools) {
        writeln!(printed, "{}", tool.tool_definition().input_schema())?;
    }
    let model = ScriptedModel::new()
        .calls(
            "update_customer_info",
            r#"{"id":-1,"contact":{"by":"fax"},"nmae":"Kim"}"#,
        )
        .calls(
            "update_customer_info",
            r#"{"id":"42","contact":{"by":"email","address":"kim@example.com"}}"#,
        )
        .says("Done.");
    let request = ChatClient::create(model).prompt("Write to Kim by email from now on.");
    let response = request.tools(CustomerTools).call().await?;
    for message in response.messages().into_iter().flat_map(History::iter) {
        for answer in message.tool_responses() {
            for line in answer.text().lines() {
                writeln!(printed, "{line}")?;
            }
        }
    }
    Ok(printed)
}
