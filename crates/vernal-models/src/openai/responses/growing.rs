//! One item of a streamed answer while it grows, and what of it was told.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;
use vernal_core::model::ModelEvent;

use super::answer::Answer;
use super::item::{BETWEEN_PARTS, Call, CallKind, Item, Said, call_data};
use super::request::Prepared;
use crate::exchange::Events;
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
    /// The pieces with the numbers that the server gives them.
    pieces: Vec<(Piece, i64, String)>,
    arguments: String,
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

    /// Takes more of a piece.
    pub(super) fn grow(&mut self, piece: Piece, number: i64, more: &str, events: &mut Events) {
        let has = |wanted: Piece| self.pieces.iter().any(|(known, _, _)| *known == wanted);
        if more.is_empty() || piece.instead_of().is_some_and(has) {
            return;
        }
        let before = has(piece);
        let known = |(p, n, _): &&mut (Piece, i64, String)| *p == piece && *n == number;
        let begins = match self.pieces.iter_mut().rfind(known) {
            Some((_, _, text)) => {
                text.push_str(more);
                false
            }
            None => {
                self.pieces.push((piece, number, more.to_owned()));
                before
            }
        };
        match piece {
            Piece::Text => events.push_back(ModelEvent::TextDelta(more.into())),
            Piece::Summary | Piece::Reasoning if begins => {
                let more = format!("{BETWEEN_PARTS}{more}");
                events.push_back(ModelEvent::ReasoningDelta(more.into()));
            }
            Piece::Summary | Piece::Reasoning => {
                events.push_back(ModelEvent::ReasoningDelta(more.into()));
            }
            Piece::Refusal => {}
        }
    }

    /// Takes a piece that the server says once more, or for the first time, when it ends.
    pub(super) fn end_piece(&mut self, piece: Piece, number: i64, text: &str, events: &mut Events) {
        let known = |(p, n, _): &(Piece, i64, String)| *p == piece && *n == number;
        if !self.pieces.iter().any(known) {
            self.grow(piece, number, text, events);
        }
    }

    /// Takes more of the arguments, or of the plain text for a custom tool.
    pub(super) fn grow_arguments(&mut self, more: &str, kind: CallKind, events: &mut Events) {
        if more.is_empty() || self.ended {
            return;
        }
        let is_custom = kind == CallKind::Custom;
        let news = if is_custom {
            let mut news = String::new();
            if !self.custom {
                news.push_str(BEFORE_TEXT);
            }
            push_inside_string(&mut news, more);
            Cow::Owned(news)
        } else {
            Cow::Borrowed(more)
        };
        self.custom |= is_custom;
        self.tell_arguments(&news, events);
    }

    /// Takes the arguments that the server says once more, or for the first time, at their end.
    pub(super) fn end_arguments(&mut self, whole: &str, kind: CallKind, events: &mut Events) {
        if self.arguments.is_empty() {
            self.grow_arguments(whole, kind, events);
        }
        if self.custom && !self.ended {
            self.tell_arguments(AFTER_TEXT, events);
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
                self.end_arguments("", CallKind::Custom, events);
            } else if self.arguments.is_empty() && !call.arguments.is_empty() {
                self.tell_arguments(&call.arguments, events);
            }
            self.ended = true;
            return;
        }
        if !self.pieces.is_empty() {
            return;
        }
        match item.kind() {
            "message" => {
                for (number, said) in (0..).zip(item.said()) {
                    match said {
                        Said::Text(text) => self.grow(Piece::Text, number, &text, events),
                        Said::Refusal(text) => self.grow(Piece::Refusal, number, &text, events),
                    }
                }
            }
            "reasoning" => self.grow(Piece::Reasoning, 0, &item.reasoning(), events),
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
        for (piece, _, text) in self.pieces {
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
