use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Media, ToolCall};

/// The one answer to a tool call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolResponse {
    /// The id of the call that is answered.
    pub call_id: Arc<str>,
    /// The name the call was made under.
    pub name: Arc<str>,
    /// What the model is given to read, in order.
    pub content: Vec<ToolContent>,
    /// What became of the call.
    pub outcome: ToolOutcome,
}

/// One piece of a tool's result.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolContent {
    /// Text for the model.
    Text(Arc<str>),
    /// JSON, kept as written.
    Json(Box<RawValue>),
    /// An image, a sound or a file; providers that take none get a note in its place.
    Media(Media),
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolOutcome {
    /// The tool ran and gave a result.
    Success,
    /// The tool ran and failed; the content is the error's text for the model.
    Failed,
    /// The arguments did not fit the tool's schema or its types; it did not run (rules ARG-3, ERR-4).
    InvalidArguments,
    /// No tool of the request has this name (rule LOOP-9).
    UnknownTool,
    /// A limit refused the call (rule LIM-9).
    Refused,
    /// The call did not run: the turn ended, the call was cut off, somebody denied it, or the request's
    /// [`ToolChoice`](crate::model::ToolChoice) leaves its tool out.
    NotRun,
}

impl ToolOutcome {
    /// Whether the answer is anything but a result.
    pub fn is_error(self) -> bool {
        self != Self::Success
    }
}

impl ToolResponse {
    /// The result of a tool that ran.
    pub fn success(call: &ToolCall, content: Vec<ToolContent>) -> Self {
        Self::new(call, content, ToolOutcome::Success)
    }

    /// An answer in place of a result.
    pub fn error(call: &ToolCall, outcome: ToolOutcome, text: impl Into<Arc<str>>) -> Self {
        Self::new(call, vec![ToolContent::Text(text.into())], outcome)
    }

    /// What became of a tool that ran and failed.
    pub(crate) fn failed(call: &ToolCall, content: Vec<ToolContent>) -> Self {
        Self::new(call, content, ToolOutcome::Failed)
    }

    fn new(call: &ToolCall, content: Vec<ToolContent>, outcome: ToolOutcome) -> Self {
        Self {
            call_id: call.id.clone(),
            name: call.name.clone(),
            content,
            outcome,
        }
    }

    /// Whether the answer is anything but a result.
    pub fn is_error(&self) -> bool {
        self.outcome.is_error()
    }

    /// The content as one text; media become a note that names their type.
    pub fn text(&self) -> Cow<'_, str> {
        ToolContent::joined(&self.content)
    }
}

impl ToolContent {
    /// This piece as text; media become a note that names their type.
    pub fn as_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Json(json) => Cow::Borrowed(json.get()),
            Self::Media(media) => Cow::Owned(format!("[{} content]", media.mime_type)),
        }
    }

    /// Several pieces as one text, a line each.
    pub(crate) fn joined(pieces: &[Self]) -> Cow<'_, str> {
        match pieces {
            [] => Cow::Borrowed(""),
            [one] => one.as_text(),
            many => Cow::Owned(
                many.iter()
                    .map(Self::as_text)
                    .collect::<Vec<_>>()
                    .join("\n"),
            ),
        }
    }
}
