//! One block of an answer's content, as borrowed fields that may all be missing: one of them says what
//! it is.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::lenient::{object, objects, text};
use crate::json::string_of;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Block<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) tool_use: Option<ToolUse<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) tool_result: Option<ToolUse<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) reasoning_content: Option<ReasoningContent<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) citations_content: Option<CitationsContent<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) image: Option<Image<'a>>,
}

/// A call, or the result of one.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ToolUse<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) tool_use_id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    /// Who runs the tool, where it is not the application.
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    kind: Option<Cow<'a, str>>,
}

/// What a model thought: whole, or a piece of it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ReasoningContent<'a> {
    #[serde(borrow, deserialize_with = "object")]
    pub(super) reasoning_text: Option<ReasoningText<'a>>,
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) signature: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) redacted_content: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ReasoningText<'a> {
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
}

/// A text with the sources it is taken from.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct CitationsContent<'a> {
    #[serde(borrow, deserialize_with = "objects")]
    content: Vec<ReasoningText<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Image<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) format: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "object")]
    pub(super) source: Option<ImageSource<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ImageSource<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) bytes: Option<Cow<'a, str>>,
}

impl<'a> Block<'a> {
    /// Reads a block; what is no object says nothing.
    pub(super) fn of(raw: &'a RawValue) -> Self {
        if raw.get().starts_with('{') {
            serde_json::from_str(raw.get()).unwrap_or_default()
        } else {
            Self::default()
        }
    }

    pub(super) fn text(&self) -> Option<Cow<'a, str>> {
        self.text.and_then(string_of)
    }
}

impl<'a> ToolUse<'a> {
    /// Whether the application runs the tool.
    pub(super) fn is_ours(&self) -> bool {
        self.kind.as_deref().is_none_or(str::is_empty)
    }

    /// The input of a call as text; `null` says nothing.
    pub(super) fn input(&self) -> &'a str {
        let input = self.input.map(RawValue::get).unwrap_or_default();
        if input == "null" { "" } else { input }
    }
}

impl ReasoningContent<'_> {
    /// The text of thoughts that came whole.
    pub(super) fn whole_text(&self) -> Cow<'_, str> {
        let text = self.reasoning_text.as_ref().and_then(|whole| whole.text);
        text.and_then(string_of).unwrap_or_default()
    }
}

impl CitationsContent<'_> {
    pub(super) fn text(&self) -> Cow<'_, str> {
        let mut texts = self
            .content
            .iter()
            .filter_map(|piece| piece.text.and_then(string_of));
        let first = texts.next().unwrap_or_default();
        texts.fold(first, |joined, more| joined + more)
    }
}

/// Whether a block is a call or a result of a tool that the application runs.
pub(super) fn is_call_of_ours(raw: &RawValue) -> bool {
    let block = Block::of(raw);
    let of_tool = block.tool_use.or(block.tool_result);
    of_tool.is_some_and(|of_tool| of_tool.is_ours())
}
