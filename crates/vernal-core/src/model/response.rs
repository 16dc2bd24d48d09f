use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::message::{FinishReason, Message, ToolCall, Usage};

/// What a model answered, or what the loop answers in its place.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChatResponse {
    /// The alternatives; nearly always one, one for each result when tools answer directly, none
    /// where the provider gave none.
    pub generations: Vec<Generation>,
    /// What is known of the response as a whole.
    pub metadata: ResponseMetadata,
}

/// One answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Generation {
    /// The message: an assistant's.
    pub message: Arc<Message>,
    /// Why it ended; `None` where the provider did not say.
    pub finish_reason: Option<FinishReason>,
    /// Further facts, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

/// What is known of a response as a whole.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResponseMetadata {
    /// The provider's id of the response.
    pub id: Option<Arc<str>>,
    /// The model that answered, as the provider names it.
    pub model: Option<Arc<str>>,
    /// The tokens it cost; `None` where the provider did not say: they are unknown then, not zero. A
    /// stream may break off after the end of its answer and before its tokens were told; it counts as
    /// complete, and its usage is `None`.
    pub usage: Option<Usage>,
    /// The provider's id of the HTTP request, for its support.
    pub request_id: Option<Arc<str>>,
    /// How often the adapter sent the request again by itself before this answer came; 0 as a rule.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retries: u32,
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Generation {
    /// A generation without further metadata.
    pub fn new(message: impl Into<Arc<Message>>, finish_reason: Option<FinishReason>) -> Self {
        Self {
            message: message.into(),
            finish_reason,
            metadata: Map::new(),
        }
    }
}

impl ChatResponse {
    /// A response of one generation.
    pub fn of(generation: Generation, metadata: ResponseMetadata) -> Self {
        Self {
            generations: vec![generation],
            metadata,
        }
    }

    /// A response that says `text` and nothing else.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        let generation = Generation::new(Message::assistant(text), Some(FinishReason::Stop));
        Self::of(generation, ResponseMetadata::default())
    }

    /// The first generation.
    pub fn generation(&self) -> Option<&Generation> {
        self.generations.first()
    }

    /// The texts of all generations, a line each (rule RD-2).
    pub fn content(&self) -> Cow<'_, str> {
        match self.generations.as_slice() {
            [] => Cow::Borrowed(""),
            [one] => one.message.text(),
            many => Cow::Owned(
                many.iter()
                    .map(|g| g.message.text())
                    .collect::<Vec<_>>()
                    .join("\n"),
            ),
        }
    }

    /// Whether any generation asks for tools (rule LOOP-2).
    pub fn has_tool_calls(&self) -> bool {
        self.generations
            .iter()
            .any(|generation| generation.message.has_tool_calls())
    }

    /// The calls that are asked for: those of the first generation that has any.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.generation_with_tool_calls()
            .into_iter()
            .flat_map(|g| g.message.tool_calls())
    }

    /// The first generation that asks for tools.
    pub fn generation_with_tool_calls(&self) -> Option<&Generation> {
        self.generations
            .iter()
            .find(|generation| generation.message.has_tool_calls())
    }

    /// Why the first generation ended.
    pub fn finish_reason(&self) -> Option<&FinishReason> {
        self.generation()?.finish_reason.as_ref()
    }

    /// The tokens it cost; zero where the provider did not say, which
    /// [`metadata.usage`](ResponseMetadata::usage) tells from nothing.
    pub fn usage(&self) -> Usage {
        self.metadata.usage.unwrap_or_default()
    }
}
