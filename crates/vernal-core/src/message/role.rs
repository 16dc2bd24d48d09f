use serde::{Deserialize, Serialize};

/// Who speaks in a [`Message`](super::Message).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// Instructions of the application.
    System,
    /// The person, or whoever the application speaks for.
    User,
    /// The model.
    Assistant,
    /// Answers to the tool calls of the assistant message before it.
    Tool,
}
