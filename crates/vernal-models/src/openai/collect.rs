//! A streamed answer, put together from its chunks.

use std::cell::OnceCell;

use vernal_core::message::Usage;
use vernal_core::model::{ChatResponse, ModelError};

use super::answer::Asked;
use super::growing::Growing;
use super::response::{check_error, respond};
use super::usage::usage_of;
use super::wire::{Choice, Completion};
use crate::exchange::{
    ErrorPlace, Events, Origin, Progress, ResponseMetadataParts, check_count, ended_early,
    error_said, not_json,
};
use crate::http::SseEvent;
use crate::json::from_text;

/// What has come of a streamed answer so far.
#[derive(Default)]
pub(super) struct Collector {
    choices: Vec<Growing>,
    id: Option<Box<str>>,
    model: Option<Box<str>>,
    usage: Option<Usage>,
    done: bool,
}

impl Collector {
    /// How far the answer has come: every choice has its reason to end, or nothing follows.
    pub(super) fn progress(&self) -> Progress {
        let ended = |choice: &Growing| choice.answer.finish.is_some();
        if self.done {
            Progress::Done
        } else if self.choices.is_empty() || !self.choices.iter().all(ended) {
            Progress::Open
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
        let mended = OnceCell::new();
        let chunk: Completion<'_> = from_text(data, &mended)
            .map_err(|error| not_json("an event in the answer", data, &error, origin))?;
        check_error(&chunk, data, ErrorPlace::InStream, origin)?;
        keep_first(&mut self.id, chunk.id.as_deref());
        keep_first(&mut self.model, chunk.model.as_deref());
        self.usage = usage_of(&chunk).or(self.usage);
        for choice in chunk.choices.into_iter().flatten() {
            let calls = self.take_choice(choice, asked, events);
            check_count(calls, "tool calls", origin)?;
            check_count(self.choices.len(), "choices", origin)?;
        }
        Ok(())
    }

    /// Takes a piece of a choice and says how many calls the choice has.
    fn take_choice(&mut self, choice: Choice<'_>, asked: &Asked<'_>, events: &mut Events) -> usize {
        let index = choice.index.unwrap_or(0);
        let same = |growing: &Growing| growing.index == index;
        // Most servers count the choices in the order in which they begin.
        let likely = usize::try_from(index).unwrap_or(usize::MAX);
        let known = match self.choices.get(likely) {
            Some(growing) if same(growing) => Some(likely),
            _ => self.choices.iter().position(same),
        };
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
        let Some(growing) = self.choices.get_mut(position) else {
            return 0;
        };
        growing.take(choice, asked, events);
        growing.answer.calls.len()
    }

    /// The whole answer.
    ///
    /// # Errors
    /// No choice came, or the stream ended within a tool call without a word of its end.
    pub(super) fn finish(
        mut self,
        asked: &Asked<'_>,
        origin: &Origin<'_>,
        events: &mut Events,
    ) -> Result<ChatResponse, ModelError> {
        if self.choices.is_empty() && !self.done {
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
        let generations = self.choices.into_iter();
        let generations = generations.map(|growing| growing.into_generation(asked));
        respond(generations, metadata, origin)
    }
}

fn keep_first(place: &mut Option<Box<str>>, text: Option<&str>) {
    if place.is_none() {
        *place = text.filter(|text| !text.is_empty()).map(Box::from);
    }
}
