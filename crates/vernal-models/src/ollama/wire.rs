//! What the server sends, as borrowed fields that may all be missing.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::Usage;

use crate::json::lenient::{integer, object, objects, text};

/// A whole answer, or one line of a streamed one.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Reply<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) model: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) message: Option<MessageFields<'a>>,
    pub(super) done: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) done_reason: Option<Cow<'a, str>>,
    #[serde(deserialize_with = "integer")]
    prompt_eval_count: Option<i64>,
    #[serde(deserialize_with = "integer")]
    eval_count: Option<i64>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageFields<'a> {
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) thinking: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "objects")]
    pub(super) tool_calls: Vec<CallFields<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct CallFields<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) function: Option<FunctionFields<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionFields<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
}

impl Reply<'_> {
    /// Whether nothing follows.
    pub(super) fn is_done(&self) -> bool {
        self.done.is_some_and(|done| done.get() == "true")
    }

    /// The tokens; `None` where none were counted. A prompt that the server remembers is not counted.
    pub(super) fn usage(&self) -> Option<Usage> {
        let count = |number: Option<i64>| number.and_then(|n| u64::try_from(n).ok());
        let (input, output) = (count(self.prompt_eval_count), count(self.eval_count));
        if input.is_none() && output.is_none() {
            return None;
        }
        Some(Usage::new(input.unwrap_or(0), output.unwrap_or(0)))
    }
}
