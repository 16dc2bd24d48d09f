//! Calling tools as the loop does.

use std::sync::Arc;

use futures::executor::block_on;
use vernal_core::tool::{
    IntoTools, ToolCallback, ToolCallbacks, ToolContext, ToolDefinition, ToolError, ToolInput,
};

/// The tool of this name.
pub(crate) fn tool(tools: impl IntoTools, name: &str) -> Arc<dyn ToolCallback> {
    let mut tools = ToolCallbacks::from(tools);
    tools.retain(|tool| &**tool.tool_definition().name() == name);
    assert_eq!(tools.len(), 1, "{name}");
    tools.remove(0)
}

/// The definition of the tool of this name.
pub(crate) fn definition(tools: impl IntoTools, name: &str) -> ToolDefinition {
    tool(tools, name).tool_definition().clone()
}

/// The names of the tools, in order.
pub(crate) fn names(tools: impl IntoTools) -> Vec<String> {
    let tools = ToolCallbacks::from(tools);
    tools
        .iter()
        .map(|tool| tool.tool_definition().name().to_string())
        .collect()
}

/// What the model reads after the call, or the error.
pub(crate) fn call(
    tools: impl IntoTools,
    name: &str,
    arguments: &str,
) -> Result<String, ToolError> {
    call_with(tools, name, arguments, ToolContext::empty())
}

pub(crate) fn call_with(
    tools: impl IntoTools,
    name: &str,
    arguments: &str,
    context: ToolContext,
) -> Result<String, ToolError> {
    let input = ToolInput::parse(arguments).unwrap();
    let output = block_on(tool(tools, name).call(input, context))?;
    Ok(output.text().into_owned())
}
