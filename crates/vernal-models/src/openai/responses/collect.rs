//! A streamed answer, put together from its events.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::model::{ChatResponse, ModelError};

use super::answer::{Answer, End};
use super::growing::{Growing, Piece};
use super::item::{CallKind, Item};
use super::request::Prepared;
use super::response::ResponseFields;
use super::usage::UsageFields;
use crate::exchange::{
    ErrorPlace, Events, Origin, Progress, ResponseMetadataParts, check_count, ended_early,
    error_said, not_json,
};
use crate::http::SseEvent;
use crate::json::from_text;
use crate::json::lenient::{integer, text};

/// One event, as borrowed fields that may all be missing.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Fields<'a> {
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    kind: Option<Cow<'a, str>>,
    #[serde(deserialize_with = "integer")]
    output_index: Option<i64>,
    #[serde(deserialize_with = "integer")]
    content_index: Option<i64>,
    #[serde(deserialize_with = "integer")]
    summary_index: Option<i64>,
    #[serde(borrow, deserialize_with = "text")]
    item_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    item: Option<&'a RawValue>,
    #[serde(borrow)]
    delta: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    refusal: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    response: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// What an event does to an item.
enum Change {
    Grow(Piece),
    End(Piece),
    Arguments(CallKind),
    EndArguments(CallKind),
}

impl Change {
    /// By the kind of the event; `None` for those that say nothing new.
    fn of(kind: &str) -> Option<Self> {
        Some(match kind.strip_prefix("response.")? {
            "output_text.delta" => Self::Grow(Piece::Text),
            "output_text.done" => Self::End(Piece::Text),
            "refusal.delta" => Self::Grow(Piece::Refusal),
            "refusal.done" => Self::End(Piece::Refusal),
            "reasoning_summary_text.delta" => Self::Grow(Piece::Summary),
            "reasoning_text.delta" => Self::Grow(Piece::Reasoning),
            "reasoning_summary_text.done" => Self::End(Piece::Summary),
            "reasoning_text.done" => Self::End(Piece::Reasoning),
            "function_call_arguments.delta" => Self::Arguments(CallKind::Function),
            "function_call_arguments.done" => Self::EndArguments(CallKind::Function),
            "custom_tool_call_input.delta" => Self::Arguments(CallKind::Custom),
            "custom_tool_call_input.done" => Self::EndArguments(CallKind::Custom),
            _ => return None,
        })
    }
}

/// What has come of a streamed answer so far.
#[derive(Default)]
pub(super) struct Collector {
    items: Vec<Growing>,
    /// How many calls were told to whoever watches.
    calls: usize,
    id: Option<Box<str>>,
    model: Option<Box<str>>,
    usage: UsageFields,
    end: End,
    /// The items as the end of the answer has them.
    output: Vec<Box<RawValue>>,
    done: bool,
}

impl Collector {
    /// Whether a tool of the provider was at work.
    pub(super) fn has_acted(&self) -> bool {
        self.items.iter().any(Growing::is_of_server)
    }

    /// How far the answer has come.
    pub(super) fn progress(&self) -> Progress {
        if self.done {
            Progress::Done
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
            self.done |= data == "[DONE]";
            return Ok(());
        }
        let mended = OnceCell::new();
        let fields: Fields<'_> = from_text(data, &mended)
            .map_err(|error| not_json("an event in the answer", data, &error, origin))?;
        let kind = fields.kind.as_deref().unwrap_or(event.name);
        match kind {
            "error" => return Err(error_said(data, ErrorPlace::InStream, origin)),
            "" | "message" if fields.error.is_some_and(|error| error.get() != "null") => {
                return Err(error_said(data, ErrorPlace::InStream, origin));
            }
            "response.created" if !self.items.is_empty() => {
                // Half of one answer and another one are no answer.
                return Err(ended_early(
                    origin,
                    "in the middle of the answer, and another one began",
                ));
            }
            "response.created" | "response.in_progress" | "response.queued" => {
                self.take_head(&fields);
            }
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled" => self.take_end(kind, &fields, data, origin)?,
            _ => self.take_item(kind, &fields, prepared, events),
        }
        check_count(self.items.len(), "items", origin)
    }

    fn take_head(&mut self, fields: &Fields<'_>) {
        let response = response_of(fields);
        keep_first(&mut self.id, response.id.as_deref());
        keep_first(&mut self.model, response.model.as_deref());
    }

    /// Takes the whole answer, as far as the server repeats it.
    fn take_end(
        &mut self,
        kind: &str,
        fields: &Fields<'_>,
        data: &str,
        origin: &Origin<'_>,
    ) -> Result<(), ModelError> {
        let response = response_of(fields);
        let raw = fields.response.map_or(data, RawValue::get);
        let failed = (kind == "response.failed").then_some(raw);
        if let Some(said) = response.failure(raw).or(failed) {
            return Err(error_said(said, ErrorPlace::InStream, origin));
        }
        self.take_head(fields);
        self.usage = response.usage.unwrap_or_default();
        let status = response.status.as_deref();
        let status = status.or_else(|| kind.strip_prefix("response."));
        self.end = End::of(status, response.incomplete_details);
        let items = response.items().unwrap_or_default();
        self.output = items.into_iter().map(RawValue::to_owned).collect();
        self.done = true;
        Ok(())
    }

