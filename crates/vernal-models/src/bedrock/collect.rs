//! A streamed answer, put together from its events.

use std::cell::OnceCell;

use serde::Deserialize;
use vernal_core::model::{ChatResponse, ModelError, ToolCallAccumulator};

use super::PROVIDER;
use super::failure::stream_failure;
use super::growing::{Delta, Growing, Start};
use super::request::Prepared;
use super::response::{calls_of, response_of};
use super::stop::{Stop, StopFields};
use crate::exchange::{Answer, Events, Origin, Progress, check_count, ended_early, not_json};
use crate::http::SseEvent;
use crate::json::from_text;
use crate::json::lenient::{integer, object};

/// An event about a block.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct BlockFields<'a> {
    #[serde(deserialize_with = "integer")]
    content_block_index: Option<i64>,
    #[serde(borrow, deserialize_with = "object")]
    start: Option<Start<'a>>,
    #[serde(borrow, deserialize_with = "object")]
    delta: Option<Delta<'a>>,
}

/// What has come of a streamed answer so far.
#[derive(Default)]
pub(super) struct Collector {
    begun: bool,
    stop: Stop,
    blocks: Vec<Growing>,
    calls: Option<ToolCallAccumulator>,
}

impl Collector {
    /// Whether a tool of the provider was at work.
    pub(super) fn has_acted(&self) -> bool {
        self.blocks.iter().any(Growing::is_of_server)
    }

    /// How far the answer has come. The usage is told last, if at all.
    pub(super) fn progress(&self) -> Progress {
        match (&self.stop.reason, &self.stop.usage) {
            (Some(_), Some(_)) => Progress::Done,
            (Some(_), None) => Progress::Ended,
            (None, _) => Progress::Open,
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
        if event.fault {
            return Err(stream_failure(event, origin));
        }
        let mended = OnceCell::new();
        match event.name {
            "messageStart" if !self.blocks.is_empty() => {
                // Half of one answer and another one are no answer.
                return Err(ended_early(
                    origin,
                    "in the middle of the answer, and another one began",
                ));
            }
            "messageStart" => self.begun = true,
            "contentBlockStart" | "contentBlockDelta" => {
                self.take_block(&read(event.data, &mended, origin)?, prepared, events);
                check_count(self.blocks.len(), "blocks", origin)?;
            }
            "messageStop" | "metadata" => {
                self.begun = true;
                let fields: StopFields<'_> = read(event.data, &mended, origin)?;
                self.stop.take(&fields);
            }
            _ => {}
        }
        Ok(())
    }

    fn take_block(&mut self, fields: &BlockFields<'_>, prepared: &Prepared, events: &mut Events) {
        self.begun = true;
        let calls = self.calls.get_or_insert_with(|| calls_of(prepared.turn));
        let last = self.blocks.last().map(|block| block.index);
        if let Some(start) = &fields.start {
            let next = last.map_or(0, |last| last.saturating_add(1));
            let index = fields.content_block_index.unwrap_or(next);
            self.blocks
                .extend(Growing::begin(index, start, calls, prepared, events));
        }
        if let Some(delta) = &fields.delta {
            let index = fields.content_block_index.or(last).unwrap_or(0);
            let known = |block: &Growing| block.index == index;
            if !self.blocks.iter().any(known) {
                self.blocks.extend(Growing::unannounced(index, delta));
            }
            if let Some(block) = self.blocks.iter_mut().rfind(|block| known(block)) {
                block.take(delta, calls, events);
            }
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
        if self.stop.reason.is_none() {
            return Err(ended_early(origin, "before the answer was complete"));
        }
        let calls = self.calls.take().unwrap_or_else(|| calls_of(prepared.turn));
        let mut answer = Answer::new(PROVIDER, calls, self.blocks.len());
        for mut block in self.blocks {
            block.end(events);
            block.finish(&mut answer);
        }
        Ok(response_of(answer, self.stop, prepared, origin))
    }
}

fn read<'a, T: Deserialize<'a>>(
    data: &'a str,
    mended: &'a OnceCell<String>,
    origin: &Origin<'_>,
) -> Result<T, ModelError> {
    from_text(data, mended)
        .map_err(|error| not_json("an event in the answer", data, &error, origin))
}
