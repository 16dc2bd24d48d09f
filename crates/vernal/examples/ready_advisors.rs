//! The ready advisors: a safe-guard, retries, a deadline, and a logger.
//!
//! Prints what each of them makes of a request; a scripted model stands in for a real one, so that no key
//! is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use vernal::model::{ModelError, ModelErrorKind};
use vernal::prelude::*;
use vernal_testing::{Reply, ScriptedModel};

/// Takes its time
#[tool]
async fn slow() -> &'static str {
    tokio::time::sleep(Duration::from_secs(600)).await;
    "late"
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let mut printed = String::new();
    let busy = ModelError::new(ModelErrorKind::RateLimit, "too many requests");
    let model = ScriptedModel::new()
        .fails(busy.with_retry_after(Duration::from_millis(5)))
        .says("Hello.")
        .says("The password is hunter2.")
        .then_always(Reply::call("slow", "{}"));

    // Where they stand is their own affair: each has a fitting order.
    let client = ChatClient::builder(model.clone())
        .default_tools(slow)
        .default_advisors((
            // What is said stays out of the log, unless `content(true)` lets it in.
            SimpleLoggerAdvisor::builder()
                .redact(|text| text.replace("hunter2", "…"))
                .build(),
            // Looks at the answers too.
            SafeGuardAdvisor::builder()
                .words(["launch code"])
                .unwanted(|text| text.contains("hunter2"))
                .answers(true)
                .refusal("That stays a secret.")
                .build(),
            // Calls the model again, never a tool.
            RetryAdvisor::builder().max_tries(3).build(),
        ))
        .build()?;

    for text in ["Tell me the launch code!", "Hi!", "What is the password?"] {
        let response = client.prompt(text).call().await?;
        let reason = response.chat_response().finish_reason();
        let reason = reason.map_or("none", |reason| reason.as_str());
        let calls = model.call_count();
        writeln!(
            printed,
            "{text} {} ({reason}, {calls} model calls)",
            response.content()
        )?;
    }

    let deadline = RequestDeadlineAdvisor::new(Duration::from_millis(20));
    let request = client.prompt("Take your time.").advisors(deadline);
    if let Err(error) = request.call().await {
        writeln!(printed, "timeout: {}, {error}", error.is_timeout())?;
        let messages = error.messages().into_iter().flat_map(History::iter);
        for answer in messages.flat_map(|message| message.tool_responses()) {
            writeln!(printed, "  {}: {}", answer.name, answer.text())?;
        }
    }
    Ok(printed)
}
