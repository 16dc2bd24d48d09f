//! The span of a tool that runs (rules ERR-8, EXE-4).

use tracing::Span;
use tracing::field::Empty;

use super::ToolExecutionError;
use crate::message::ToolCall;

/// A span around one call. It names the tool and the call, and nothing that the model or the application
/// said.
pub(super) fn execute_tool(call: &ToolCall) -> Span {
    tracing::info_span!(
        "execute_tool",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = &*call.name,
        gen_ai.tool.call.id = &*call.id,
        "error.type" = Empty,
        otel.status_code = Empty,
    )
}

/// Says on the span that the tool failed, whoever will hear of it.
pub(super) fn failed(span: &Span, error: &ToolExecutionError) {
    span.record("error.type", error.kind_name());
    span.record("otel.status_code", "ERROR");
}
