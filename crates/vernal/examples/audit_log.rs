//! Structured events and an audit log by hook (seed heading “루프 확장: 커스텀 `ToolAdvisor`”).
//!
//! Each tool call becomes an event on a channel of the application's own, and each turn a line that says
//! how it ended, whatever way it does. Prints the log as JSON; a scripted model stands in for a real one,
//! so that no key is needed.

use std::error::Error as StdError;
use std::sync::mpsc;

use serde::Serialize;
use vernal::advisor::{LoopEnd, LoopOutcome};
use vernal::calling::ToolExecutionResult;
use vernal::model::{ModelError, ModelErrorKind};
use vernal::prelude::*;
use vernal_testing::{Reply, ScriptedModel};

/// What the log holds: who asked, and what happened.
#[derive(Serialize)]
struct Entry {
    user: String,
    #[serde(flatten)]
    event: Event,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    ToolCalled {
        round: u32,
        tool: String,
        arguments: String,
    },
    ToolAnswered {
        tool: String,
        failed: bool,
    },
    TurnEnded {
        how: &'static str,
        rounds: u32,
        tokens: u64,
    },
}

/// Who asks, as the caller says with the request.
struct User(&'static str);

struct AuditLog(mpsc::Sender<Entry>);

impl AuditLog {
    fn write(&self, state: &RequestState, event: Event) {
        let user = state.get::<User>().map_or("unknown", |user| user.0).into();
        let _ = self.0.send(Entry { user, event }); // nobody reads any more
    }
}

impl ToolLoopHooks for AuditLog {
    async fn after_call(
        &self,
        request: &ChatClientRequest,
        response: &mut ChatClientResponse,
    ) -> Result<(), Error> {
        for call in response.chat_response().tool_calls() {
            let event = Event::ToolCalled {
                round: request.round(),
                tool: call.name.to_string(),
                arguments: call.arguments.to_string(),
            };
            self.write(request.state(), event);
        }
        Ok(())
    }

    async fn next_instructions(
        &self,
        request: &mut ChatClientRequest,
        result: &ToolExecutionResult,
    ) -> Result<(), Error> {
        for response in result.tool_responses() {
            let event = Event::ToolAnswered {
                tool: response.name.to_string(),
                failed: response.is_error(),
            };
            self.write(request.state(), event);
        }
        Ok(())
    }

    fn finalize_loop(&self, end: &LoopEnd<'_>) {
        let how = match end.outcome() {
            LoopOutcome::Answer(_) => "answer",
            LoopOutcome::ReturnDirect(_) => "direct",
            LoopOutcome::Limit(..) => "limit",
            LoopOutcome::Failed(_) => "failed",
            _ => "cancelled",
        };
        let event = Event::TurnEnded {
            how,
            rounds: end.rounds(),
            tokens: end.usage().total_tokens,
        };
        self.write(end.state(), event);
    }
}

/// Tells the weather
#[tool]
async fn weather(city: String) -> String {
    if city == "Atlantis" {
        std::future::pending::<()>().await;
    }
    format!("Sunny in {city}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn StdError>> {
    let usage = vernal::message::Usage::new(40, 2);
    let model = ScriptedModel::new()
        .replies(Reply::call("weather", r#"{"city":"Jeju"}"#).usage(usage))
        .replies(Reply::text("It is sunny.").usage(usage))
        .fails(ModelError::new(ModelErrorKind::Server, "it is night"))
        .calls("weather", r#"{"city":"Atlantis"}"#);
    let (log, entries) = mpsc::channel();
    let client = ChatClient::builder(model)
        .tool_calling_advisor(ToolCallingAdvisor::builder().hooks(AuditLog(log)))
        .default_tools(weather)
        .build()?;

    client.prompt("Jeju?").state(User("kim")).call().await?;
    // A turn that fails, and one that nobody waits for.
    let failed = client.prompt("Seoul?").state(User("lee")).call().await;
    failed.err().ok_or("it should have failed")?;
    let patience = std::time::Duration::from_millis(20);
    let endless = client.prompt("Atlantis?").state(User("park")).call();
    let _ = tokio::time::timeout(patience, endless).await;

    drop(client);
    let lines = entries.iter().map(|entry| serde_json::to_string(&entry));
    Ok(lines.collect::<Result<Vec<_>, _>>()?.join("\n") + "\n")
}
