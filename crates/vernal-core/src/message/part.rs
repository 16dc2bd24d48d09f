use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Media, ToolCall, ToolResponse};

/// One piece of a message, in its place among the others.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Part {
    /// What the piece is.
    pub content: PartContent,
    /// What the provider that made it wants back, untouched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Box<ProviderData>>,
}

/// The kinds of pieces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PartContent {
    /// Plain text.
    Text(Arc<str>),
    /// What a reasoning model showed of its thoughts; not part of the answer.
    Reasoning(Arc<str>),
    /// An image, a sound or a file.
    Media(Media),
    /// A call that the model asks for.
    ToolCall(ToolCall),
    /// The answer to a call.
    ToolResponse(ToolResponse),
    /// The model's refusal, in its words.
    Refusal(Arc<str>),
    /// Something only its provider understands; all of it is in [`Part::provider`].
    Opaque,
}

/// Data of one provider on a part: signatures, item ids, encrypted reasoning, cache marks.
///
/// An adapter sends back what carries its own provider's name, and drops or renders what does not.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProviderData {
    /// Which provider or dialect the data belongs to.
    pub provider: Cow<'static, str>,
    /// The JSON, byte for byte as received.
    pub data: Box<RawValue>,
}

impl ProviderData {
    /// Data of the named provider.
    pub fn new(provider: impl Into<Cow<'static, str>>, data: Box<RawValue>) -> Self {
        Self {
            provider: provider.into(),
            data,
        }
    }
}

impl Part {
    /// A piece of text.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        PartContent::Text(text.into()).into()
    }

    /// The piece with its provider's data.
    #[must_use]
    pub fn with_provider_data(mut self, data: ProviderData) -> Self {
        self.provider = Some(Box::new(data));
        self
    }

    /// The data that `provider` left on this piece.
    pub fn provider_data(&self, provider: &str) -> Option<&RawValue> {
        self.provider
            .as_deref()
            .filter(|kept| kept.provider == provider)
            .map(|kept| &*kept.data)
    }
}

impl From<PartContent> for Part {
    fn from(content: PartContent) -> Self {
        Self {
            content,
            provider: None,
        }
    }
}
