//! The message that the blocks of an answer become.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use vernal_core::message::{FinishReason, Message, Part, PartContent, ProviderData, Role};
use vernal_core::model::{Generation, ToolCallAccumulator};

/// The parts of an answer in the order of its blocks; calls keep their places.
pub(crate) struct Answer {
    provider: &'static str,
    places: Vec<Place>,
    pub(crate) calls: ToolCallAccumulator,
}

enum Place {
    Part(Part),
    /// The next call.
    Call,
}

impl Answer {
    /// Of the named provider, whose data the blocks are, with room for so many of them.
    pub(crate) fn new(provider: &'static str, calls: ToolCallAccumulator, blocks: usize) -> Self {
        Self {
            provider,
            places: Vec::with_capacity(blocks),
            calls,
        }
    }

    pub(crate) fn text(&mut self, text: Cow<'_, str>, block: Option<Box<RawValue>>) {
        if !text.is_empty() || block.is_some() {
            self.push(PartContent::Text(shared(text)), block);
        }
    }

    /// Thinking that is not shown has only its signature.
    pub(crate) fn thinking(&mut self, text: Cow<'_, str>, block: Option<Box<RawValue>>) {
        if text.is_empty() {
            self.opaque(block);
        } else {
            self.push(PartContent::Reasoning(shared(text)), block);
        }
    }

    pub(crate) fn opaque(&mut self, block: Option<Box<RawValue>>) {
        if block.is_some() {
            self.push(PartContent::Opaque, block);
        }
    }

    /// The next of the calls has its place here.
    pub(crate) fn call(&mut self) {
        self.places.push(Place::Call);
    }

    pub(crate) fn push(&mut self, content: PartContent, block: Option<Box<RawValue>>) {
        let part = Part::from(content);
        self.places.push(Place::Part(match block {
            Some(block) => part.with_provider_data(ProviderData::new(self.provider, block)),
            None => part,
        }));
    }

    /// The message, the reason of its end, and the facts that go with it.
    pub(crate) fn into_generation(
        self,
        reason: Option<FinishReason>,
        facts: Map<String, Value>,
    ) -> Generation {
        let finish = match reason {
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
        generation.metadata = facts;
        generation
    }
}

fn shared(text: Cow<'_, str>) -> Arc<str> {
    match text {
        Cow::Borrowed(text) => text.into(),
        Cow::Owned(text) => text.into(),
    }
}
