//! One item of a streamed answer while it grows, and what of it was told.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;
use vernal_core::model::ModelEvent;

use super::answer::Answer;
use super::item::{BETWEEN_PARTS, Call, CallKind, Item, Said, call_data};
use super::request::Prepared;
use crate::exchange::Events;
use crate::json::{Seam, is_filled, json_text_of};
use crate::openai::custom::{AFTER_TEXT, BEFORE_TEXT, push_inside_string};

/// What grows within an item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    Text,
    Refusal,
    /// A part of what reasoning shows of itself.
    Summary,
    /// The reasoning itself, where a server gives it.
    Reasoning,
}

impl Piece {
    /// What says the same in other words: one of the two is told.
    fn instead_of(self) -> Option<Self> {
        match self {
            Self::Summary => Some(Self::Reasoning),
            Self::Reasoning => Some(Self::Summary),
            _ => None,
        }
    }
}

/// A piece with the number that the server gives it.
struct GrowingPiece {
    piece: Piece,
    number: i64,
    text: String,
    seam: Seam,
}

/// An item and what came of it.
#[derive(Default)]
pub(super) struct Growing {
    /// Its place in the output, and its id, as far as the server named them.
    pub(super) index: Option<i64>,
    pub(super) id: Option<Box<str>>,
    /// The item as it began.
    start: Option<Box<RawValue>>,
    /// The item as the server ended it.
    pub(super) done: Option<Box<RawValue>>,
    pieces: Vec<GrowingPiece>,
    arguments: String,
    /// Where the plain text for a custom tool goes on.
    seam: Seam,
    /// Which call of the answer it is, once it was told.
    call: Option<usize>,
    /// Whether plain text is being told as the argument of a custom tool.
    custom: bool,
    /// Whether the arguments were told to their end.
    ended: bool,
}

impl Growing {
    pub(super) fn new(index: Option<i64>, id: Option<&str>) -> Self {
        Self {
            index,
            id: id.map(Box::from),
            ..Self::default()
        }
    }

    /// Whether this is the item of that kind.
    pub(super) fn is(&self, kind: &str) -> bool {
        self.whole().is_some_and(|raw| Item::of(raw).kind() == kind)
    }

    /// Whether this is the work of a tool that the provider runs.
    pub(super) fn is_of_server(&self) -> bool {
        const RUN_BY_THE_SERVER: [&str; 5] = [
            "mcp_call",
            "web_search_call",
            "file_search_call",
            "code_interpreter_call",
            "image_generation_call",
        ];
        self.whole()
            .is_some_and(|raw| RUN_BY_THE_SERVER.contains(&Item::of(raw).kind()))
    }

    fn whole(&self) -> Option<&RawValue> {
        self.done.as_deref().or(self.start.as_deref())
    }

    /// Takes the item as it begins. `calls` counts the calls that were told.
    pub(super) fn begin(
        &mut self,
        raw: &RawValue,
        prepared: &Prepared,
        calls: &mut usize,
        events: &mut Events,
    ) {
        self.start = Some(raw.to_owned());
        if let Some(call) = Item::of(raw).call() {
            self.tell_call(&call, prepared, calls, events);
        }
    }

    /// Takes more of a piece, a string.
    pub(super) fn grow(
        &mut self,
        piece: Piece,
        number: i64,
        more: Option<&RawValue>,
        events: &mut Events,
    ) {
        let Some(more) = more.filter(|raw| is_filled(raw)) else {
            return;
        };
        let Some(at) = self.place(piece, number) else {
            return;
        };
        let growing = self.pieces.get_mut(at);
        let text = growing.and_then(|growing| growing.seam.read(more));
        self.tell_piece(at, &text.unwrap_or_default(), events);
    }

    /// Where a piece is, which may begin here; `None` where another says the same.
    fn place(&mut self, piece: Piece, number: i64) -> Option<usize> {
        let says_the_same = |known: &GrowingPiece| Some(known.piece) == piece.instead_of();
        if self.pieces.iter().any(says_the_same) {
            return None;
        }
        let same = |known: &GrowingPiece| known.piece == piece && known.number == number;
        let known = self.pieces.iter().rposition(same);
        Some(known.unwrap_or_else(|| {
            self.pieces.push(GrowingPiece {
                piece,
                number,
                text: String::new(),
                seam: Seam::default(),
            });
            self.pieces.len() - 1
        }))
    }

    fn tell_piece(&mut self, at: usize, more: &str, events: &mut Events) {
        let (before, from) = self.pieces.split_at_mut(at);
        let Some(growing) = from.first_mut().filter(|_| !more.is_empty()) else {
            return;
        };
        let begins = growing.text.is_empty();
        growing.text.push_str(more);
        match growing.piece {
            Piece::Text => events.push_back(ModelEvent::TextDelta(more.into())),
            Piece::Summary | Piece::Reasoning => {
                let follows = begins && before.iter().any(|known| known.piece == growing.piece);
                let more = if follows {
                    format!("{BETWEEN_PARTS}{more}").into()
                } else {
                    more.into()
                };
                events.push_back(ModelEvent::ReasoningDelta(more));
            }
            Piece::Refusal => {}
        }
    }

    /// Takes a piece that the server says once more, or for the first time, when it ends.
    pub(super) fn end_piece(
        &mut self,
        piece: Piece,
        number: i64,
        text: Option<&RawValue>,
        events: &mut Events,
    ) {
        let same = |known: &GrowingPiece| known.piece == piece && known.number == number;
        if !self.pieces.iter().any(same) {
            self.grow(piece, number, text, events);
        }
        if let Some(at) = self.pieces.iter().rposition(same) {
            self.end_text(at, events);
        }
    }

