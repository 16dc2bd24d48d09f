//! Dynamic tools by hook (seed heading “루프 확장: 커스텀 `ToolAdvisor`”).
//!
//! The tools of a round come from a catalog that is filled while the turn runs: a tool that opens a project
//! brings that project's tools, for the rounds after it. Prints what each round offered; a scripted model
//! stands in for a real one, so that no key is needed.

use std::error::Error as StdError;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use vernal::calling::ToolExecutionResult;
use vernal::prelude::*;
use vernal::tool::ToolSet;
use vernal_testing::ScriptedModel;

/// Opens a project and says which it is
#[tool(name = "openProject")]
fn open_project(project: String) -> String {
    project
}

/// What stands for a plugin system: the tools of a project, known only when it is open.
fn tools_of(project: &str) -> Result<Vec<Arc<dyn ToolCallback>>, Error> {
    let text = format!("{project} builds without warnings");
    let build = FunctionToolCallback::builder(format!("build_{project}"), move || text.clone())
        .description("Builds the project")
        .build()
        .map_err(|error| Error::advisor("project-tools", error))?;
    Ok(vec![Arc::new(build)])
}

/// The projects that a turn has opened.
#[derive(Default)]
struct Opened(Mutex<Vec<String>>);

struct ProjectTools;

impl ToolLoopHooks for ProjectTools {
    async fn next_instructions(
        &self,
        request: &mut ChatClientRequest,
        result: &ToolExecutionResult,
    ) -> Result<(), Error> {
        let opened = request.state().get_or_insert_with(Opened::default);
        let mut opened = opened.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = result
            .successes()
            .filter(|answer| &*answer.name == "openProject");
        let mut tools: Vec<_> = request.prompt().options().tools().iter().cloned().collect();
        for project in now.map(|answer| answer.text().into_owned()) {
            if !opened.contains(&project) {
                tools.extend(tools_of(&project)?);
                opened.push(project);
            }
        }
        // They are offered in the next round, run there, and stay for the rounds after it.
        let tools = ToolSet::of_callbacks(tools)?;
        request.prompt_mut().options_mut().set_tools(tools);
        Ok(())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn StdError>> {
    let model = ScriptedModel::new()
        .calls("build_vernal", "{}")
        .calls("openProject", r#"{"project":"vernal"}"#)
        .calls("build_vernal", "{}")
        .says("It builds.");
    let client = ChatClient::builder(model.clone())
        .tool_calling_advisor(ToolCallingAdvisor::builder().hooks(ProjectTools))
        .default_tools(open_project)
        .build()?;
    let response = client.prompt("Does vernal build?").call().await?;

    let mut printed = String::new();
    for (round, prompt) in (1..).zip(model.prompts()) {
        let names = prompt
            .options()
            .tools()
            .definitions()
            .map(|tool| tool.name());
        let names: Vec<_> = names.map(|name| &**name).collect();
        writeln!(printed, "round {round} offers: {}", names.join(", "))?;
    }
    let messages = response.messages().into_iter().flat_map(History::iter);
    for answer in messages.flat_map(|message| message.tool_responses()) {
        writeln!(printed, "{}: {}", answer.name, answer.text())?;
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
