//! One block of a streamed answer while it grows.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::RawArguments;
use vernal_core::model::{ArgumentsDelta, ModelEvent, ToolCallAccumulator, ToolCallDelta};

use super::block::Block;
use super::request::Prepared;
use crate::exchange::{Answer, Events};
use crate::json::lenient::text;
use crate::json::{Seam, compose, json_text_of, push_string, string_of};

/// A piece of a block.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta<'a> {
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    thinking: Option<&'a RawValue>,
    #[serde(borrow)]
    signature: Option<&'a RawValue>,
    #[serde(borrow)]
    partial_json: Option<&'a RawValue>,
    #[serde(borrow)]
    citation: Option<&'a RawValue>,
    /// Of a summary that takes the place of a conversation.
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

/// A block and the number by which its pieces name it.
pub(super) struct Growing {
    pub(super) index: i64,
    /// The block as it began.
    start: Option<Box<RawValue>>,
    content: Content,
    /// Where the text, the thinking or the summary goes on.
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
    },
    /// The call at this position.
    Call(usize),
    /// A block that only the provider understands.
    Other {
        input: String,
        content: String,
    },
}

impl Growing {
    /// Whether this is a call of a tool that the provider runs.
    pub(super) fn is_of_server(&self) -> bool {
        let kind = self.start.as_deref().and_then(|raw| Block::of(raw).kind);
        matches!(self.content, Content::Other { .. })
            && kind.is_some_and(|kind| kind.ends_with("_tool_use"))
    }

    /// Begins a block; `None` where it begins none.
    pub(super) fn begin(
        index: i64,
        raw: &RawValue,
        calls: &mut ToolCallAccumulator,
        prepared: &Prepared,
        events: &mut Events,
    ) -> Option<Self> {
        let block = Block::of(raw);
        let content = match (block.kind.as_deref()?, block.name.as_deref()) {
            ("text", _) => Content::Text {
                text: String::new(),
                citations: block
                    .citations()
                    .into_iter()
                    .map(RawValue::to_owned)
                    .collect(),
            },
            ("thinking", _) => Content::Thinking {
                text: String::new(),
                signature: block.signature().into_owned(),
            },
            ("tool_use", Some(name)) => {
                let at = begin_call(index, name, &block, calls, prepared, events)?;
                Content::Call(at)
            }
            _ => Content::Other {
                input: String::new(),
                content: String::new(),
            },
        };
        let mut growing = Self {
            index,
            start: Some(raw.to_owned()),
            content,
            seam: Seam::default(),
        };
        let text = block.text.and_then(|raw| growing.seam.read(raw));
        growing.add_text(&text.unwrap_or_default(), events);
        let thinking = block.thinking.and_then(|raw| growing.seam.read(raw));
        growing.add_thinking(&thinking.unwrap_or_default(), events);
        Some(growing)
    }

    /// Begins a block that the server did not announce, for a piece of text or thinking.
    pub(super) fn unannounced(index: i64, delta: &Delta<'_>) -> Option<Self> {
        let content = match delta.kind.as_deref()? {
            "text_delta" => Content::Text {
                text: String::new(),
                citations: Vec::new(),
            },
            "thinking_delta" => Content::Thinking {
                text: String::new(),
                signature: String::new(),
            },
            _ => return None,
        };
        Some(Self {
            index,
            start: None,
            content,
            seam: Seam::default(),
        })
    }

