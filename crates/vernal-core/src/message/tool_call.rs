use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A call that the model asks for, exactly as it was received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The id that ties the answer to the call; made by Vernal where the provider gave none.
    pub id: Arc<str>,
    /// The name that the model wrote: it may name no tool at all.
    pub name: Arc<str>,
    /// The arguments as text: they may not even be JSON.
    pub arguments: RawArguments,
    /// Whether `id` is of our making; adapters may leave such an id out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub synthetic_id: bool,
}

impl ToolCall {
    /// A call with an id given by the provider.
    pub fn new(
        id: impl Into<Arc<str>>,
        name: impl Into<Arc<str>>,
        arguments: impl Into<Arc<str>>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: RawArguments(arguments.into()),
            synthetic_id: false,
        }
    }
}

/// The text of a call's arguments as the model wrote it; nothing about it has been checked.
///
/// Checked arguments are a [`ToolInput`](crate::tool::ToolInput), the only form a tool accepts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RawArguments(pub Arc<str>);

impl RawArguments {
    /// The text as received.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A JSON object to write into a request's history, always valid: arguments that are none are
    /// wrapped under `_invalid_arguments`, for some providers refuse the next request otherwise.
    pub fn as_valid_object(&self) -> std::borrow::Cow<'_, str> {
        let text = self.0.trim();
        if text.is_empty() || text == "null" {
            return std::borrow::Cow::Borrowed("{}");
        }
        let is_object = text.starts_with('{')
            && serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok();
        if is_object && !has_half_character(text) {
            return std::borrow::Cow::Borrowed(text);
        }
        let wrapped = serde_json::json!({ "_invalid_arguments": text });
        std::borrow::Cow::Owned(wrapped.to_string())
    }
}

/// Whether a string in this JSON has half of a surrogate pair, which many readers refuse.
fn has_half_character(json: &str) -> bool {
    // A tree is made only where there may be such a half.
    let may = json.contains("\\ud") || json.contains("\\uD");
    may && serde_json::from_str::<serde_json::Value>(json).is_err()
}

impl fmt::Display for RawArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_no_valid_object() {
        let written = |text: &str| RawArguments(text.into()).as_valid_object().into_owned();
        for whole in [
            r#"{"a":"\ud83d\ude00"}"#,
            r#"{"a":"\uD83D\uDE00"}"#,
            r#"{"a":"😀 \\ud83d"}"#,
        ] {
            assert_eq!(written(whole), whole);
        }
        assert_eq!(
            written(r#"{"a":"\ud83d"}"#),
            r#"{"_invalid_arguments":"{\"a\":\"\\ud83d\"}"}"#
        );
    }
}
