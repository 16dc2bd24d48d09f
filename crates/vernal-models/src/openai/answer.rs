//! One choice of an answer, whole or still growing, and the message that it becomes.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::{FinishReason, Message, Part, PartContent, ProviderData, Role};
use vernal_core::model::{ArgumentsDelta, Generation, ToolCallAccumulator};
use vernal_core::tool::ToolSet;

use super::profile::{OpenAiProfile, ToolNames};
use super::reasoning::echo_data;
use super::wire::FunctionFields;
use crate::json::{Seam, json_text_of, string_of};
use crate::wire_names::real_name;

/// What is known of the request that is answered.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) profile: &'a OpenAiProfile,
    pub(super) tools: &'a ToolSet,
    /// The name of the model that was asked.
    pub(super) model: &'a Arc<str>,
    /// How many messages the request had: it tells the answers of a conversation apart.
    pub(super) turn: usize,
}

impl Asked<'_> {
    /// The tool that the server means by a name.
    pub(super) fn tool_name(&self, wire: &str) -> Arc<str> {
        match self.profile.tool_names {
            ToolNames::Ascii64 => real_name(wire, self.tools),
            ToolNames::AsTheyAre => {
                let known = self
                    .tools
                    .get(wire)
                    .map(|tool| tool.tool_definition().name().clone());
                known.unwrap_or_else(|| wire.into())
            }
        }
    }

    pub(super) fn calls(&self) -> ToolCallAccumulator {
        let calls = ToolCallAccumulator::new(self.profile.name).with_turn(self.turn);
        if self.profile.name_fragments {
            calls.with_name_fragments()
        } else {
            calls
        }
    }
}

/// One choice: its texts as far as they have come, its calls, and what is to be sent back.
pub(super) struct Answer<'a> {
    pub(super) reasoning: Cow<'a, str>,
    /// The field that the reasoning stood in.
    pub(super) reasoning_field: Option<&'static str>,
    pub(super) details: Option<Cow<'a, RawValue>>,
    /// The chunks of thinking of a content that is a list.
    pub(super) thinking: Option<Box<RawValue>>,
    pub(super) text: Cow<'a, str>,
    pub(super) refusal: Cow<'a, str>,
    pub(super) extra_content: Option<Cow<'a, RawValue>>,
    pub(super) calls: ToolCallAccumulator,
    /// The names of the calls are still those of the wire.
    pub(super) names_are_wire_names: bool,
    /// A call in the form that was used before there were tools: name and arguments.
    pub(super) old_call: Option<(Cow<'a, str>, Cow<'a, str>)>,
    pub(super) finish: Option<Cow<'a, str>>,
    /// What a router's upstream server said of the end.
    pub(super) native_finish: Option<Cow<'a, str>>,
}

impl<'a> Answer<'a> {
    pub(super) fn new(asked: &Asked<'_>) -> Self {
        Self {
            reasoning: Cow::Borrowed(""),
            reasoning_field: None,
            details: None,
            thinking: None,
            text: Cow::Borrowed(""),
            refusal: Cow::Borrowed(""),
            extra_content: None,
            calls: asked.calls(),
            names_are_wire_names: false,
            old_call: None,
            finish: None,
            native_finish: None,
        }
    }

    /// The choice as a message and the reason of its end.
    pub(super) fn into_generation(mut self, asked: &Asked<'_>) -> Generation {
        if self.calls.is_empty()
            && let Some((name, arguments)) =
                self.old_call.take().filter(|(name, _)| !name.is_empty())
        {
            let known = if self.names_are_wire_names {
                name.into()
            } else {
                asked.tool_name(&name)
            };
            self.calls.add_whole(None, known, arguments, None);
        }
        let finish = self.finish_reason();
        let provider = asked.profile.name;
        let mut parts = Vec::with_capacity(self.expected_parts());
        push_reasoning(&mut parts, &mut self, provider);
        if let Some(extra) = self.extra_content.take() {
            let data = RawValue::from_string(format!(r#"{{"extra_content":{extra}}}"#));
            push_opaque(&mut parts, data.ok(), provider);
        }
        if !self.text.is_empty() {
            parts.push(Part::text(shared(self.text)));
        }
        if !self.refusal.is_empty() {
            parts.push(PartContent::Refusal(shared(self.refusal)).into());
        }
        self.calls.finish_into(finish.as_ref(), &mut parts);
        if self.names_are_wire_names {
            for part in &mut parts {
                if let PartContent::ToolCall(call) = &mut part.content {
                    call.name = asked.tool_name(&call.name);
                }
            }
        }
        Generation::new(Message::new(Role::Assistant, parts), finish)
    }

    fn expected_parts(&self) -> usize {
        self.calls.len()
            + usize::from(!self.text.is_empty())
            + usize::from(!self.refusal.is_empty())
            + usize::from(!self.reasoning.is_empty() || self.details.is_some())
            + usize::from(self.extra_content.is_some())
    }

    /// The reason that was given, where it can be true (rule 12).
    pub(super) fn finish_reason(&self) -> Option<FinishReason> {
        let said = reason(self.finish.as_deref()?)?;
        let cut_upstream = || {
            let native = self.native_finish.as_deref().and_then(reason);
            native == Some(FinishReason::Length) && self.calls.has_incomplete_arguments()
        };
        Some(match said {
            FinishReason::ToolCalls if cut_upstream() => FinishReason::Length,
            FinishReason::Stop if !self.calls.is_empty() => FinishReason::ToolCalls,
            other => other,
        })
    }
}

fn push_reasoning(parts: &mut Vec<Part>, answer: &mut Answer<'_>, provider: &'static str) {
    let details = answer.details.take();
    let data = echo_data(
        answer.reasoning_field,
        details.as_deref(),
        answer.thinking.as_deref(),
    );
    let reasoning = std::mem::take(&mut answer.reasoning);
    if reasoning.is_empty() {
        return push_opaque(parts, data.filter(|_| details.is_some()), provider);
    }
    let part = Part::from(PartContent::Reasoning(shared(reasoning)));
    parts.push(match data {
        Some(data) => part.with_provider_data(ProviderData::new(provider, data)),
        None => part,
    });
}

fn push_opaque(parts: &mut Vec<Part>, data: Option<Box<RawValue>>, provider: &'static str) {
    if let Some(data) = data {
        let part = Part::from(PartContent::Opaque);
        parts.push(part.with_provider_data(ProviderData::new(provider, data)));
    }
}

fn shared(text: Cow<'_, str>) -> Arc<str> {
    match text {
        Cow::Borrowed(text) => text.into(),
        Cow::Owned(text) => text.into(),
    }
}

/// The reason by its name on the wire; an empty name says nothing.
fn reason(name: &str) -> Option<FinishReason> {
    Some(match name {
        "" => return None,
        "stop" | "eos" | "end_turn" | "stop_sequence" => FinishReason::Stop,
        "tool_calls" | "function_call" | "tool_use" => FinishReason::ToolCalls,
        "length" | "max_tokens" | "max_output_tokens" | "model_length" | "MAX_TOKENS" => {
            FinishReason::Length
        }
        "content_filter" => FinishReason::ContentFilter,
        "refusal" => FinishReason::Refusal,
        "error" => FinishReason::Error,
        other => FinishReason::Other(other.into()),
    })
}

/// The arguments of a call: text as it is, any other value as the JSON it is written in.
pub(super) fn arguments_of<'a>(function: &FunctionFields<'a>) -> Arguments<'a> {
    match function.said() {
        None => Arguments::None,
        Some(raw) => json_text_of(raw).map_or(Arguments::Value(raw), Arguments::Text),
    }
}

