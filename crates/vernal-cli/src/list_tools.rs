//! `vernal tools`: what the built-in tools are.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use vernal::tool::{ToolCallback, ToolCallbacks, ToolDefinition};

use crate::paint::Paint;
use crate::tools::alarms::Alarms;
use crate::tools::built_in;

/// Lists the tools on stdout.
///
/// # Errors
/// The output is closed.
pub(crate) fn list_tools(as_json: bool) -> io::Result<()> {
    let tools = ToolCallbacks::from(built_in(Arc::new(Alarms::silent()), PathBuf::new()));
    let mut out = io::stdout().lock();
    if as_json {
        return writeln!(out, "{:#}", described(&tools));
    }
    let paint = Paint::wanted(out.is_terminal(), |name| std::env::var(name).ok());
    for (index, tool) in tools.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        out.write_all(text(tool.tool_definition(), paint).as_bytes())?;
    }
    out.flush()
}

fn described(tools: &[Arc<dyn ToolCallback>]) -> Value {
    let tools = tools.iter().map(|tool| {
        let definition = tool.tool_definition();
        json!({
            "name": &**definition.name(),
            "description": definition.description(),
            "input_schema": schema(definition),
        })
    });
    tools.collect()
}

fn schema(definition: &ToolDefinition) -> Value {
    serde_json::from_str(definition.input_schema()).unwrap_or_default()
}

/// The name, the description, and a line for each parameter.
fn text(definition: &ToolDefinition, paint: Paint) -> String {
    let mut text = paint.strong(definition.name());
    text.push('\n');
    for line in definition.description().lines() {
        text.push_str(format!("  {line}").trim_end());
        text.push('\n');
    }
    text.push_str(&paint.dim(&format!("  schema: {}", definition.input_schema())));
    text.push('\n');
    text
}
