//! An answer, put together from its events; a whole answer is one event.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use vernal_core::message::{FinishReason, Media, Message, Role};
use vernal_core::model::{ChatResponse, Generation, ModelError, ModelErrorKind, ModelEvent};

use super::names::meant_by;
use super::parts::{Pieces, part_data, signature_data};
use super::request::Prepared;
use super::usage::UsageFields;
use super::wire::{Candidate, FunctionCall, PartFields, PromptFeedback, Reply};
use crate::exchange::{
    ErrorPlace, Events, Origin, Progress, ResponseMetadataParts, check_count, ended_early,
    error_said, not_json, response_error,
};
use crate::json::{from_text, json_text_of};

/// What has come of an answer so far.
#[derive(Default)]
pub(super) struct Collector {
    candidates: Vec<Growing>,
    id: Option<Box<str>>,
    model: Option<Box<str>>,
    usage: UsageFields,
    /// Why the prompt was blocked, and what was said of it.
    blocked: Option<(Box<str>, Box<str>)>,
    begun: bool,
    done: bool,
}

/// One candidate as far as it has come.
struct Growing {
    index: i64,
    pieces: Pieces,
    finish: Option<Box<str>>,
    finish_message: Option<Box<str>>,
}

impl Collector {
    /// Takes one event of the answer, or all of it.
    pub(super) fn take(
        &mut self,
        data: &str,
        place: ErrorPlace,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<(), ModelError> {
        // Answers and errors may come in a list.
        let mended = OnceCell::new();
        let is_list = data.trim_start().starts_with('[');
        if is_list && let Ok(list) = from_text::<Vec<&RawValue>>(data, &mended) {
            let mut list = list.iter();
            return list
                .try_for_each(|one| self.take_one(one.get(), place, prepared, origin, events));
        }
        self.take_one(data, place, prepared, origin, events)
    }

    fn take_one(
        &mut self,
        data: &str,
        place: ErrorPlace,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<(), ModelError> {
        let mended = OnceCell::new();
        let reply: Reply<'_> = from_text(data, &mended).map_err(|error| {
            let what = match place {
                ErrorPlace::InStream => "an event in the answer",
                _ => "the answer",
            };
            not_json(what, data, &error, origin)
        })?;
        if let Some(said) = reply.error.filter(|said| said.get() != "null") {
            return Err(error_said(said.get(), place, origin));
        }
        self.begun = true;
        keep_first(&mut self.id, reply.response_id.as_deref());
        keep_first(&mut self.model, reply.model_version.as_deref());
        self.usage = reply.usage_metadata.unwrap_or_default().over(self.usage);
        if let Some(blocked) = reply.prompt_feedback.and_then(block_of) {
            self.blocked = Some(blocked);
        }
        for candidate in reply.candidates {
            self.take_candidate(candidate, prepared, events);
            check_count(self.candidates.len(), "candidates", origin)?;
        }
        Ok(())
    }

    fn take_candidate(
        &mut self,
        candidate: Candidate<'_>,
        prepared: &Prepared,
        events: &mut Events,
    ) {
        let index = candidate.index.unwrap_or(0);
        let known = self
            .candidates
            .iter()
            .position(|growing| growing.index == index);
        let position = known.unwrap_or_else(|| {
            self.candidates.push(Growing::new(index, prepared.turn));
            self.candidates.len() - 1
        });
        let mut unwatched = Events::new();
        // Only the first candidate is told live; the others are in the whole answer.
        let events = if position == 0 {
            events
        } else {
            &mut unwatched
        };
        if let Some(growing) = self.candidates.get_mut(position) {
            growing.take(candidate, prepared, events);
        }
    }

    /// Nothing follows: the server says so, or the answer came in one piece.
    pub(super) fn end(&mut self) {
        self.done = true;
    }

    /// Whether a tool of the provider was at work.
    pub(super) fn has_acted(&self) -> bool {
        let mut candidates = self.candidates.iter();
        candidates.any(|growing| growing.pieces.has_acted())
    }

