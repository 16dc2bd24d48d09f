use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Why a generation ended.
///
/// Whether there are tool calls is decided from the content, never from this (rule LOOP-2):
/// providers are wrong in both directions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum FinishReason {
    /// The model was done.
    Stop,
    /// The model asks for tools.
    ToolCalls,
    /// The answer was cut at a length limit.
    Length,
    /// A content filter stopped the answer.
    ContentFilter,
    /// The model refused.
    Refusal,
    /// The provider paused the turn and expects to be called again.
    Pause,
    /// The model wrote a tool call that the provider could not read.
    Malformed,
    /// The provider failed after it had begun to answer.
    Error,
    /// The results of return-direct tools are the answer (rule RD-2).
    ReturnDirect,
    /// A limit of the tool loop ended the turn (rule LIM-8).
    ToolCallLimitExceeded,
    /// A safe-guard of the application answered in the model's place.
    SafeGuard,
    /// Anything else, as the provider wrote it.
    Other(Arc<str>),
}

impl FinishReason {
    /// The name under which the reason is reported, such as `stop` or `toolCallLimitExceeded`.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "toolCalls",
            Self::Length => "length",
            Self::ContentFilter => "contentFilter",
            Self::Refusal => "refusal",
            Self::Pause => "pause",
            Self::Malformed => "malformed",
            Self::Error => "error",
            Self::ReturnDirect => "returnDirect",
            Self::ToolCallLimitExceeded => "toolCallLimitExceeded",
            Self::SafeGuard => "safeGuard",
            Self::Other(raw) => raw,
        }
    }
}

impl std::fmt::Display for FinishReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
