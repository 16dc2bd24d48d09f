//! What is kept of a part for its way back, and the message that the parts become.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::{FinishReason, Media, Part, PartContent, ProviderData};
use vernal_core::model::ToolCallAccumulator;

use super::PROVIDER;
use crate::json::Seam;

/// The provider's data on a part: a signature, or the whole of a part that only the server knows.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Kept<'a> {
    #[serde(borrow)]
    thought_signature: Option<&'a RawValue>,
    #[serde(borrow)]
    part: Option<&'a RawValue>,
}

impl<'a> Kept<'a> {
    /// What this provider left on a part. Stored messages come from outside: anything of another kind
    /// than was kept counts as nothing.
    pub(super) fn of(part: &'a Part) -> Self {
        let data = part.provider_data(PROVIDER).map(RawValue::get);
        data.and_then(|data| serde_json::from_str(data).ok())
            .unwrap_or_default()
    }

    pub(super) fn signature(&self) -> Option<&'a RawValue> {
        self.thought_signature
            .filter(|signature| signature.get().starts_with('"'))
    }

    pub(super) fn part(&self) -> Option<&'a RawValue> {
        self.part.filter(|part| part.get().starts_with('{'))
    }
}

/// The data to keep of a signature.
pub(super) fn signature_data(signature: &RawValue) -> Option<Box<RawValue>> {
    RawValue::from_string(format!(r#"{{"thoughtSignature":{signature}}}"#)).ok()
}

/// The data to keep of a part that only the server knows.
pub(super) fn part_data(part: &RawValue) -> Option<Box<RawValue>> {
    RawValue::from_string(format!(r#"{{"part":{part}}}"#)).ok()
}

/// A part of an answer that is still growing.
enum Piece {
    Text {
        text: String,
        thought: bool,
    },
    Media(Media),
    /// The next of the calls, which are collected elsewhere.
    Call,
    Opaque,
}

/// The parts of an answer as far as they have come.
pub(super) struct Pieces {
    pieces: Vec<(Piece, Option<Box<RawValue>>)>,
    /// Where the text goes on, and where the thoughts do.
    seams: [Seam; 2],
    pub(super) calls: ToolCallAccumulator,
}

impl Pieces {
    /// Whether a tool of the provider was at work: code that it ran stands in a part of its own.
    pub(super) fn has_acted(&self) -> bool {
        let runs = |data: &RawValue| data.get().contains("\"executableCode\"");
        let mut pieces = self.pieces.iter();
        pieces.any(|(piece, data)| {
            matches!(piece, Piece::Opaque) && data.as_deref().is_some_and(runs)
        })
    }

    pub(super) fn new(turn: usize) -> Self {
        Self {
            pieces: Vec::new(),
            seams: [Seam::default(); 2],
            calls: ToolCallAccumulator::new(PROVIDER).with_turn(turn),
        }
    }

    pub(super) fn seam(&mut self, thought: bool) -> &mut Seam {
        let [text, thoughts] = &mut self.seams;
        if thought { thoughts } else { text }
    }

    /// Adds text to the last piece, unless it is of another kind or one of the two is signed.
    pub(super) fn push_text(&mut self, news: &str, thought: bool, data: Option<Box<RawValue>>) {
        match self.pieces.last_mut() {
            Some((Piece::Text { text, thought: of }, None)) if *of == thought && data.is_none() => {
                text.push_str(news);
            }
            _ if news.is_empty() => {
                // A signature may come alone, at the end.
                if data.is_some() {
                    self.pieces.push((Piece::Opaque, data));
                }
            }
            _ => {
                let text = news.to_owned();
                self.pieces.push((Piece::Text { text, thought }, data));
            }
        }
    }

    pub(super) fn push_media(&mut self, media: Media, data: Option<Box<RawValue>>) {
        self.pieces.push((Piece::Media(media), data));
    }

    pub(super) fn push_opaque(&mut self, data: Option<Box<RawValue>>) {
        self.pieces.push((Piece::Opaque, data));
    }

    /// Adds a call, which comes whole.
    pub(super) fn push_call(
        &mut self,
        id: Option<&str>,
        name: Arc<str>,
        arguments: &str,
        data: Option<Box<RawValue>>,
    ) {
        self.calls.add_whole(id, name, arguments, data.as_deref());
        self.pieces.push((Piece::Call, None));
    }

    pub(super) fn into_parts(self, finish: Option<&FinishReason>) -> Vec<Part> {
        let mut calls = self.calls.finish(finish).into_iter();
        let mut parts = Vec::with_capacity(self.pieces.len());
        for (piece, data) in self.pieces {
            let content = match piece {
                Piece::Call => {
                    parts.extend(calls.next());
                    continue;
                }
                Piece::Text {
                    text,
                    thought: true,
                } => PartContent::Reasoning(text.into()),
                Piece::Text { text, .. } => PartContent::Text(text.into()),
                Piece::Media(media) => PartContent::Media(media),
                Piece::Opaque => PartContent::Opaque,
            };
            let part = Part::from(content);
            parts.push(match data {
                Some(data) => part.with_provider_data(ProviderData::new(PROVIDER, data)),
                None => part,
            });
        }
        parts
    }
}
