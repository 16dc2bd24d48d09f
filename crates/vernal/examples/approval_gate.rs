//! An approval gate by hook (seed heading “루프 확장: 커스텀 `ToolAdvisor`”).
//!
//! Before a destructive tool runs, a person is asked; the turn waits. What is denied is answered with the
//! reason, and the model goes on from there; harmless calls of the same batch run all the same. Prints what
//! was asked and what came of it; a scripted model stands in for a real one, so that no key is needed.

use std::error::Error as StdError;
use std::fmt::Write as _;

use tokio::sync::{mpsc, oneshot};
use vernal::message::{ToolOutcome, ToolResponse};
use vernal::prelude::*;
use vernal_testing::{Reply, ScriptedModel};

/// A question to the person at the desk, and where the answer goes: `Err` with a reason denies.
struct Question {
    text: String,
    answer: oneshot::Sender<Result<(), String>>,
}

/// Asks the desk about each call of a destructive tool.
struct ApprovalGate {
    desk: mpsc::Sender<Question>,
}

impl ApprovalGate {
    /// No answer is a denial.
    async fn ask(&self, text: String) -> Result<(), String> {
        let (answer, answered) = oneshot::channel();
        let asked = self.desk.send(Question { text, answer }).await;
        asked.map_err(|_| "nobody is at the desk".to_owned())?;
        answered.await.unwrap_or(Err("nobody answered".to_owned()))
    }
}

impl ToolLoopHooks for ApprovalGate {
    async fn after_call(
        &self,
        request: &ChatClientRequest,
        response: &mut ChatClientResponse,
    ) -> Result<(), Error> {
        let calls: Vec<_> = response.chat_response().tool_calls().cloned().collect();
        for call in calls {
            let tool = request.prompt().options().tools().get(&call.name);
            if !tool.is_some_and(|tool| tool.tool_metadata().destructive()) {
                continue;
            }
            let text = format!("{} {}", call.name, call.arguments);
            if let Err(reason) = self.ask(text).await {
                let text = format!("This call was denied: {reason}.");
                response.answer_call(ToolResponse::error(&call, ToolOutcome::NotRun, text));
            }
        }
        Ok(())
    }
}

struct Files;

#[tools]
impl Files {
    /// Lists the files
    #[tool]
    fn list(&self) -> Vec<&'static str> {
        vec!["draft.md", "thesis.md"]
    }

    /// Deletes a file
    #[tool(destructive)]
    fn delete(&self, file: String) -> String {
        format!("{file} is gone")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn StdError>> {
    let batch = Reply::call("list", "{}")
        .and_call("delete", r#"{"file":"draft.md"}"#)
        .and_call("delete", r#"{"file":"thesis.md"}"#);
    let model = ScriptedModel::new()
        .replies(batch)
        .says("I deleted the draft and left the thesis.");

    let (desk, mut questions) = mpsc::channel::<Question>(1);
    let person = tokio::spawn(async move {
        let mut asked = String::new();
        while let Some(Question { text, answer }) = questions.recv().await {
            let decision = match text.contains("thesis") {
                true => Err("the thesis stays".to_owned()),
                false => Ok(()),
            };
            asked += &format!("asked: {text}\n");
            let _ = answer.send(decision); // nobody waits any more
        }
        asked
    });

    let response = ChatClient::builder(model)
        .tool_calling_advisor(ToolCallingAdvisor::builder().hooks(ApprovalGate { desk }))
        .build()?
        .prompt("Clean up!")
        .tools(Files)
        .call()
        .await?;

    let mut printed = person.await?;
    let messages = response.messages().into_iter().flat_map(History::iter);
    for answer in messages.flat_map(|message| message.tool_responses()) {
        writeln!(printed, "{}: {}", answer.name, answer.text())?;
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