    /// Takes a piece; one of an unknown kind is passed over.
    pub(super) fn take(
        &mut self,
        delta: &Delta<'_>,
        calls: &mut ToolCallAccumulator,
        events: &mut Events,
    ) {
        match delta.kind.as_deref().unwrap_or_default() {
            "text_delta" => {
                let more = delta.text.and_then(|raw| self.seam.read(raw));
                self.add_text(&more.unwrap_or_default(), events);
            }
            "thinking_delta" => {
                let more = delta.thinking.and_then(|raw| self.seam.read(raw));
                self.add_thinking(&more.unwrap_or_default(), events);
            }
            "signature_delta" => {
                if let Content::Thinking { signature, .. } = &mut self.content {
                    signature.push_str(&delta.signature.and_then(string_of).unwrap_or_default());
                }
            }
            "citations_delta" => {
                if let (Content::Text { citations, .. }, Some(one)) =
                    (&mut self.content, delta.citation)
                {
                    citations.push(one.to_owned());
                }
            }
            "input_json_delta" => {
                let more = delta.partial_json.and_then(json_text_of);
                self.add_input(&more.unwrap_or_default(), calls, events);
            }
            "compaction_delta" => {
                let more = delta.content.and_then(|raw| self.seam.read(raw));
                self.add_summary(&more.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn add_text(&mut self, more: &str, events: &mut Events) {
        if let Content::Text { text, .. } = &mut self.content
            && !more.is_empty()
        {
            text.push_str(more);
            events.push_back(ModelEvent::TextDelta(more.into()));
        }
    }

    fn add_thinking(&mut self, more: &str, events: &mut Events) {
        if let Content::Thinking { text, .. } = &mut self.content
            && !more.is_empty()
        {
            text.push_str(more);
            events.push_back(ModelEvent::ReasoningDelta(more.into()));
        }
    }

    fn add_summary(&mut self, more: &str) {
        if let Content::Other { content, .. } = &mut self.content {
            content.push_str(more);
        }
    }

    fn add_input(&mut self, more: &str, calls: &mut ToolCallAccumulator, events: &mut Events) {
        match &mut self.content {
            Content::Call(at) if !more.is_empty() => {
                calls.add(ToolCallDelta {
                    index: Some(self.index),
                    arguments: ArgumentsDelta::Fragment(more),
                    ..ToolCallDelta::default()
                });
                events.push_back(ModelEvent::ToolCallDelta {
                    index: *at,
                    arguments: more.into(),
                });
            }
            Content::Other { input, .. } => input.push_str(more),
            _ => {}
        }
    }

    /// Ends the texts. Some servers give the whole input when a call begins, and no piece of it after
    /// that.
    pub(super) fn end(&mut self, calls: &mut ToolCallAccumulator, events: &mut Events) {
        // It is added where it belongs.
        let rest = self.seam.end();
        self.add_text(rest, events);
        self.add_thinking(rest, events);
        self.add_summary(rest);
        let (Content::Call(at), Some(start)) = (&self.content, &self.start) else {
            return;
        };
        let Some(input) = Block::of(start).input() else {
            return;
        };
        if calls.arguments(*at).is_none_or(str::is_empty) {
            calls.add(ToolCallDelta {
                index: Some(self.index),
                arguments: ArgumentsDelta::Whole(input),
                ..ToolCallDelta::default()
            });
            events.push_back(ModelEvent::ToolCallDelta {
                index: *at,
                arguments: input.get().into(),
            });
        }
    }

    /// Puts the block in its place in the answer.
    pub(super) fn finish(self, answer: &mut Answer) {
        let start = self.start.as_deref();
        match self.content {
            Content::Text { text, citations } => {
                let block = start.filter(|_| !citations.is_empty()).and_then(|start| {
                    let list = serde_json::to_string(&citations).ok()?;
                    compose(start, &[("text", quoted(&text)), ("citations", list)])
                });
                answer.text(Cow::Owned(text), block);
            }
            Content::Thinking { text, signature } => {
                let values = [
                    ("thinking", quoted(&text)),
                    ("signature", quoted(&signature)),
                ];
                let block = start.and_then(|start| compose(start, &values));
                answer.thinking(Cow::Owned(text), block);
            }
            Content::Call(_) => answer.call(),
            Content::Other { input, content } => {
                let mut values = Vec::new();
                if !input.is_empty() {
                    let input = RawArguments(input.into());
                    values.push(("input", input.as_valid_object().into_owned()));
                }
                if !content.is_empty() {
                    values.push(("content", quoted(&content)));
                }
                let block = match start {
                    Some(start) if !values.is_empty() => compose(start, &values),
                    _ => self.start,
                };
                answer.opaque(block);
            }
        }
    }
}

/// `None` where the server begins a call anew that is there already.
fn begin_call(
    index: i64,
    name: &str,
    block: &Block<'_>,
    calls: &mut ToolCallAccumulator,
    prepared: &Prepared,
    events: &mut Events,
) -> Option<usize> {
    let name: Arc<str> = prepared.tool_name(name);
    let data = block.call_data();
    let effect = calls.add(ToolCallDelta {
        index: Some(index),
        id: block.id.as_deref(),
        name: Some(&name),
        arguments: ArgumentsDelta::None,
        provider_data: data.as_deref(),
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

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    out
}
