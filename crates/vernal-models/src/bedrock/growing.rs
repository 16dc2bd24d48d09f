//! One block of a streamed answer while it grows.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::{PartContent, RawArguments};
use vernal_core::model::{ArgumentsDelta, ModelEvent, ToolCallAccumulator, ToolCallDelta};

use super::block::{Image, ReasoningContent, ToolUse};
use super::request::Prepared;
use super::response::media_of;
use crate::exchange::{Answer, Events};
use crate::json::lenient::object;
use crate::json::{JsonObject, Seam, compose, json_text_of, push_string, string_of};

/// The beginning of a block; texts and thoughts have none.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Start<'a> {
    #[serde(borrow)]
    tool_use: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_result: Option<&'a RawValue>,
    #[serde(borrow)]
    image: Option<&'a RawValue>,
}

/// A piece of a block.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Delta<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "object")]
    reasoning_content: Option<ReasoningContent<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    tool_use: Option<ToolUse<'a>>,
    #[serde(borrow)]
    tool_result: Option<&'a RawValue>,
    #[serde(borrow)]
    citation: Option<&'a RawValue>,
    #[serde(borrow)]
    image: Option<&'a RawValue>,
}

/// A block and the number by which its pieces name it.
pub(super) struct Growing {
    pub(super) index: i64,
    content: Content,
    /// Where the text or the thoughts go on.
    seam: Seam,
}

enum Content {
    Text {
        text: String,
        citations: Vec<Box<RawValue>>,
    },
    Thinking {
        text: String,
        signature: String,
        /// Thoughts that are not shown, each piece as it came.
        redacted: Vec<Box<RawValue>>,
    },
    /// The call at this position.
    Call(usize),
    /// A call of a tool that the server runs.
    ServerCall { start: Box<RawValue>, input: String },
    /// The result of such a call.
    ServerResult {
        start: Box<RawValue>,
        content: Vec<Box<RawValue>>,
    },
    /// An image, as it began and as it came.
    Image {
        start: Box<RawValue>,
        whole: Option<Box<RawValue>>,
    },
}

impl Growing {
    /// Whether this is a call of a tool that the provider runs.
    pub(super) fn is_of_server(&self) -> bool {
        matches!(self.content, Content::ServerCall { .. })
    }

    /// Begins a block; `None` where it begins none.
    pub(super) fn begin(
        index: i64,
        start: &Start<'_>,
        calls: &mut ToolCallAccumulator,
        prepared: &Prepared,
        events: &mut Events,
    ) -> Option<Self> {
        let content = if let Some(raw) = object_in(start.tool_use) {
            let call: ToolUse<'_> = serde_json::from_str(raw.get()).ok()?;
            if call.is_ours() {
                Content::Call(begin_call(index, &call, calls, prepared, events)?)
            } else {
                let (start, input) = (raw.to_owned(), String::new());
                Content::ServerCall { start, input }
            }
        } else if let Some(raw) = object_in(start.tool_result) {
            let (start, content) = (raw.to_owned(), Vec::new());
            Content::ServerResult { start, content }
        } else {
            let (start, whole) = (object_in(start.image)?.to_owned(), None);
            Content::Image { start, whole }
        };
        Some(Self::new(index, content))
    }

    /// Begins a block that has no beginning of its own, for its first piece.
    pub(super) fn unannounced(index: i64, delta: &Delta<'_>) -> Option<Self> {
        let content = if delta.text.is_some() || delta.citation.is_some() {
            Content::Text {
                text: String::new(),
                citations: Vec::new(),
            }
        } else if delta.reasoning_content.is_some() {
            Content::Thinking {
                text: String::new(),
                signature: String::new(),
                redacted: Vec::new(),
            }
        } else {
            return None;
        };
        Some(Self::new(index, content))
    }

    fn new(index: i64, content: Content) -> Self {
        let seam = Seam::default();
        Self {
            index,
            content,
            seam,
        }
    }

    /// Takes a piece; one of another kind than the block is passed over.
    pub(super) fn take(
        &mut self,
        delta: &Delta<'_>,
        calls: &mut ToolCallAccumulator,
        events: &mut Events,
    ) {
        match &mut self.content {
            Content::Text { text, citations } => {
                let more = delta.text.and_then(|raw| self.seam.read(raw));
                add_text(text, &more.unwrap_or_default(), events);
                citations.extend(object_in(delta.citation).map(RawValue::to_owned));
            }
            Content::Thinking {
                text,
                signature,
                redacted,
            } => {
                let Some(thought) = &delta.reasoning_content else {
                    return;
                };
                let more = thought.text.and_then(|raw| self.seam.read(raw));
                add_thought(text, &more.unwrap_or_default(), events);
                let more = thought.signature.and_then(string_of);
                signature.push_str(&more.unwrap_or_default());
                let hidden = thought.redacted_content;
                redacted.extend(hidden.filter(|raw| is_text(raw)).map(RawValue::to_owned));
            }
            Content::Call(at) => {
                let more = delta.tool_use.as_ref().and_then(piece_of_input);
                let Some(more) = more.filter(|more| !more.is_empty()) else {
                    return;
                };
                calls.add(ToolCallDelta {
                    index: Some(self.index),
                    arguments: ArgumentsDelta::Fragment(&more),
                    ..ToolCallDelta::default()
                });
                events.push_back(ModelEvent::ToolCallDelta {
                    index: *at,
                    arguments: more.into(),
                });
            }
            Content::ServerCall { input, .. } => {
                let more = delta.tool_use.as_ref().and_then(piece_of_input);
                input.push_str(&more.unwrap_or_default());
            }
            Content::ServerResult { content, .. } => {
                let pieces = delta.tool_result.map(RawValue::get).unwrap_or_default();
                let pieces: Vec<&RawValue> = serde_json::from_str(pieces).unwrap_or_default();
                content.extend(pieces.into_iter().map(RawValue::to_owned));
            }
            Content::Image { whole, .. } => {
                let more = object_in(delta.image).map(RawValue::to_owned);
                *whole = more.or(whole.take());
            }
        }
    }