    /// How far the answer has come: every candidate has its reason to end, or there will be none.
    pub(super) fn progress(&self) -> Progress {
        if self.done {
            Progress::Done
        } else if self.blocked.is_none() && self.is_open() {
            Progress::Open
        } else {
            Progress::Ended
        }
    }

    /// Whether the reason is missing for which an answer ended.
    fn is_open(&self) -> bool {
        let mut candidates = self.candidates.iter();
        self.candidates.is_empty() || candidates.any(|growing| growing.finish.is_none())
    }

    /// The whole answer.
    ///
    /// # Errors
    /// The prompt was blocked, nothing came, or the stream ended before the server said why the answer
    /// did.
    pub(super) fn finish(
        mut self,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<ChatResponse, ModelError> {
        if self.is_open() {
            self.check_end(origin)?;
        }
        let mut unwatched = Events::new();
        for (position, candidate) in self.candidates.iter_mut().enumerate() {
            candidate.end(if position == 0 {
                events
            } else {
                &mut unwatched
            });
        }
        let metadata = ResponseMetadataParts {
            id: self.id.as_deref(),
            model: self.model.as_deref(),
            usage: self.usage.usage(),
        };
        let metadata = metadata.build(&prepared.model, origin);
        let mut generations = self.candidates.into_iter().map(Growing::into_generation);
        let Some(first) = generations.next() else {
            let text = format!("the answer of {} has no candidates", origin.server);
            return Err(response_error(text, origin));
        };
        let mut response = ChatResponse::of(first, metadata);
        response.generations.extend(generations);
        Ok(response)
    }

    /// Why the answer ended, where no candidate says so.
    fn check_end(&self, origin: &Origin<'_>) -> Result<(), ModelError> {
        if !self.begun {
            return Err(ended_early(origin, "before anything had come"));
        }
        if let Some((reason, message)) = &self.blocked {
            return Err(blocked(reason, message, origin));
        }
        // A stream that is cut between two events ends as one that is complete.
        if !self.done {
            return Err(ended_early(origin, "before the answer was complete"));
        }
        Ok(())
    }
}

fn blocked(reason: &str, message: &str, origin: &Origin<'_>) -> ModelError {
    let message = origin.redactor.redact(message);
    let said = if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    };
    let server = origin.server;
    let text = format!("{server} blocked the prompt ({reason}){said}; change what is sent");
    let error = ModelError::new(ModelErrorKind::ContentFilter, text).with_code(reason);
    match origin.request_id {
        Some(id) => error.with_request_id(id),
        None => error,
    }
}

impl Growing {
    fn new(index: i64, turn: usize) -> Self {
        Self {
            index,
            pieces: Pieces::new(turn),
            finish: None,
            finish_message: None,
        }
    }

    fn take(&mut self, candidate: Candidate<'_>, prepared: &Prepared, events: &mut Events) {
        for part in candidate.content.iter().flat_map(|content| content.parts()) {
            self.take_part(part, prepared, events);
        }
        keep_last(&mut self.finish, candidate.finish_reason.as_deref());
        keep_last(
            &mut self.finish_message,
            candidate.finish_message.as_deref(),
        );
    }

