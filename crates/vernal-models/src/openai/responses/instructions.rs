//! The system messages that come first: instructions, or the first item where they are to be marked
//! for the provider's cache, for which instructions have no place.

use std::sync::Arc;

use vernal_core::message::{History, Message, Role};

use super::request::Encoded;
use crate::exchange::RequestFields;
use crate::json::JsonObject;
use crate::openai::cache::MARK;

/// How many messages of the system come first. Where there are no others, they are what is asked.
pub(super) fn instructing(messages: &History) -> usize {
    let is_system = |message: &&Arc<Message>| message.role() == Role::System;
    let first = messages.iter().take_while(is_system).count();
    if first == messages.len() { 0 } else { first }
}

/// Writes the texts as instructions.
pub(super) fn push_instructions(fields: &mut RequestFields<'_>, messages: &[Encoded<'_>]) {
    if texts(messages).next().is_some() {
        fields.ours("instructions", |place| push_texts(place, messages));
    }
}

/// The texts as a marked item; empty where there are none.
pub(super) fn marked_item(messages: &[Encoded<'_>]) -> String {
    let mut out = String::new();
    if texts(messages).next().is_none() {
        return out;
    }
    let mut item = JsonObject::begin(&mut out);
    item.string("type", "message");
    item.string("role", "system");
    let list = item.member("content");
    list.push('[');
    let mut piece = JsonObject::begin(list);
    piece.string("type", "input_text");
    push_texts(piece.member("text"), messages);
    piece.raw("prompt_cache_breakpoint", MARK);
    piece.end();
    list.push(']');
    item.end();
    out
}

/// The insides of the texts.
fn texts<'a>(messages: &'a [Encoded<'_>]) -> impl Iterator<Item = &'a str> {
    let inside = |(_, text): &'a Encoded<'_>| text.strip_prefix('"')?.strip_suffix('"');
    messages.iter().filter_map(inside)
}

/// One text, with a blank line between them.
fn push_texts(out: &mut String, messages: &[Encoded<'_>]) {
    out.push('"');
    for (position, text) in texts(messages).enumerate() {
        if position > 0 {
            out.push_str("\\n\\n");
        }
        out.push_str(text);
    }
    out.push('"');
}
