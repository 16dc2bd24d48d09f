//! A streamed answer, put together from its chunks.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::to_raw_value;
use vernal_core::message::{FinishReason, Usage};
use vernal_core::model::{
    ArgumentsDelta, ChatResponse, Generation, ModelError, ModelEvent, ToolCallDelta,
};

use super::answer::{Answer, Asked, arguments_of, content_of};
use super::custom;
use super::reasoning::{DetailMerger, in_fields, text_of_details};
use super::response::{check_error, respond};
use super::usage::usage_of;
use super::wire::{CallFields, Choice, Completion, MessageFields};
use crate::exchange::{
    ErrorPlace, Events, Origin, Progress, ResponseMetadataParts, ended_early, error_said, not_json,
};
use crate::http::SseEvent;
use crate::json::string_of;

/// What has come of a streamed answer so far.
#[derive(Default)]
pub(super) struct Collector {
    choices: Vec<Growing>,
    id: Option<Box<str>>,
    model: Option<Box<str>>,
    usage: Option<Usage>,
    done: bool,
}

/// One choice with what only a stream needs.
struct Growing {
    index: i64,
    answer: Answer<'static>,
    details: DetailMerger,
    /// The reasoning stands in a content that is a list.
    thinks_in_content: bool,
    /// How many calls were told to whoever watches.
    announced: usize,
    /// The calls of custom tools whose text is still growing: their positions, here and as the server
    /// counts.
    texts: Vec<(usize, Option<i64>)>,
}

impl Collector {
    /// How far the answer has come: every choice has its reason to end, or nothing follows.
    pub(super) fn progress(&self) -> Progress {
        let ended = |choice: &Growing| choice.answer.finish.is_some();
        if self.done {
            Progress::Done
        } else if self.choices.is_empty() || !self.choices.iter().all(ended) {
            Progress::Open
        } else if self.usage.is_some() {
            Progress::Settled
        } else {
            Progress::Ended
        }
    }

    /// Takes one event of the stream.
    pub(super) fn take(
        &mut self,
        event: SseEvent<'_>,
        asked: &Asked<'_>,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<(), ModelError> {
        let data = event.data.trim();
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        if event.name == "error" {
            return Err(error_said(data, ErrorPlace::InStream, origin));
        }
        if !data.starts_with('{') {
            // Signs of life have no object.
            return Ok(());
        }
        let chunk: Completion<'_> = serde_json::from_str(data)
            .map_err(|error| not_json("an event in the answer", data, &error, origin))?;
        check_error(&chunk, data, ErrorPlace::InStream, origin)?;
        keep_first(&mut self.id, chunk.id.as_deref());
        keep_first(&mut self.model, chunk.model.as_deref());
        self.usage = usage_of(&chunk).or(self.usage);
        for choice in chunk.choices.into_iter().flatten() {
            self.take_choice(choice, asked, events);
        }
        Ok(())
    }

    fn take_choice(&mut self, choice: Choice<'_>, asked: &Asked<'_>, events: &mut Events) {
        let index = choice.index.unwrap_or(0);
        let known = self
            .choices
            .iter()
            .position(|growing| growing.index == index);
        let position = known.unwrap_or_else(|| {
            self.choices.push(Growing::new(index, asked));
            self.choices.len() - 1
        });
        let mut unwatched = Events::new();
        // Only the first choice is told live; the others are in the whole answer.
        let events = if position == 0 {
            events
        } else {
            &mut unwatched
        };
        if let Some(growing) = self.choices.get_mut(position) {
            growing.take(choice, asked, events);
        }
    }