    /// Ends the text or the thoughts.
    pub(super) fn end(&mut self, events: &mut Events) {
        match &mut self.content {
            Content::Text { text, .. } => add_text(text, self.seam.end(), events),
            Content::Thinking { text, .. } => add_thought(text, self.seam.end(), events),
            _ => {}
        }
    }

    /// Puts the block in its place in the answer.
    pub(super) fn finish(self, answer: &mut Answer) {
        match self.content {
            Content::Text { text, citations } => {
                let block = cited_block(&text, &citations);
                answer.text(Cow::Owned(text), block);
            }
            Content::Thinking {
                text,
                signature,
                redacted,
            } => {
                for hidden in redacted {
                    answer.opaque(block_of(
                        "reasoningContent",
                        &[("redactedContent", hidden.get())],
                    ));
                }
                if !text.is_empty() || !signature.is_empty() {
                    let block = thinking_block(&text, &signature);
                    answer.thinking(Cow::Owned(text), block);
                }
            }
            Content::Call(_) => answer.call(),
            Content::ServerCall { start, input } => {
                let input = RawArguments(input.into());
                let values = [("input", input.as_valid_object().into_owned())];
                answer.opaque(wrapped("toolUse", compose(&start, &values)));
            }
            Content::ServerResult { start, content } => {
                let list = serde_json::to_string(&content).unwrap_or_default();
                answer.opaque(wrapped("toolResult", compose(&start, &[("content", list)])));
            }
            Content::Image { start, whole } => {
                let values = whole.as_deref().and_then(source_of);
                let image = values.and_then(|source| compose(&start, &[("source", source)]));
                let Some(image) = image else { return };
                let fields = serde_json::from_str::<Image<'_>>(image.get());
                match fields.ok().as_ref().and_then(media_of) {
                    Some(media) => answer.push(PartContent::Media(media), None),
                    None => answer.opaque(wrapped("image", Some(image))),
                }
            }
        }
    }
}

/// `None` where the server names no tool, or begins a call anew that is there already.
fn begin_call(
    index: i64,
    call: &ToolUse<'_>,
    calls: &mut ToolCallAccumulator,
    prepared: &Prepared,
    events: &mut Events,
) -> Option<usize> {
    let name = call.name.as_deref().filter(|name| !name.is_empty())?;
    let name: Arc<str> = prepared.tool_name(name);
    let effect = calls.add(ToolCallDelta {
        index: Some(index),
        id: call.tool_use_id.as_deref(),
        name: Some(&name),
        arguments: ArgumentsDelta::None,
        provider_data: None,
    })?;
    if !effect.opened {
        return None;
    }
    events.push_back(ModelEvent::ToolCallStarted {
        index: effect.index,
        id: calls.id(effect.index).cloned(),
        name,
    });
    Some(effect.index)
}

fn object_in(raw: Option<&RawValue>) -> Option<&RawValue> {
    raw.filter(|raw| raw.get().starts_with('{'))
}

fn is_text(raw: &RawValue) -> bool {
    raw.get().starts_with('"') && raw.get() != "\"\""
}

fn add_text(text: &mut String, more: &str, events: &mut Events) {
    if !more.is_empty() {
        text.push_str(more);
        events.push_back(ModelEvent::TextDelta(more.into()));
    }
}

fn add_thought(text: &mut String, more: &str, events: &mut Events) {
    if !more.is_empty() {
        text.push_str(more);
        events.push_back(ModelEvent::ReasoningDelta(more.into()));
    }
}

fn piece_of_input<'a>(call: &ToolUse<'a>) -> Option<Cow<'a, str>> {
    call.input.and_then(json_text_of)
}

/// A text with its citations as it would have come in one piece; nothing where it has none.
fn cited_block(text: &str, citations: &[Box<RawValue>]) -> Option<Box<RawValue>> {
    if citations.is_empty() {
        return None;
    }
    let content = format!("[{{\"text\":{}}}]", quoted(text));
    let list = serde_json::to_string(citations).ok()?;
    block_of(
        "citationsContent",
        &[("content", &content), ("citations", &list)],
    )
}

/// Thoughts as they would have come in one piece.
fn thinking_block(text: &str, signature: &str) -> Option<Box<RawValue>> {
    let mut whole = String::new();
    let mut fields = JsonObject::begin(&mut whole);
    fields.string("text", text);
    if !signature.is_empty() {
        fields.string("signature", signature);
    }
    fields.end();
    block_of("reasoningContent", &[("reasoningText", &whole)])
}

/// A block of this name with these values, given as JSON.
fn block_of(name: &str, values: &[(&str, &str)]) -> Option<Box<RawValue>> {
    let mut inner = String::new();
    let mut fields = JsonObject::begin(&mut inner);
    for (name, value) in values {
        fields.raw(name, value);
    }
    fields.end();
    wrapped(name, RawValue::from_string(inner).ok())
}

fn wrapped(name: &str, inner: Option<Box<RawValue>>) -> Option<Box<RawValue>> {
    RawValue::from_string(format!("{{\"{name}\":{}}}", inner?)).ok()
}

/// The source of an image, as it came.
fn source_of(image: &RawValue) -> Option<String> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Fields<'a> {
        #[serde(borrow)]
        source: Option<&'a RawValue>,
    }
    let fields: Fields<'_> = serde_json::from_str(image.get()).ok()?;
    Some(fields.source?.get().to_owned())
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    out
}