    /// Ends the pieces that have come.
    pub(super) fn end_texts(&mut self, events: &mut Events) {
        for at in 0..self.pieces.len() {
            self.end_text(at, events);
        }
    }

    fn end_text(&mut self, at: usize, events: &mut Events) {
        let rest = self.pieces.get_mut(at).map(|growing| growing.seam.end());
        self.tell_piece(at, rest.unwrap_or_default(), events);
    }

    /// Takes more of the arguments, or of the plain text for a custom tool.
    pub(super) fn grow_arguments(
        &mut self,
        more: Option<&RawValue>,
        kind: CallKind,
        events: &mut Events,
    ) {
        let more = more.filter(|raw| is_filled(raw) && !self.ended);
        let Some(more) = more else { return };
        let is_custom = kind == CallKind::Custom;
        let news = if is_custom {
            let mut news = String::new();
            if !self.custom {
                news.push_str(BEFORE_TEXT);
            }
            push_inside_string(&mut news, &self.seam.read(more).unwrap_or_default());
            Cow::Owned(news)
        } else {
            json_text_of(more).unwrap_or_default()
        };
        self.custom |= is_custom;
        self.tell_arguments(&news, events);
    }

    /// Takes the arguments that the server says once more, or for the first time, at their end.
    pub(super) fn end_arguments(
        &mut self,
        whole: Option<&RawValue>,
        kind: CallKind,
        events: &mut Events,
    ) {
        if self.arguments.is_empty() {
            self.grow_arguments(whole, kind, events);
        }
        if self.custom && !self.ended {
            let rest = [self.seam.end(), AFTER_TEXT].concat();
            self.tell_arguments(&rest, events);
        }
        self.ended = true;
    }

    fn tell_arguments(&mut self, news: &str, events: &mut Events) {
        self.arguments.push_str(news);
        // What was not announced is told when the item ends.
        if let Some(index) = self.call {
            let arguments = news.into();
            events.push_back(ModelEvent::ToolCallDelta { index, arguments });
        }
    }

    /// Takes the item as it ended and tells what was not told of it.
    pub(super) fn end(
        &mut self,
        raw: &RawValue,
        prepared: &Prepared,
        calls: &mut usize,
        events: &mut Events,
    ) {
        self.done = Some(raw.to_owned());
        let item = Item::of(raw);
        if let Some(call) = item.call() {
            self.tell_call(&call, prepared, calls, events);
            if self.custom {
                self.end_arguments(None, CallKind::Custom, events);
            } else if self.arguments.is_empty() && !call.arguments.is_empty() {
                self.tell_arguments(&call.arguments, events);
            }
            self.ended = true;
            return;
        }
        if !self.pieces.is_empty() {
            return self.end_texts(events);
        }
        let mut tell = |piece, number, text: &str| {
            let place = self.place(piece, number).filter(|_| !text.is_empty());
            if let Some(at) = place {
                self.tell_piece(at, text, events);
            }
        };
        match item.kind() {
            "message" => {
                for (number, said) in (0..).zip(item.said()) {
                    match said {
                        Said::Text(text) => tell(Piece::Text, number, &text),
                        Said::Refusal(text) => tell(Piece::Refusal, number, &text),
                    }
                }
            }
            "reasoning" => tell(Piece::Reasoning, 0, &item.reasoning()),
            _ => {}
        }
    }

    fn tell_call(
        &mut self,
        call: &Call<'_>,
        prepared: &Prepared,
        calls: &mut usize,
        events: &mut Events,
    ) {
        if self.call.is_some() {
            return;
        }
        let index = *calls;
        *calls += 1;
        self.call = Some(index);
        let id = call.id.as_deref().map(Arc::from);
        let name = prepared.tool_name(&call.name);
        events.push_back(ModelEvent::ToolCallStarted { index, id, name });
        if !self.arguments.is_empty() {
            let arguments = self.arguments.as_str().into();
            events.push_back(ModelEvent::ToolCallDelta { index, arguments });
        }
    }

    /// Puts the item in its place in the answer.
    pub(super) fn finish(self, answer: &mut Answer, prepared: &Prepared) {
        if let Some(raw) = &self.done {
            return answer.item(raw, prepared);
        }
        let start = self.start.as_deref();
        let item = start.map(Item::of).unwrap_or_default();
        if let (Some(call), Some(start)) = (item.call(), start) {
            let data = call_data(start, call.kind);
            let arguments = match self.arguments.is_empty() {
                true => call.arguments.into_owned(),
                false => self.arguments,
            };
            let name = prepared.tool_name(&call.name);
            return answer.call(call.id.as_deref(), name, arguments, data.as_deref());
        }
        if self.pieces.is_empty() {
            // Reasoning that never ended cannot be read back, and a message said nothing.
            let is_whole = !matches!(item.kind(), "" | "message" | "reasoning");
            start
                .filter(|_| is_whole)
                .into_iter()
                .for_each(|raw| answer.opaque(raw));
            return;
        }
        let mut reasoning = String::new();
        let mut said = Vec::new();
        for GrowingPiece { piece, text, .. } in self.pieces {
            match piece {
                Piece::Text => said.push(Said::Text(text.into())),
                Piece::Refusal => said.push(Said::Refusal(text.into())),
                Piece::Summary | Piece::Reasoning => {
                    if !reasoning.is_empty() {
                        reasoning.push_str(BETWEEN_PARTS);
                    }
                    reasoning.push_str(&text);
                }
            }
        }
        answer.reasoning(reasoning.into(), None);
        answer.said(said, None);
    }
}
