//! Messages as blocks of content. Each message is written once and then copied (design rule 7).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::{
    DialectKey, Media, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse,
};

use super::PROVIDER;
use super::media::push_media;
use crate::exchange::{Place, TextWriter, estimate};
use crate::json::lenient::text;
use crate::json::{JsonObject, string_of};
use crate::wire_names::wire_name;

/// What the data of a part may say to us; a whole block has a type.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Data<'a> {
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    caller: Option<&'a RawValue>,
    #[serde(borrow)]
    cache_control: Option<&'a RawValue>,
}

impl<'a> Data<'a> {
    fn of(part: &'a Part) -> Self {
        let data = part.provider_data(PROVIDER).map(RawValue::get);
        let object = data.filter(|data| data.starts_with('{'));
        object
            .and_then(|data| serde_json::from_str(data).ok())
            .unwrap_or_default()
    }

    fn push_mark(&self, block: &mut JsonObject<'_>) {
        if let Some(mark) = self.cache_control {
            block.raw("cache_control", mark);
        }
    }
}

/// The blocks of a message, with commas between them; empty where there are none.
pub(super) fn encode(message: &Message) -> String {
    let mut blocks = Blocks(String::with_capacity(estimate(message)));
    match message.role() {
        Role::Assistant => push_assistant(&mut blocks, message),
        Role::Tool => {
            for part in message.parts() {
                if let PartContent::ToolResponse(response) = &part.content {
                    push_result(blocks.place(), part, response);
                }
            }
        }
        role => {
            for part in message.parts() {
                push_spoken(&mut blocks, role, part);
            }
        }
    }
    blocks.0
}

/// Blocks that are being written: puts the commas.
struct Blocks(String);

impl Blocks {
    fn place(&mut self) -> &mut String {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        &mut self.0
    }

    /// Blank texts are refused by the server.
    fn text(&mut self, text: &str, data: &Data<'_>) {
        if !text.trim().is_empty() {
            push_text(self.place(), text, data);
        }
    }

    /// Stands for what cannot be sent in this place.
    fn note(&mut self, media: &Media, role: Role) {
        let note = Place::of(PROVIDER, role).note(media);
        self.text(&note, &Data::default());
    }

    /// A block as it once came. It cannot be a call or a result, which have to match each other.
    fn verbatim(&mut self, part: &Part, data: &Data<'_>) {
        let is_block = !matches!(
            data.kind.as_deref(),
            None | Some("tool_use" | "tool_result")
        );
        if let Some(raw) = part.provider_data(PROVIDER).filter(|_| is_block) {
            self.place().push_str(raw.get());
        }
    }
}

fn push_text(out: &mut String, text: &str, data: &Data<'_>) {
    let mut block = JsonObject::begin(out);
    block.string("type", "text");
    block.string("text", text);
    data.push_mark(&mut block);
    block.end();
}

/// A part of a message of the user or of the system.
fn push_spoken(blocks: &mut Blocks, role: Role, part: &Part) {
    let data = Data::of(part);
    match &part.content {
        PartContent::Text(text) => blocks.text(text, &data),
        // The system's texts are nothing but texts.
        PartContent::Media(media) if role == Role::System => blocks.note(media, role),
        PartContent::Media(media) => {
            let mut block = JsonObject::begin(blocks.place());
            push_media(&mut block, media, Place::of(PROVIDER, role));
            data.push_mark(&mut block);
            block.end();
        }
        PartContent::Opaque => blocks.verbatim(part, &data),
        _ => {}
    }
}

/// What came from Anthropic keeps its order; of other messages, the calls go to the end.
fn push_assistant(blocks: &mut Blocks, message: &Message) {
    let is_call = |part: &&Part| matches!(part.content, PartContent::ToolCall(_));
    let ours = |part: &Part| part.provider_data(PROVIDER).is_some();
    let parts = message.parts();
    if parts.iter().any(ours) {
        return parts.iter().for_each(|part| push_said(blocks, part));
    }
    for part in parts.iter().filter(|part| !is_call(part)) {
        push_said(blocks, part);
    }
    for part in parts.iter().filter(is_call) {
        push_said(blocks, part);
    }
}

/// A part of a message of the model.
fn push_said(blocks: &mut Blocks, part: &Part) {
    let data = Data::of(part);
    match &part.content {
        PartContent::Text(text) => {
            let unchanged = data.text.and_then(string_of).is_some_and(|t| *t == **text);
            if data.kind.as_deref() == Some("text") && unchanged {
                blocks.verbatim(part, &data);
            } else {
                blocks.text(text, &data);
            }
        }
        PartContent::Refusal(text) => blocks.text(text, &data),
        PartContent::Reasoning(_) | PartContent::Opaque => blocks.verbatim(part, &data),
        PartContent::ToolCall(call) => push_call(blocks.place(), call, &data),
        PartContent::Media(media) => blocks.note(media, Role::Assistant),
        _ => {}
    }
}

fn push_call(out: &mut String, call: &ToolCall, data: &Data<'_>) {
    let mut block = JsonObject::begin(out);
    block.string("type", "tool_use");
    block.string("id", &wire_id(&call.id));
    block.string("name", &wire_name(&call.name));
    block.raw("input", call.arguments.as_valid_object());
    if let Some(caller) = data.caller {
        block.raw("caller", caller);
    }
    data.push_mark(&mut block);
    block.end();
}

/// A text in the place of a block, whose mark for the cache it keeps.
pub(super) const TEXT: TextWriter = |out, text, block| {
    let data = serde_json::from_str(block.get()).unwrap_or_default();
    push_text(out, text, &data);
};

/// The result of a call.
fn push_result(out: &mut String, part: &Part, response: &ToolResponse) {
    let data = Data::of(part);
    let mut block = JsonObject::begin(out);
    block.string("type", "tool_result");
    block.string("tool_use_id", &wire_id(&response.call_id));
    let media = |content: &ToolContent| matches!(content, ToolContent::Media(_));
    if let Some(content) = data.content {
        block.raw("content", content);
    } else if response.content.iter().any(media) {
        let place = Place::result(PROVIDER, response);
        push_list(block.member("content"), &response.content, place);
    } else {
        let text = response.text();
        if !text.trim().is_empty() {
            block.string("content", &text);
        }
    }
    if response.is_error() {
        block.raw("is_error", true);
    }
    data.push_mark(&mut block);
    block.end();
}

fn push_list(out: &mut String, contents: &[ToolContent], place: Place<'_>) {
    let mut blocks = Blocks(String::new());
    for content in contents {
        match content {
            ToolContent::Media(media) => {
                let mut block = JsonObject::begin(blocks.place());
                push_media(&mut block, media, place);
                block.end();
            }
            other => blocks.text(&other.as_text(), &Data::default()),
        }
    }
    out.push('[');
    out.push_str(&blocks.0);
    out.push(']');
}

/// The id of a call as the server takes it: an id that another provider gave may have to be mapped.
fn wire_id(id: &str) -> Cow<'_, str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !id.is_empty() && id.len() <= 256 && id.bytes().all(fits) {
        return Cow::Borrowed(id);
    }
    let DialectKey(hash) = DialectKey::from_name(id);
    Cow::Owned(format!("call_{hash:016x}"))
}
