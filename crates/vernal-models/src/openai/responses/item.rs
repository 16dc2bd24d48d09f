//! One item of an answer's output, as borrowed fields that may all be missing.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::lenient::{objects, text};
use crate::json::{JsonObject, json_text_of, members, string_of};
use crate::openai::custom::as_arguments;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Item<'a> {
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    pub(super) kind: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) call_id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    encrypted_content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) phase: Option<&'a RawValue>,
}

/// A piece of a message, or of reasoning.
#[derive(Default, Deserialize)]
#[serde(default)]
struct PieceFields<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    refusal: Option<&'a RawValue>,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said<'a> {
    Text(Cow<'a, str>),
    Refusal(Cow<'a, str>),
}

/// A call, of a function or of a tool that takes plain text.
pub(super) struct Call<'a> {
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) name: Cow<'a, str>,
    /// JSON, as far as the model kept to it.
    pub(super) arguments: Cow<'a, str>,
    pub(super) kind: CallKind,
}

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallKind {
    /// A function, with JSON.
    Function,
    /// A custom tool, with plain text.
    Custom,
}

impl<'a> Item<'a> {
    /// Reads an item; what is no object has no kind.
    pub(super) fn of(raw: &'a RawValue) -> Self {
        if raw.get().starts_with('{') {
            serde_json::from_str(raw.get()).unwrap_or_default()
        } else {
            Self::default()
        }
    }

    pub(super) fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }

    /// The texts and refusals of a message that are not empty, in order.
    pub(super) fn said(&self) -> Vec<Said<'a>> {
        if let Some(text) = self.content.and_then(string_of) {
            return if text.is_empty() {
                Vec::new()
            } else {
                vec![Said::Text(text)]
            };
        }
        let mut said = Vec::new();
        for piece in pieces(self.content) {
            let filled =
                |raw: Option<&'a RawValue>| raw.and_then(string_of).filter(|text| !text.is_empty());
            said.extend(filled(piece.text).map(Said::Text));
            said.extend(filled(piece.refusal).map(Said::Refusal));
        }
        said
    }

    /// What reasoning shows of itself: the parts of its summary, else of its content, with a blank
    /// line between them.
    pub(super) fn reasoning(&self) -> Cow<'a, str> {
        let summary = joined(pieces(self.summary));
        if summary.is_empty() {
            joined(pieces(self.content))
        } else {
            summary
        }
    }

    /// Whether a server that kept nothing can read this reasoning when it is sent back.
    pub(super) fn explains_itself(&self) -> bool {
        let encrypted = self.encrypted_content.and_then(string_of);
        encrypted.is_some_and(|text| !text.is_empty()) || !pieces(self.content).is_empty()
    }

    /// The call, where the item is one that has a name.
    pub(super) fn call(&self) -> Option<Call<'a>> {
        let kind = match self.kind() {
            "function_call" => CallKind::Function,
            "custom_tool_call" => CallKind::Custom,
            _ => return None,
        };
        let name = self.name.clone().filter(|name| !name.is_empty())?;
        let filled = |id: &Option<Cow<'a, str>>| id.clone().filter(|id| !id.is_empty());
        let arguments = if kind == CallKind::Custom {
            Cow::Owned(as_arguments(
                &self.input.and_then(string_of).unwrap_or_default(),
            ))
        } else {
            self.arguments()
        };
        Some(Call {
            // Results name the call by its `call_id`; the `id` is that of the item.
            id: filled(&self.call_id).or_else(|| filled(&self.id)),
            name,
            arguments,
            kind,
        })
    }

    /// Text as it is, any other value as the JSON it is written in.
    fn arguments(&self) -> Cow<'a, str> {
        let Some(raw) = self.arguments.filter(|raw| raw.get() != "null") else {
            return Cow::Borrowed("");
        };
        json_text_of(raw).unwrap_or(Cow::Borrowed(raw.get()))
    }
}

fn pieces(raw: Option<&RawValue>) -> Vec<PieceFields<'_>> {
    let Some(raw) = raw.filter(|raw| raw.get().starts_with('[')) else {
        return Vec::new();
    };
    let mut reader = serde_json::Deserializer::from_str(raw.get());
    objects(&mut reader).unwrap_or_default()
}

fn joined<'a>(pieces: Vec<PieceFields<'a>>) -> Cow<'a, str> {
    let mut all = Cow::Borrowed("");
    let texts = pieces
        .into_iter()
        .filter_map(|piece| string_of(piece.text?));
    for text in texts.filter(|text| !text.is_empty()) {
        if all.is_empty() {
            all = text;
        } else {
            let all = all.to_mut();
            all.push_str(BETWEEN_PARTS);
            all.push_str(&text);
        }
    }
    all
}

/// What stands between two parts of reasoning.
pub(super) const BETWEEN_PARTS: &str = "\n\n";

/// What a call has to be sent back with, beside what every call has.
pub(super) fn call_data(raw: &RawValue, kind: CallKind) -> Option<Box<RawValue>> {
    let mut out = String::new();
    let mut object = JsonObject::begin(&mut out);
    for (name, value) in members(raw)? {
        match name.as_str() {
            "type" if kind == CallKind::Custom => object.raw(&name, value),
            // Some servers refuse a status.
            "type" | "call_id" | "name" | "arguments" | "input" | "status" => {}
            _ if value.get() == "null" => {}
            _ => object.raw(&name, value),
        }
    }
    object.end();
    (out != "{}")
        .then(|| RawValue::from_string(out).ok())
        .flatten()
}