    fn take_item(
        &mut self,
        kind: &str,
        fields: &Fields<'_>,
        prepared: &Prepared,
        events: &mut Events,
    ) {
        let change = match kind {
            "response.output_item.added" => return self.begin(fields, prepared, events),
            "response.output_item.done" => return self.end_item(fields, prepared, events),
            _ => Change::of(kind),
        };
        let Some(change) = change else { return };
        let Some(item) = self.item(fields) else {
            return;
        };
        let number = fields.summary_index.or(fields.content_index).unwrap_or(0);
        match change {
            Change::Grow(piece) => item.grow(piece, number, fields.delta, events),
            Change::End(piece) => {
                item.end_piece(piece, number, fields.text.or(fields.refusal), events);
            }
            Change::Arguments(call) => item.grow_arguments(fields.delta, call, events),
            Change::EndArguments(call) => {
                item.end_arguments(fields.arguments.or(fields.input), call, events);
            }
        }
    }

    fn begin(&mut self, fields: &Fields<'_>, prepared: &Prepared, events: &mut Events) {
        let Some(raw) = fields.item else { return };
        let item = Item::of(raw);
        let mut growing = Growing::new(fields.output_index, item.id.as_deref());
        growing.begin(raw, prepared, &mut self.calls, events);
        self.items.push(growing);
    }

    fn end_item(&mut self, fields: &Fields<'_>, prepared: &Prepared, events: &mut Events) {
        let Some(raw) = fields.item else { return };
        let item = Item::of(raw);
        let known = self.position(fields.output_index, item.id.as_deref(), Some(item.kind()));
        let at = known.unwrap_or_else(|| {
            self.items
                .push(Growing::new(fields.output_index, item.id.as_deref()));
            self.items.len() - 1
        });
        if let Some(growing) = self.items.get_mut(at) {
            growing.end(raw, prepared, &mut self.calls, events);
        }
    }

    /// The item that an event is about; one that was not announced begins here.
    fn item(&mut self, fields: &Fields<'_>) -> Option<&mut Growing> {
        let (index, id) = (fields.output_index, fields.item_id.as_deref());
        let known = match self.position(index, id, None) {
            None if index.is_none() && id.is_none() => self.items.len().checked_sub(1),
            known => known,
        };
        match known {
            Some(at) => self.items.get_mut(at),
            None => {
                self.items.push(Growing::new(index, id));
                self.items.last_mut()
            }
        }
    }

    /// Where the item with this place in the output or this id is. Some servers give an item another
    /// id with each event, and some give all items one place.
    fn position(&self, index: Option<i64>, id: Option<&str>, kind: Option<&str>) -> Option<usize> {
        let id = id.filter(|id| !id.is_empty());
        let same_id = |item: &Growing| id.is_some() && item.id.as_deref() == id;
        let open = |item: &Growing| item.done.is_none() && kind.is_none_or(|kind| item.is(kind));
        let same_place = |item: &Growing| index.is_some() && item.index == index;
        let both = self
            .items
            .iter()
            .rposition(|item| same_id(item) && same_place(item));
        both.or_else(|| self.items.iter().rposition(same_id))
            .or_else(|| {
                self.items
                    .iter()
                    .rposition(|item| same_place(item) && open(item))
            })
    }

    /// The whole answer.
    ///
    /// # Errors
    /// The stream ended before the server said that the answer did.
    pub(super) fn finish(
        mut self,
        prepared: &Prepared,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<ChatResponse, ModelError> {
        if !self.done {
            let nothing = self.items.is_empty() && self.id.is_none();
            let when = if nothing {
                "before anything had come"
            } else {
                "before the answer was complete"
            };
            return Err(ended_early(origin, when));
        }
        self.items
            .iter_mut()
            .for_each(|item| item.end_texts(events));
        self.merge_output(prepared, events);
        let mut answer = Answer::new(prepared, self.items.len());
        for item in self.items {
            item.finish(&mut answer, prepared);
        }
        let metadata = ResponseMetadataParts {
            id: self.id.as_deref(),
            model: self.model.as_deref(),
            usage: self.usage.usage(),
        };
        let metadata = metadata.build(&prepared.model, origin);
        let generation = answer.into_generation(self.end, self.id.as_deref(), prepared);
        Ok(ChatResponse::of(generation, metadata))
    }

    /// Puts the items in the order of the output that the end of the answer repeats, if it does. An
    /// item that was ended before is taken as it was then: its reasoning may be encrypted anew.
    fn merge_output(&mut self, prepared: &Prepared, events: &mut Events) {
        let ended = self.items.iter().filter(|item| item.done.is_some()).count();
        if self.output.len() < ended || self.output.is_empty() {
            self.items
                .sort_by_key(|item| item.index.unwrap_or(i64::MAX));
            return;
        }
        let mut ordered = Vec::with_capacity(self.output.len());
        for (index, raw) in (0..).zip(std::mem::take(&mut self.output)) {
            let item = Item::of(&raw);
            let same_id =
                |known: &Growing| item.id.is_some() && known.id.as_deref() == item.id.as_deref();
            let same_place = |known: &Growing| known.index == Some(index) && known.is(item.kind());
            let known = self.items.iter().position(same_id);
            let known = known.or_else(|| self.items.iter().position(same_place));
            let mut growing = match known {
                Some(at) => self.items.remove(at),
                None => Growing::new(Some(index), item.id.as_deref()),
            };
            if growing.done.is_none() {
                growing.end(&raw, prepared, &mut self.calls, events);
            }
            ordered.push(growing);
        }
        self.items = ordered;
    }
}

fn response_of<'a>(fields: &Fields<'a>) -> ResponseFields<'a> {
    let raw = fields.response.map(RawValue::get).unwrap_or_default();
    let object = Some(raw).filter(|raw| raw.starts_with('{'));
    object
        .and_then(|raw| serde_json::from_str(raw).ok())
        .unwrap_or_default()
}

fn keep_first(place: &mut Option<Box<str>>, text: Option<&str>) {
    if place.is_none() {
        *place = text.filter(|text| !text.is_empty()).map(Box::from);
    }
}
