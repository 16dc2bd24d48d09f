//! A streamed answer, put together from its events.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::model::{ChatResponse, ModelError, ToolCallAccumulator};

use super::PROVIDER;
use super::answer::{Stop, StopFields, calls_of};
use super::growing::{Delta, Growing};
use super::request::Prepared;
use super::response::MessageFields;
use super::usage::UsageFields;
use crate::exchange::{
    Answer, ErrorPlace, Events, Origin, Progress, ResponseMetadataParts, check_count, ended_early,
    error_said, not_json,
};
use crate::http::SseEvent;
use crate::json::from_text;
use crate::json::lenient::{integer, object, text};

/// One event, as borrowed fields that may all be missing.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Fields<'a> {
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    kind: Option<Cow<'a, str>>,
    #[serde(deserialize_with = "integer")]
    index: Option<i64>,
    #[serde(borrow, deserialize_with = "object")]
    message: Option<MessageFields<'a>>,
    #[serde(borrow)]
    content_block: Option<&'a RawValue>,
    #[serde(borrow)]
    delta: Option<&'a RawValue>,
    #[serde(deserialize_with = "object")]
    usage: Option<UsageFields>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl<'a> Fields<'a> {
    fn delta<T: Default + Deserialize<'a>>(&self) -> T {
        let raw = self.delta.map(RawValue::get).unwrap_or_default();
        let object = Some(raw).filter(|raw| raw.starts_with('{'));
        object
            .and_then(|raw| serde_json::from_str(raw).ok())
            .unwrap_or_default()
    }
}

/// What has come of a streamed answer so far.
#[derive(Default)]
pub(super) struct Collector {
    begun: bool,
    done: bool,
    id: Option<Box<str>>,
    model: Option<Box<str>>,
    usage: UsageFields,
    stop: Stop,
    blocks: Vec<Growing>,
    calls: Option<ToolCallAccumulator>,
}

impl Collector {
    /// Whether a tool of the provider was at work.
    pub(super) fn has_acted(&self) -> bool {
        self.blocks.iter().any(Growing::is_of_server)
    }

    /// How far the answer has come.
    pub(super) fn progress(&self) -> Progress {
        if self.done {
            Progress::Done
        } else if self.stop.reason.is_some() {
            Progress::Ended
        } else {
            Progress::Open
        }
    }

    /// Takes one event; one of an unknown kind is passed over.
    pub(super) fn take(
        &mut self,
        event: SseEvent<'_>,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<(), ModelError> {
        let data = event.data.trim();
        if event.name == "error" {
            return Err(error_said(data, ErrorPlace::InStream, origin));
        }
        if !data.starts_with('{') {
            // Gateways end their streams with a word of their own, and show signs of life.
            self.done |= data == "[DONE]";
            return Ok(());
        }
        let mended = OnceCell::new();
        let fields: Fields<'_> = from_text(data, &mended)
            .map_err(|error| not_json("an event in the answer", data, &error, origin))?;
        let kind = fields.kind.as_deref().unwrap_or_default();
        if kind == "error" || (kind.is_empty() && fields.error.is_some()) {
            return Err(error_said(data, ErrorPlace::InStream, origin));
        }
        if kind == "message_start" && !self.blocks.is_empty() {
            // Half of one answer and another one are no answer.
            return Err(ended_early(
                origin,
                "in the middle of the answer, and another one began",
            ));
        }
        self.take_fields(kind, &fields, prepared, events);
        check_count(self.blocks.len(), "blocks", origin)
    }

    fn take_fields(
        &mut self,
        kind: &str,
        fields: &Fields<'_>,
        prepared: &Prepared,
        events: &mut Events,
    ) {
        match kind {
            "message_start" => self.take_message(fields, prepared, events),
            "content_block_start" => {
                if let Some(block) = fields.content_block {
                    self.begin(fields.index, block, prepared, events);
                }
            }
            "content_block_delta" => self.grow(fields, prepared, events),
            "content_block_stop" => self.end_block(fields.index, events),
            "message_delta" => {
                self.begun = true;
                self.stop.take(&fields.delta::<StopFields<'_>>());
                self.usage.take(fields.usage.unwrap_or_default());
            }
            "message_stop" => self.done = true,
            _ => {}
        }
    }

    fn take_message(&mut self, fields: &Fields<'_>, prepared: &Prepared, events: &mut Events) {
        let Some(message) = &fields.message else {
            return;
        };
        self.begun = true;
        keep_first(&mut self.id, message.id.as_deref());
        keep_first(&mut self.model, message.model.as_deref());
        self.usage.take(message.usage.unwrap_or_default());
        for (index, block) in (0..).zip(message.blocks().unwrap_or_default()) {
            self.begin(Some(index), block, prepared, events);
        }
    }

    fn begin(
        &mut self,
        index: Option<i64>,
        block: &RawValue,
        prepared: &Prepared,
        events: &mut Events,
    ) {
        self.begun = true;
        let index =
            index.unwrap_or_else(|| self.blocks.iter().map(|b| b.index + 1).max().unwrap_or(0));
        let calls = self.calls.get_or_insert_with(|| calls_of(prepared.turn));
        let growing = Growing::begin(index, block, calls, prepared, events);
        self.blocks.extend(growing);
    }

    fn grow(&mut self, fields: &Fields<'_>, prepared: &Prepared, events: &mut Events) {
        self.begun = true;
        let delta: Delta<'_> = fields.delta();
        let last = self.blocks.last().map_or(0, |block| block.index);
        let index = fields.index.unwrap_or(last);
        let known = |block: &Growing| block.index == index;
        if !self.blocks.iter().any(known) {
            self.blocks.extend(Growing::unannounced(index, &delta));
        }
        let calls = self.calls.get_or_insert_with(|| calls_of(prepared.turn));
        if let Some(block) = self.blocks.iter_mut().rfind(|block| known(block)) {
            block.take(&delta, calls, events);
        }
    }

    fn end_block(&mut self, index: Option<i64>, events: &mut Events) {
        let Some(calls) = &mut self.calls else { return };
        for block in self.blocks.iter_mut().filter(|b| Some(b.index) == index) {
            block.end(calls, events);
        }
    }

    /// The whole answer.
    ///
    /// # Errors
    /// The stream ended before the server said why the answer did.
    pub(super) fn finish(
        mut self,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<ChatResponse, ModelError> {
        if !self.begun {
            return Err(ended_early(origin, "before anything had come"));
        }
        if !self.done && self.stop.reason.is_none() {
            return Err(ended_early(origin, "before the answer was complete"));
        }
        let mut calls = self.calls.take().unwrap_or_else(|| calls_of(prepared.turn));
        for block in &mut self.blocks {
            block.end(&mut calls, events);
        }
        let metadata = ResponseMetadataParts {
            id: self.id.as_deref(),
            model: self.model.as_deref(),
            usage: self.usage.usage(),
        };
        let metadata = metadata.build(&prepared.model, origin);
        let mut answer = Answer::new(PROVIDER, calls, self.blocks.len());
        for block in self.blocks {
            block.finish(&mut answer);
        }
        Ok(ChatResponse::of(
            answer.into_generation(self.stop.reason, self.stop.facts),
            metadata,
        ))
    }
}

fn keep_first(place: &mut Option<Box<str>>, text: Option<&str>) {
    if place.is_none() {
        *place = text.filter(|text| !text.is_empty()).map(Box::from);
    }
}