    /// The whole answer. `in_order` says that the server ended the stream as it should.
    ///
    /// # Errors
    /// Nothing came, or the stream ended within a tool call without a word of its end.
    pub(super) fn finish(
        mut self,
        asked: &Asked<'_>,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<ChatResponse, ModelError> {
        if self.choices.is_empty() && self.usage.is_none() {
            return Err(ended_early(origin, "before anything had come"));
        }
        let within_call = |growing: &Growing| {
            growing.answer.finish.is_none() && growing.answer.calls.has_incomplete_arguments()
        };
        if !self.done && self.choices.iter().any(within_call) {
            return Err(ended_early(origin, "within a tool call"));
        }
        // Some servers give no reason to end and some no mark of the end; one that gives neither was cut.
        let is_open = |growing: &Growing| growing.answer.finish.is_none();
        if !self.done && self.choices.iter().any(is_open) {
            return Err(ended_early(origin, "before the answer was complete"));
        }
        let mut unwatched = Events::new();
        for (position, choice) in self.choices.iter_mut().enumerate() {
            let is_first = position == 0;
            choice.end_texts(asked, if is_first { events } else { &mut unwatched });
        }
        if let Some(first) = self.choices.first_mut() {
            first.announce(usize::MAX, asked, events);
        }
        let metadata = ResponseMetadataParts {
            id: self.id.as_deref(),
            model: self.model.as_deref(),
            usage: self.usage,
        };
        let metadata = metadata.build(asked.model, origin);
        Ok(respond(self.choices, metadata, |growing| {
            growing.into_generation(asked)
        }))
    }
}

impl Growing {
    fn new(index: i64, asked: &Asked<'_>) -> Self {
        let mut answer = Answer::new(asked);
        // A name may still grow; it is read when all has come.
        answer.names_are_wire_names = true;
        let details = DetailMerger::default();
        Self {
            index,
            answer,
            details,
            thinks_in_content: false,
            announced: 0,
            texts: Vec::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.answer.text.is_empty() && self.answer.calls.is_empty()
    }

    fn take(&mut self, choice: Choice<'_>, asked: &Asked<'_>, events: &mut Events) {
        // Some servers send one chunk that is a whole answer.
        let whole = choice.message.filter(|_| self.is_empty());
        if let Some(delta) = &choice.delta.or(whole) {
            self.take_texts(delta, events);
            for call in &delta.tool_calls {
                self.take_call(call, asked, events);
            }
            self.take_rest(delta);
        }
        let filled = |text: Option<Cow<'_, str>>| {
            text.filter(|text| !text.is_empty())
                .map(|text| Cow::Owned(text.into_owned()))
        };
        let answer = &mut self.answer;
        answer.finish = filled(choice.finish_reason).or(answer.finish.take());
        answer.native_finish = filled(choice.native_finish_reason).or(answer.native_finish.take());
    }

    fn take_texts(&mut self, delta: &MessageFields<'_>, events: &mut Events) {
        let content = delta.content.map(content_of).unwrap_or_default();
        let (field, mut reasoning) = match in_fields(delta) {
            Some((field, text)) => (Some(field), text),
            None => (None, content.thinking),
        };
        if let Some(details) = delta.reasoning_details {
            self.details.add(details);
            if reasoning.is_empty() {
                reasoning = Cow::Owned(text_of_details(details).unwrap_or_default());
            }
        }
        if !content.chunks.is_empty() && field.is_none() {
            self.thinks_in_content = true;
        }
        self.answer.reasoning_field = self.answer.reasoning_field.or(field);
        if !reasoning.is_empty() {
            self.answer.reasoning.to_mut().push_str(&reasoning);
            events.push_back(ModelEvent::ReasoningDelta(reasoning.into()));
        }
        if !content.text.is_empty() {
            self.answer.text.to_mut().push_str(&content.text);
            events.push_back(ModelEvent::TextDelta(content.text.into()));
        }
    }

    fn take_call(&mut self, call: &CallFields<'_>, asked: &Asked<'_>, events: &mut Events) {
        let Some(function) = call.function() else {
            return;
        };
        let arguments = arguments_of(function);
        let delta = ToolCallDelta {
            index: call.index,
            id: call.id.as_deref(),
            name: function.name.as_deref(),
            arguments: arguments.as_delta(),
            provider_data: call.extra_content,
        };
        if call.is_custom() {
            self.take_text(delta, asked, events);
        } else {
            self.take_delta(delta, asked, events);
        }
    }

