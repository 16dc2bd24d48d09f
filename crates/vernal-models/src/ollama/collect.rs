//! An answer, put together from its lines; a whole answer is one line.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use serde_json::value::RawValue;
use vernal_core::message::{FinishReason, Message, Part, PartContent, ProviderData, Role, Usage};
use vernal_core::model::{ChatResponse, Generation, ModelError, ModelEvent, ToolCallAccumulator};

use super::PROVIDER;
use super::request::Prepared;
use super::wire::{CallFields, MessageFields, Reply};
use crate::exchange::{
    ErrorPlace, Events, Origin, Progress, ResponseMetadataParts, ended_early, error_said, excerpt,
    not_json, response_error,
};
use crate::json::{Seam, from_text, json_text_of};

/// What has come of an answer so far.
pub(super) struct Collector {
    reasoning: String,
    reasoning_seam: Seam,
    text: String,
    text_seam: Seam,
    calls: ToolCallAccumulator,
    model: Option<Box<str>>,
    finish: Option<Box<str>>,
    usage: Option<Usage>,
    done: bool,
}

impl Default for Collector {
    fn default() -> Self {
        Self {
            reasoning: String::new(),
            reasoning_seam: Seam::default(),
            text: String::new(),
            text_seam: Seam::default(),
            calls: ToolCallAccumulator::new(PROVIDER),
            model: None,
            finish: None,
            usage: None,
            done: false,
        }
    }
}

impl Collector {
    /// Takes one line of the answer, or all of it.
    pub(super) fn take(
        &mut self,
        line: &str,
        place: ErrorPlace,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<(), ModelError> {
        let mended = OnceCell::new();
        let reply: Reply<'_> = from_text(line, &mended).map_err(|error| {
            let what = match place {
                ErrorPlace::InStream => "a line of the answer",
                _ => "the answer",
            };
            not_json(what, line, &error, origin)
        })?;
        if let Some(said) = reply.error.filter(|said| says_something(said)) {
            return Err(error_said(said.get(), place, origin));
        }
        if reply.message.is_none() && reply.done.is_none() {
            let text = format!(
                "the answer of {} has no `message`; check the base URL, which {}: {}",
                origin.server,
                origin.base_url,
                excerpt(line, origin.redactor)
            );
            return Err(response_error(text, origin));
        }
        // A whole answer of a server that says nothing of it is done too.
        self.done |= reply.is_done() || (reply.done.is_none() && place == ErrorPlace::InAnswer);
        self.usage = reply.usage().or(self.usage);
        keep(&mut self.model, reply.model.as_deref());
        keep(&mut self.finish, reply.done_reason.as_deref());
        if let Some(message) = reply.message {
            self.take_message(message, prepared, events);
        }
        Ok(())
    }

    pub(super) fn progress(&self) -> Progress {
        if self.done {
            Progress::Done
        } else {
            Progress::Open
        }
    }

    /// The answer, once the server has said that it is done.
    pub(super) fn finish(
        mut self,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<ChatResponse, ModelError> {
        if !self.done {
            return Err(ended_early(
                origin,
                "before the server said that it is done",
            ));
        }
        let (thought, text) = (self.reasoning_seam.end(), self.text_seam.end());
        self.add_reasoning(thought, events);
        self.add_text(text, events);
        let metadata = ResponseMetadataParts {
            id: None,
            model: self.model.as_deref(),
            usage: self.usage,
        };
        let metadata = metadata.build(&prepared.model, origin);
        let generation = self.into_generation(prepared.turn);
        Ok(ChatResponse::of(generation, metadata))
    }

    fn take_message(
        &mut self,
        message: MessageFields<'_>,
        prepared: &Prepared,
        events: &mut Events,
    ) {
        if let Some(thought) = message
            .thinking
            .and_then(|raw| self.reasoning_seam.read(raw))
        {
            self.add_reasoning(&thought, events);
        }
        if let Some(text) = message.content.and_then(|raw| self.text_seam.read(raw)) {
            self.add_text(&text, events);
        }
        for call in &message.tool_calls {
            self.take_call(call, prepared, events);
        }
    }

    fn add_reasoning(&mut self, more: &str, events: &mut Events) {
        if !more.is_empty() {
            self.reasoning.push_str(more);
            events.push_back(ModelEvent::ReasoningDelta(more.into()));
        }
    }

    fn add_text(&mut self, more: &str, events: &mut Events) {
        if !more.is_empty() {
            self.text.push_str(more);
            events.push_back(ModelEvent::TextDelta(more.into()));
        }
    }

    /// Every call comes whole, whatever number it has.
    fn take_call(&mut self, call: &CallFields<'_>, prepared: &Prepared, events: &mut Events) {
        let Some(function) = &call.function else {
            return;
        };
        let Some(wire) = function.name.as_deref().filter(|name| !name.is_empty()) else {
            return;
        };
        let known = prepared.tools.get(wire);
        let name: Arc<str> =
            known.map_or_else(|| wire.into(), |tool| tool.tool_definition().name().clone());
        let arguments = function.arguments.map(arguments_of).unwrap_or_default();
        let index = self.calls.len();
        self.calls
            .add_whole(call.id.as_deref(), name.clone(), &*arguments, None);
        let id = self.calls.id(index).cloned();
        events.push_back(ModelEvent::ToolCallStarted { index, id, name });
        if !arguments.is_empty() {
            let arguments = arguments.into();
            events.push_back(ModelEvent::ToolCallDelta { index, arguments });
        }
    }

    fn into_generation(self, turn: usize) -> Generation {
        let finish = match self.finish.as_deref() {
            None => None,
            Some("stop") if !self.calls.is_empty() => Some(FinishReason::ToolCalls),
            Some("stop") => Some(FinishReason::Stop),
            Some("length") => Some(FinishReason::Length),
            Some(other) => Some(FinishReason::Other(other.into())),
        };
        let mut parts = Vec::with_capacity(2 + self.calls.len());
        if !self.reasoning.is_empty() {
            let part = Part::from(PartContent::Reasoning(self.reasoning.into()));
            let own = RawValue::from_string(r#"{"field":"thinking"}"#.to_owned());
            parts.push(match own {
                Ok(own) => part.with_provider_data(ProviderData::new(PROVIDER, own)),
                Err(_) => part,
            });
        }
        if !self.text.is_empty() {
            parts.push(Part::text(self.text));
        }
        self.calls
            .with_turn(turn)
            .finish_into(finish.as_ref(), &mut parts);
        Generation::new(Message::new(Role::Assistant, parts), finish)
    }
}

/// An object as it is; a text that should hold one is taken out of its quotes.
fn arguments_of(raw: &RawValue) -> Cow<'_, str> {
    match raw.get() {
        "null" => Cow::Borrowed(""),
        other => json_text_of(raw).unwrap_or(Cow::Borrowed(other)),
    }
}

fn says_something(said: &RawValue) -> bool {
    !matches!(said.get(), "null" | "\"\"" | "false" | "{}" | "[]")
}

fn keep(place: &mut Option<Box<str>>, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        *place = Some(text.into());
    }
}
