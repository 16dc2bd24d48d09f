//! The message that the items of an answer become, and why it ended.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use vernal_core::message::{FinishReason, Message, Part, PartContent, ProviderData, Role};
use vernal_core::model::{Generation, ToolCallAccumulator};

use super::item::{Item, Said, call_data};
use super::request::Prepared;
use crate::json::lenient::text;

/// The parts of an answer in the order of its items; calls keep their places.
pub(super) struct Answer {
    provider: &'static str,
    places: Vec<Place>,
    calls: ToolCallAccumulator,
}

enum Place {
    Part(Part),
    /// The next call.
    Call,
}

/// Why an answer ended.
#[derive(Default)]
pub(super) struct End {
    reason: Option<FinishReason>,
    details: Option<Value>,
}

/// What is said of an answer that is not complete.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Details<'a> {
    #[serde(borrow, deserialize_with = "text")]
    reason: Option<Cow<'a, str>>,
}

impl End {
    pub(super) fn of(status: Option<&str>, details: Option<&RawValue>) -> Self {
        let details = details.filter(|details| details.get().starts_with('{'));
        let said: Option<Details<'_>> =
            details.and_then(|details| serde_json::from_str(details.get()).ok());
        let why = said.and_then(|said| said.reason).unwrap_or_default();
        let reason = match status.unwrap_or_default() {
            "" => None,
            "completed" | "complete" => Some(FinishReason::Stop),
            "incomplete" => Some(match &*why {
                "max_output_tokens" | "max_tokens" => FinishReason::Length,
                "content_filter" => FinishReason::ContentFilter,
                "" => FinishReason::Other("incomplete".into()),
                other => FinishReason::Other(other.into()),
            }),
            other => Some(FinishReason::Other(other.into())),
        };
        let details = details.and_then(|details| serde_json::from_str(details.get()).ok());
        Self { reason, details }
    }
}

impl Answer {
    pub(super) fn new(prepared: &Prepared, items: usize) -> Self {
        let calls = ToolCallAccumulator::new(prepared.provider).with_turn(prepared.turn);
        Self {
            provider: prepared.provider,
            places: Vec::with_capacity(items),
            calls,
        }
    }

    /// Takes an item of the output.
    pub(super) fn item(&mut self, raw: &RawValue, prepared: &Prepared) {
        let item = Item::of(raw);
        if let Some(call) = item.call() {
            let data = call_data(raw, call.kind);
            let name = prepared.tool_name(&call.name);
            self.call(call.id.as_deref(), name, call.arguments, data.as_deref());
            return;
        }
        match item.kind() {
            "" => {}
            "message" => self.said(item.said(), Some(raw)),
            "reasoning" => self.reasoning(item.reasoning(), Some(raw)),
            _ => self.opaque(raw),
        }
    }

    /// What a message says; its item is on the first part of it.
    pub(super) fn said(&mut self, said: Vec<Said<'_>>, raw: Option<&RawValue>) {
        let mut raw = raw;
        if let (true, Some(raw)) = (said.is_empty(), raw) {
            // It may have to follow the reasoning before it.
            return self.opaque(raw);
        }
        for piece in said {
            let content = match piece {
                Said::Text(text) => PartContent::Text(shared(text)),
                Said::Refusal(text) => PartContent::Refusal(shared(text)),
            };
            self.push(content, raw.take());
        }
    }

    /// Reasoning that is not shown has only its item.
    pub(super) fn reasoning(&mut self, text: Cow<'_, str>, raw: Option<&RawValue>) {
        if !text.is_empty() {
            self.push(PartContent::Reasoning(shared(text)), raw);
        } else if let Some(raw) = raw {
            self.opaque(raw);
        }
    }

    pub(super) fn opaque(&mut self, raw: &RawValue) {
        self.push(PartContent::Opaque, Some(raw));
    }

    pub(super) fn call(
        &mut self,
        id: Option<&str>,
        name: Arc<str>,
        arguments: impl Into<String>,
        data: Option<&RawValue>,
    ) {
        self.calls.add_whole(id, name, arguments, data);
        self.places.push(Place::Call);
    }

    fn push(&mut self, content: PartContent, raw: Option<&RawValue>) {
        let part = Part::from(content);
        self.places.push(Place::Part(match raw {
            Some(raw) => part.with_provider_data(ProviderData::new(self.provider, raw.to_owned())),
            None => part,
        }));
    }

    /// The message, the reason of its end, and the facts that go with it.
    pub(super) fn into_generation(
        self,
        end: End,
        id: Option<&str>,
        prepared: &Prepared,
    ) -> Generation {
        let finish = match end.reason {
            Some(FinishReason::Stop) if !self.calls.is_empty() => Some(FinishReason::ToolCalls),
            Some(FinishReason::Stop) if self.only_refuses() => Some(FinishReason::Refusal),
            other => other,
        };
        let mut calls = self.calls.finish(finish.as_ref()).into_iter();
        let mut parts = Vec::with_capacity(self.places.len() + 1);
        for place in self.places {
            match place {
                Place::Part(part) => parts.push(part),
                Place::Call => parts.extend(calls.next()),
            }
        }
        let marking = prepared.marking.as_ref().zip(id);
        parts.extend(marking.and_then(|(marking, id)| marking.part(id, self.provider)));
        let mut generation = Generation::new(Message::new(Role::Assistant, parts), finish);
        if let Some(details) = end.details {
            generation.metadata = Map::from_iter([("incomplete_details".to_owned(), details)]);
        }
        generation
    }

    fn only_refuses(&self) -> bool {
        let is = |wanted: fn(&PartContent) -> bool| {
            let found = |place: &Place| matches!(place, Place::Part(p) if wanted(&p.content));
            self.places.iter().any(found)
        };
        is(|content| matches!(content, PartContent::Refusal(_)))
            && !is(|content| matches!(content, PartContent::Text(_)))
    }
}

fn shared(text: Cow<'_, str>) -> Arc<str> {
    match text {
        Cow::Borrowed(text) => text.into(),
        Cow::Owned(text) => text.into(),
    }
}