    fn take_part(&mut self, raw: &RawValue, prepared: &Prepared, events: &mut Events) {
        let Ok(part) = serde_json::from_str::<PartFields<'_>>(raw.get()) else {
            return;
        };
        let thought = part.is_thought();
        let data = part.signature().and_then(signature_data);
        if let Some(call) = part.function_call {
            self.take_call(&call, data, prepared, events);
        } else if let Some(raw) = part.text {
            let text = self.pieces.seam(thought).read(raw).unwrap_or_default();
            self.take_text(&text, thought, data, events);
        } else if let Some(inline) = part.inline_data {
            let mime_type = inline.mime_type.unwrap_or_default();
            let media = Media::base64(&*mime_type, &*inline.data.unwrap_or_default());
            self.pieces.push_media(media, data);
        } else if says_something(raw) {
            self.pieces.push_opaque(part_data(raw));
        } else {
            self.pieces.push_text("", thought, data);
        }
    }

    fn take_text(
        &mut self,
        text: &str,
        thought: bool,
        data: Option<Box<RawValue>>,
        events: &mut Events,
    ) {
        self.pieces.push_text(text, thought, data);
        if !text.is_empty() {
            let text: Arc<str> = text.into();
            events.push_back(if thought {
                ModelEvent::ReasoningDelta(text)
            } else {
                ModelEvent::TextDelta(text)
            });
        }
    }

    /// Ends the texts.
    fn end(&mut self, events: &mut Events) {
        for thought in [true, false] {
            let rest = self.pieces.seam(thought).end();
            self.take_text(rest, thought, None, events);
        }
    }

    fn take_call(
        &mut self,
        call: &FunctionCall<'_>,
        data: Option<Box<RawValue>>,
        prepared: &Prepared,
        events: &mut Events,
    ) {
        let Some(wire) = call.name.as_deref().filter(|name| !name.is_empty()) else {
            return;
        };
        let name = meant_by(wire, &prepared.tools);
        let arguments = call.args.map(arguments_of).unwrap_or_default();
        let index = self.pieces.calls.len();
        self.pieces
            .push_call(call.id.as_deref(), name.clone(), &arguments, data);
        let id = self.pieces.calls.id(index).cloned();
        events.push_back(ModelEvent::ToolCallStarted { index, id, name });
        if !arguments.is_empty() {
            let arguments = arguments.into();
            events.push_back(ModelEvent::ToolCallDelta { index, arguments });
        }
    }

    fn into_generation(self) -> Generation {
        let finish = match self.finish.as_deref().and_then(reason) {
            // The server says that it stopped where it calls.
            Some(FinishReason::Stop) if !self.pieces.calls.is_empty() => {
                Some(FinishReason::ToolCalls)
            }
            other => other,
        };
        let parts = self.pieces.into_parts(finish.as_ref());
        let mut generation = Generation::new(Message::new(Role::Assistant, parts), finish);
        if let Some(message) = self.finish_message {
            let message = Value::from(&*message);
            generation
                .metadata
                .insert("finishMessage".to_owned(), message);
        }
        generation
    }
}

/// The reason by its name on the wire; one that is not specified says nothing.
fn reason(name: &str) -> Option<FinishReason> {
    Some(match name {
        "FINISH_REASON_UNSPECIFIED" => return None,
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION"
        | "MODEL_ARMOR" => FinishReason::ContentFilter,
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "MALFORMED_RESPONSE" => {
            FinishReason::Malformed
        }
        other => FinishReason::Other(other.into()),
    })
}

fn block_of(feedback: PromptFeedback<'_>) -> Option<(Box<str>, Box<str>)> {
    let reason = feedback.block_reason.filter(|reason| !reason.is_empty())?;
    let message = feedback.block_reason_message.unwrap_or_default();
    Some((reason.into(), message.into()))
}

/// Whether a part has more than its marks.
fn says_something(part: &RawValue) -> bool {
    let fields = serde_json::from_str::<BTreeMap<Cow<'_, str>, IgnoredAny>>(part.get());
    let is_mark = |name: &Cow<'_, str>| matches!(&**name, "thought" | "thoughtSignature");
    fields.is_ok_and(|fields| !fields.keys().all(is_mark))
}

/// An object as it is; a text that should hold one is taken out of its quotes.
fn arguments_of(raw: &RawValue) -> Cow<'_, str> {
    match raw.get() {
        "null" => Cow::Borrowed(""),
        other => json_text_of(raw).unwrap_or(Cow::Borrowed(other)),
    }
}

fn keep_first(place: &mut Option<Box<str>>, text: Option<&str>) {
    if place.is_none() {
        keep_last(place, text);
    }
}

fn keep_last(place: &mut Option<Box<str>>, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        *place = Some(text.into());
    }
}
