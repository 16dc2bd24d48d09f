//! What servers send, as borrowed fields that may all be missing.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::json::lenient::{integer, object, objects, text};

/// A whole answer, or one chunk of a streamed one.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Completion<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) model: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) object: Option<Cow<'a, str>>,
    /// `None` where there is no such field; empty where it holds no list.
    #[serde(borrow, deserialize_with = "present_objects")]
    pub(super) choices: Option<Vec<Choice<'a>>>,
    #[serde(deserialize_with = "object")]
    pub(super) usage: Option<UsageFields>,
    #[serde(deserialize_with = "object")]
    pub(super) x_groq: Option<GroqFields>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice<'a> {
    #[serde(deserialize_with = "integer")]
    pub(super) index: Option<i64>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) message: Option<MessageFields<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) delta: Option<MessageFields<'a>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) finish_reason: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) native_finish_reason: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageFields<'a> {
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) reasoning_content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) reasoning: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) reasoning_details: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) refusal: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "objects")]
    pub(super) tool_calls: Vec<CallFields<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) function_call: Option<FunctionFields<'a>>,
    #[serde(borrow)]
    pub(super) extra_content: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct CallFields<'a> {
    #[serde(deserialize_with = "integer")]
    pub(super) index: Option<i64>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "object")]
    function: Option<FunctionFields<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    custom: Option<FunctionFields<'a>>,
    #[serde(borrow)]
    pub(super) extra_content: Option<&'a RawValue>,
}

/// A function's name and arguments, or a custom tool's name and input.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionFields<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

impl<'a> FunctionFields<'a> {
    /// What it is called with.
    pub(super) fn said(&self) -> Option<&'a RawValue> {
        self.arguments.or(self.input)
    }
}

impl<'a> CallFields<'a> {
    /// What is called: decided by the type, for some servers fill both places.
    pub(super) fn function(&self) -> Option<&FunctionFields<'a>> {
        if self.is_custom() {
            self.custom.as_ref()
        } else {
            self.function.as_ref()
        }
    }

    /// Whether a custom tool is called, with plain text.
    pub(super) fn is_custom(&self) -> bool {
        match self.kind.as_deref() {
            Some("custom") => true,
            Some("function") => false,
            _ => self.function.is_none() && self.custom.is_some(),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct GroqFields {
    #[serde(deserialize_with = "object")]
    pub(super) usage: Option<UsageFields>,
}

/// Counts of tokens under the names that servers have for them.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct UsageFields {
    #[serde(deserialize_with = "integer")]
    pub(super) prompt_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) input_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) completion_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) output_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) total_tokens: Option<i64>,
    #[serde(deserialize_with = "object")]
    pub(super) prompt_tokens_details: Option<UsageDetails>,
    #[serde(deserialize_with = "object")]
    pub(super) completion_tokens_details: Option<UsageDetails>,
    #[serde(deserialize_with = "integer")]
    pub(super) prompt_cache_hit_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) cache_read_input_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) cache_creation_input_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) cached_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) num_cached_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) reasoning_tokens: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct UsageDetails {
    #[serde(deserialize_with = "integer")]
    pub(super) cached_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) cache_write_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    pub(super) reasoning_tokens: Option<i64>,
}

fn present_objects<'de, D, T>(from: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    objects(from).map(Some)
}