    /// Takes a piece of the text that a custom tool is called with: it grows inside the arguments.
    fn take_text(&mut self, delta: ToolCallDelta<'_>, asked: &Asked<'_>, events: &mut Events) {
        let text = match delta.arguments {
            ArgumentsDelta::None => "",
            ArgumentsDelta::Fragment(text) => text,
            ArgumentsDelta::Whole(raw) => raw.get(),
        };
        let bare = ToolCallDelta {
            arguments: ArgumentsDelta::None,
            provider_data: custom::mark(),
            ..delta
        };
        let Some(effect) = self.answer.calls.add(bare) else {
            return;
        };
        let is_new = !self.texts.iter().any(|(at, _)| *at == effect.index);
        let mut news = String::new();
        if is_new {
            self.texts.push((effect.index, delta.index));
            news.push_str(custom::BEFORE_TEXT);
        }
        custom::push_inside_string(&mut news, text);
        let more = ToolCallDelta {
            name: None,
            arguments: ArgumentsDelta::Fragment(&news),
            provider_data: None,
            ..delta
        };
        self.take_delta(more, asked, events);
    }

    /// Ends the texts for custom tools, unless they were cut.
    fn end_texts(&mut self, asked: &Asked<'_>, events: &mut Events) {
        if self.answer.finish_reason() == Some(FinishReason::Length) {
            return;
        }
        for (position, index) in std::mem::take(&mut self.texts) {
            let id = self.answer.calls.id(position).cloned();
            let end = ToolCallDelta {
                index,
                id: id.as_deref(),
                arguments: ArgumentsDelta::Fragment(custom::AFTER_TEXT),
                ..ToolCallDelta::default()
            };
            self.take_delta(end, asked, events);
        }
    }

    fn take_delta(&mut self, delta: ToolCallDelta<'_>, asked: &Asked<'_>, events: &mut Events) {
        let Some(effect) = self.answer.calls.add(delta) else {
            return;
        };
        let arguments = self
            .answer
            .calls
            .arguments(effect.index)
            .unwrap_or_default();
        let news: Arc<str> = arguments
            .get(effect.arguments_from..)
            .unwrap_or_default()
            .into();
        // A name that comes in pieces is whole when the arguments begin.
        if !asked.profile.name_fragments || !news.is_empty() {
            self.announce(effect.index + 1, asked, events);
        }
        if !news.is_empty() {
            events.push_back(ModelEvent::ToolCallDelta {
                index: effect.index,
                arguments: news,
            });
        }
    }

    /// Tells of the calls before `end` that were not told yet.
    fn announce(&mut self, end: usize, asked: &Asked<'_>, events: &mut Events) {
        let calls = &self.answer.calls;
        for index in self.announced..end.min(calls.len()) {
            let name = asked.tool_name(calls.name(index).unwrap_or_default());
            let id = calls.id(index).cloned();
            events.push_back(ModelEvent::ToolCallStarted { index, id, name });
            self.announced = index + 1;
        }
    }

    fn take_rest(&mut self, delta: &MessageFields<'_>) {
        let answer = &mut self.answer;
        if let Some(refusal) = delta
            .refusal
            .and_then(string_of)
            .filter(|text| !text.is_empty())
        {
            answer.refusal.to_mut().push_str(&refusal);
        }
        if answer.extra_content.is_none() {
            answer.extra_content = delta.extra_content.map(|raw| Cow::Owned(raw.to_owned()));
        }
        if let Some(function) = &delta.function_call {
            let (name, arguments) = answer.old_call.get_or_insert_default();
            name.to_mut()
                .push_str(function.name.as_deref().unwrap_or_default());
            arguments
                .to_mut()
                .push_str(&arguments_of(function).into_text());
        }
    }

    fn into_generation(mut self, asked: &Asked<'_>) -> Generation {
        self.answer.details = self.details.finish().map(Cow::Owned);
        if self.thinks_in_content && self.answer.reasoning_field.is_none() {
            let text = serde_json::json!({"type": "text", "text": &*self.answer.reasoning});
            let chunk = serde_json::json!([{"type": "thinking", "thinking": [text]}]);
            self.answer.thinking = to_raw_value(&chunk).ok();
        }
        self.answer.into_generation(asked)
    }
}

fn keep_first(place: &mut Option<Box<str>>, text: Option<&str>) {
    if place.is_none() {
        *place = text.filter(|text| !text.is_empty()).map(Box::from);
    }
}