/// The plain text that a custom tool is called with.
pub(super) fn input_of<'a>(function: &FunctionFields<'a>) -> Cow<'a, str> {
    let raw = function.said();
    raw.map_or(Cow::Borrowed(""), |raw| {
        string_of(raw).unwrap_or(Cow::Borrowed(raw.get()))
    })
}

/// The arguments of a call or of a fragment of one.
pub(super) enum Arguments<'a> {
    None,
    Text(Cow<'a, str>),
    Value(&'a RawValue),
}

impl<'a> Arguments<'a> {
    pub(super) fn as_delta(&self) -> ArgumentsDelta<'_> {
        match self {
            Self::None => ArgumentsDelta::None,
            Self::Text(text) => ArgumentsDelta::Fragment(text),
            Self::Value(raw) => ArgumentsDelta::Whole(raw),
        }
    }

    pub(super) fn into_text(self) -> Cow<'a, str> {
        match self {
            Self::None => Cow::Borrowed(""),
            Self::Text(text) => text,
            Self::Value(raw) => Cow::Borrowed(raw.get()),
        }
    }
}

/// Where the texts of a content go on.
#[derive(Default)]
pub(super) struct ContentSeams {
    pub(super) text: Seam,
    pub(super) thinking: Seam,
}

/// What a content holds.
#[derive(Default)]
pub(super) struct ContentText<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) thinking: Cow<'a, str>,
    /// The chunks of thinking as they came.
    pub(super) chunks: Vec<&'a RawValue>,
}

/// One item of a content that is a list.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Item<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    refusal: Option<&'a RawValue>,
    #[serde(borrow)]
    thinking: Option<&'a RawValue>,
}

/// Reads a content that is whole.
pub(super) fn whole_content_of(raw: &RawValue) -> ContentText<'_> {
    let mut seams = ContentSeams::default();
    let mut content = content_of(raw, &mut seams);
    append(&mut content.text, seams.text.end().into());
    append(&mut content.thinking, seams.thinking.end().into());
    content
}

/// Reads a content, or a piece of one: a text, or a list of texts and thinking. Anything else is empty.
pub(super) fn content_of<'a>(raw: &'a RawValue, seams: &mut ContentSeams) -> ContentText<'a> {
    if let Some(text) = seams.text.read(raw) {
        return ContentText {
            text,
            ..ContentText::default()
        };
    }
    let mut content = ContentText::default();
    for item in serde_json::from_str::<Vec<&RawValue>>(raw.get()).unwrap_or_default() {
        if let Some(text) = seams.text.read(item) {
            append(&mut content.text, text);
            continue;
        }
        let Ok(fields) = serde_json::from_str::<Item<'_>>(item.get()) else {
            continue;
        };
        if fields.kind.as_deref() == Some("thinking") {
            append_texts(&mut content.thinking, fields.thinking, &mut seams.thinking);
            content.chunks.push(item);
        } else if let Some(raw) = fields.text.or(fields.refusal) {
            append(&mut content.text, seams.text.read(raw).unwrap_or_default());
        }
    }
    content
}

/// Appends what thinking holds: a text, or a list of texts.
fn append_texts<'a>(to: &mut Cow<'a, str>, raw: Option<&'a RawValue>, seam: &mut Seam) {
    let Some(raw) = raw else { return };
    let mut seams = ContentSeams {
        text: *seam,
        thinking: Seam::default(),
    };
    append(to, content_of(raw, &mut seams).text);
    *seam = seams.text;
}

fn append<'a>(to: &mut Cow<'a, str>, text: Cow<'a, str>) {
    if text.is_empty() {
        return;
    }
    if to.is_empty() {
        *to = text;
    } else {
        to.to_mut().push_str(&text);
    }
}
