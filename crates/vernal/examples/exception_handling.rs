//! Exception handling (seed heading “예외 처리”).
//!
//! What a tool's error becomes is decided twice: by the tool's author, and by the application's error
//! processor. Prints what the model reads and what the caller gets; a scripted model stands in for a
//! real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use vernal::calling::{
    DefaultToolExecutionErrorProcessor, ToolExecutionError, ToolExecutionErrorProcessor,
};
use vernal::prelude::*;
use vernal_testing::{Reply, ScriptedModel};

/// The author's side: who is to hear of it, and whether trying again may help.
struct BookingTools;

#[tools]
impl BookingTools {
    /// Book a seat on a flight
    #[tool]
    fn book(&self, flight: String, seats: u8) -> Result<String, ToolError> {
        let number: u16 = flight.trim_start_matches("KE").parse()?; // any error: the model reads its text
        match (number, seats) {
            (_, 0) => Err(ToolError::model("book at least one seat")),
            (999, _) => Err(ToolError::fatal("the ledger is corrupt")),
            _ => Ok(format!("{seats} seats on KE{number}")),
        }
    }

    /// Ask the airport how long the queue is
    #[tool(idempotent, max_retries = 1)]
    fn queue(&self) -> Result<String, ToolError> {
        Err(ToolError::retry(Duration::from_millis(10)).because("the line is busy"))
    }
}

/// The application's side: it words every error for its own users.
struct Polite;

impl ToolExecutionErrorProcessor for Polite {
    fn process(&self, error: ToolExecutionError) -> Result<String, ToolExecutionError> {
        if error.cause().is_fatal() {
            return Err(error);
        }
        Ok(format!("Sorry, {} did not work out.", error.tool_name()))
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
    let quiet = DefaultToolExecutionErrorProcessor::default();
    let quiet = quiet.redact(|text| text.replace("the line", "…"));
    let default = ToolCallingManager::builder().tool_execution_error_processor(quiet);
    let batch = Reply::call("book", r#"{"flight":"KE17","seats":0}"#)
        .and_call("book", r#"{"flight":"LH1","seats":1}"#)
        .and_call("book", r#"{"flight":"KE17"}"#)
        .and_call("queue", "{}");
    for answer in answers(default.build()?, batch.clone()).await? {
        writeln!(printed, "default: {answer}")?;
    }
    let polite = ToolCallingManager::builder().tool_execution_error_processor(Polite);
    for answer in answers(polite.build()?, Reply::call("queue", "{}")).await? {
        writeln!(printed, "polite: {answer}")?;
    }

    let strict = DefaultToolExecutionErrorProcessor::default().throw_on_error(true);
    let strict = ToolCallingManager::builder().tool_execution_error_processor(strict);
    for (manager, arguments) in [
        (
            ToolCallingManager::default(),
            r#"{"flight":"KE999","seats":1}"#,
        ),
        (strict.build()?, r#"{"flight":"KE17","seats":0}"#),
    ] {
        if let Err(error) = answers(manager, Reply::call("book", arguments)).await {
            writeln!(printed, "the caller got: {error}")?;
        }
    }
    Ok(printed)
}

/// What the model reads, the first line of each answer.
async fn answers(manager: ToolCallingManager, batch: Reply) -> Result<Vec<String>, vernal::Error> {
    let model = ScriptedModel::new().replies(batch).says("I see.");
    let client = ChatClient::builder(model)
        .default_tools(BookingTools)
        .tool_calling_manager(manager)
        .build()?;
    let response = client.prompt("Book me a seat").call().await?;
    let messages = response.messages().into_iter().flat_map(History::iter);
    let answers = messages.flat_map(|message| message.tool_responses());
    Ok(answers
        .map(|answer| answer.text().lines().next().unwrap_or_default().to_owned())
        .collect())
}
