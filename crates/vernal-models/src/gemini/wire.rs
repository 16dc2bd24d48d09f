//! What the server sends, as borrowed fields that may all be missing.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::usage::UsageFields;
use crate::json::lenient::{integer, object, objects, text};

/// A whole answer, or one event of a streamed one.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Reply<'a> {
    #[serde(borrow, deserialize_with = "objects")]
    pub(super) candidates: Vec<Candidate<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) prompt_feedback: Option<PromptFeedback<'a>>,
    #[serde(deserialize_with = "object")]
    pub(super) usage_metadata: Option<UsageFields>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) model_version: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) response_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Candidate<'a> {
    #[serde(deserialize_with = "integer")]
    pub(super) index: Option<i64>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) content: Option<Content<'a>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) finish_reason: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) finish_message: Option<Cow<'a, str>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Content<'a> {
    #[serde(borrow)]
    parts: Option<&'a RawValue>,
}

impl<'a> Content<'a> {
    /// The parts as they came.
    pub(super) fn parts(&self) -> Vec<&'a RawValue> {
        let list = self.parts.map(|raw| serde_json::from_str(raw.get()));
        list.and_then(Result::ok).unwrap_or_default()
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct PromptFeedback<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) block_reason: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) block_reason_message: Option<Cow<'a, str>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct PartFields<'a> {
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    thought: Option<&'a RawValue>,
    #[serde(borrow)]
    thought_signature: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) function_call: Option<FunctionCall<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) inline_data: Option<InlineData<'a>>,
}

impl<'a> PartFields<'a> {
    pub(super) fn is_thought(&self) -> bool {
        self.thought.is_some_and(|thought| thought.get() == "true")
    }

    /// The signature, a JSON string as it came.
    pub(super) fn signature(&self) -> Option<&'a RawValue> {
        self.thought_signature
            .filter(|signature| signature.get().starts_with('"') && signature.get() != "\"\"")
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionCall<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) args: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct InlineData<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) mime_type: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) data: Option<Cow<'a, str>>,
}
