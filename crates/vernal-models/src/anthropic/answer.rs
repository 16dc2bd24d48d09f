//! The message that the blocks of an answer become, and why it ended.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use vernal_core::message::{FinishReason, Message, Part, PartContent, ProviderData, Role};
use vernal_core::model::{Generation, ToolCallAccumulator};

use super::PROVIDER;
use crate::json::lenient::text;

/// Why an answer ended, and what goes with it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StopFields<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) stop_reason: Option<Cow<'a, str>>,
    #[serde(borrow)]
    stop_sequence: Option<&'a RawValue>,
    #[serde(borrow)]
    stop_details: Option<&'a RawValue>,
    #[serde(borrow)]
    container: Option<&'a RawValue>,
}

/// What is kept of [`StopFields`].
#[derive(Default)]
pub(super) struct Stop {
    pub(super) reason: Option<FinishReason>,
    /// The facts that a generation tells by name.
    pub(super) facts: Map<String, Value>,
}

impl Stop {
    /// Takes what is said; what was said before stays where nothing is said now.
    pub(super) fn take(&mut self, fields: &StopFields<'_>) {
        let reason = fields.stop_reason.as_deref().and_then(reason);
        self.reason = reason.or(self.reason.take());
        for (name, raw) in [
            ("stop_sequence", fields.stop_sequence),
            ("stop_details", fields.stop_details),
            ("container", fields.container),
        ] {
            let value = raw.and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
            if let Some(value) = value.filter(|value| !value.is_null()) {
                self.facts.insert(name.to_owned(), value);
            }
        }
    }
}

/// The reason by its name on the wire; an empty name says nothing.
fn reason(name: &str) -> Option<FinishReason> {
    Some(match name {
        "" => return None,
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "tool_use" => FinishReason::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "pause_turn" => FinishReason::Pause,
        "refusal" => FinishReason::Refusal,
        other => FinishReason::Other(other.into()),
    })
}

/// The parts of an answer in the order of its blocks; calls keep their places.
pub(super) struct Answer {
    places: Vec<Place>,
    pub(super) calls: ToolCallAccumulator,
}

enum Place {
    Part(Part),
    /// The next call.
    Call,
}

impl Answer {
    pub(super) fn new(calls: ToolCallAccumulator, blocks: usize) -> Self {
        let places = Vec::with_capacity(blocks);
        Self { places, calls }
    }

    /// Collects the calls of the answer to a request of so many messages.
    pub(super) fn calls(turn: usize) -> ToolCallAccumulator {
        ToolCallAccumulator::new(PROVIDER).with_turn(turn)
    }

    pub(super) fn text(&mut self, text: Cow<'_, str>, block: Option<Box<RawValue>>) {
        if !text.is_empty() || block.is_some() {
            self.push(PartContent::Text(shared(text)), block);
        }
    }

    /// Thinking that is not shown has only its signature.
    pub(super) fn thinking(&mut self, text: Cow<'_, str>, block: Option<Box<RawValue>>) {
        if text.is_empty() {
            self.opaque(block);
        } else {
            self.push(PartContent::Reasoning(shared(text)), block);
        }
    }

    pub(super) fn opaque(&mut self, block: Option<Box<RawValue>>) {
        if block.is_some() {
            self.push(PartContent::Opaque, block);
        }
    }

    /// The next of the calls has its place here.
    pub(super) fn call(&mut self) {
        self.places.push(Place::Call);
    }

    fn push(&mut self, content: PartContent, block: Option<Box<RawValue>>) {
        let part = Part::from(content);
        self.places.push(Place::Part(match block {
            Some(block) => part.with_provider_data(ProviderData::new(PROVIDER, block)),
            None => part,
        }));
    }

    /// The message, the reason of its end, and the facts that go with it.
    pub(super) fn into_generation(self, stop: Stop) -> Generation {
        let finish = match stop.reason {
            Some(FinishReason::Stop) if !self.calls.is_empty() => Some(FinishReason::ToolCalls),
            other => other,
        };
        let mut calls = self.calls.finish(finish.as_ref()).into_iter();
        let mut parts = Vec::with_capacity(self.places.len());
        for place in self.places {
            match place {
                Place::Part(part) => parts.push(part),
                Place::Call => parts.extend(calls.next()),
            }
        }
        let mut generation = Generation::new(Message::new(Role::Assistant, parts), finish);
        generation.metadata = stop.facts;
        generation
    }
}

fn shared(text: Cow<'_, str>) -> Arc<str> {
    match text {
        Cow::Borrowed(text) => text.into(),
        Cow::Owned(text) => text.into(),
    }
}
