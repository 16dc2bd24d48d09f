//! Messages as blocks of content. Each message is written once and then copied (design rule 7).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::{
    DialectKey, Media, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse,
};

use super::PROVIDER;
use super::block::{CitationsContent, is_call_of_ours};
use super::family::Family;
use super::media::{DocumentExtras, MediaKind, kind_of, push_media};
use crate::exchange::{Place, estimate};
use crate::json::JsonObject;
use crate::json::lenient::object;
use crate::wire_names::wire_name;

/// What a message says beside its documents where it says nothing else: the server wants a text there.
const BESIDE_DOCUMENTS: &str = "See the attached documents.";
/// The content of a result that has none: the server wants some.
const NO_OUTPUT: &str = "(no output)";

/// What the data of a part may say to us.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Data<'a> {
    #[serde(borrow)]
    cache_point: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "object")]
    citations_content: Option<CitationsContent<'a>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    citations: Option<&'a RawValue>,
    #[serde(borrow)]
    context: Option<&'a RawValue>,
}

impl<'a> Data<'a> {
    fn of(part: &'a Part) -> Self {
        let data = part.provider_data(PROVIDER).map(RawValue::get);
        let object = data.filter(|data| data.starts_with('{'));
        object
            .and_then(|data| serde_json::from_str(data).ok())
            .unwrap_or_default()
    }
}

/// The blocks of a message for a family of models, with commas between them; empty where there are none.
pub(super) fn encode(message: &Message, family: Family) -> String {
    let stand = Place::of(PROVIDER, message.role());
    let mut blocks = Blocks::new(String::with_capacity(estimate(message)), stand);
    match message.role() {
        Role::Assistant => push_assistant(&mut blocks, message),
        Role::Tool => {
            for part in message.parts() {
                if let PartContent::ToolResponse(response) = &part.content {
                    push_result(blocks.place(), part, response, family);
                }
            }
        }
        role => push_spoken(&mut blocks, role, message),
    }
    blocks.out
}

/// Blocks that are being written: puts the commas. Where they stand is told of media that are left out.
struct Blocks<'a> {
    out: String,
    stand: Place<'a>,
}

impl<'a> Blocks<'a> {
    fn new(out: String, stand: Place<'a>) -> Self {
        Self { out, stand }
    }

    fn place(&mut self) -> &mut String {
        if !self.out.is_empty() {
            self.out.push(',');
        }
        &mut self.out
    }

    /// Blank texts are refused by the server.
    fn text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            push_text(self.place(), text);
        }
    }

    /// Stands for what cannot be sent in this place.
    fn note(&mut self, media: &Media) {
        let note = self.stand.note(media);
        self.text(&note);
    }

    fn media(&mut self, media: &Media, data: &Data<'_>) -> Option<MediaKind> {
        let Some(kind) = kind_of(media) else {
            self.note(media);
            return None;
        };
        let extras = DocumentExtras {
            citations: data.citations,
            context: data.context,
        };
        push_media(self.place(), media, kind, extras);
        Some(kind.0)
    }

    /// A mark for the provider's cache, where the data of a part has one.
    fn mark(&mut self, data: &Data<'_>) {
        if let Some(mark) = data.cache_point.filter(|mark| mark.get().starts_with('{')) {
            let mut block = JsonObject::begin(self.place());
            block.raw("cachePoint", mark);
            block.end();
        }
    }

    /// A block as it once came. It cannot be a call or a result, which have to match each other, save
    /// those of tools that the server runs.
    fn verbatim(&mut self, part: &Part) {
        let raw = part.provider_data(PROVIDER);
        if let Some(raw) = raw.filter(|raw| is_block(raw) && !is_call_of_ours(raw)) {
            self.place().push_str(raw.get());
        }
    }
}

fn is_block(raw: &RawValue) -> bool {
    raw.get().starts_with('{') && raw.get().contains('"')
}

pub(super) fn push_text(out: &mut String, text: &str) {
    let mut block = JsonObject::begin(out);
    block.string("text", text);
    block.end();
}

/// A message of the user or of the system.
fn push_spoken(blocks: &mut Blocks<'_>, role: Role, message: &Message) {
    let (mut documents, mut texts) = (false, false);
    for part in message.parts() {
        let data = Data::of(part);
        match &part.content {
            PartContent::Text(text) => {
                texts |= !text.trim().is_empty();
                blocks.text(text);
                blocks.mark(&data);
            }
            // The system's blocks are nothing but texts.
            PartContent::Media(media) if role == Role::System => blocks.note(media),
            PartContent::Media(media) => {
                documents |= blocks.media(media, &data) == Some(MediaKind::Document);
                blocks.mark(&data);
            }
            PartContent::Opaque => blocks.verbatim(part),
            _ => {}
        }
    }
    if documents && !texts {
        blocks.text(BESIDE_DOCUMENTS);
    }
}

/// What came from Bedrock keeps its order; of other messages, the calls go to the end.
fn push_assistant(blocks: &mut Blocks<'_>, message: &Message) {
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
fn push_said(blocks: &mut Blocks<'_>, part: &Part) {
    let data = Data::of(part);
    match &part.content {
        PartContent::Text(text) => {
            let cited = data.citations_content.as_ref();
            if cited.is_some_and(|cited| cited.text() == **text) {
                return blocks.verbatim(part);
            }
            blocks.text(text);
        }
        PartContent::Refusal(text) => blocks.text(text),
        PartContent::Reasoning(_) | PartContent::Opaque => return blocks.verbatim(part),
        PartContent::ToolCall(call) => push_call(blocks.place(), call),
        PartContent::Media(media) => {
            blocks.media(media, &data);
        }
        _ => {}
    }
    blocks.mark(&data);
}

fn push_call(out: &mut String, call: &ToolCall) {
    let mut block = JsonObject::begin(out);
    let mut tool_use = JsonObject::begin(block.member("toolUse"));
    tool_use.string("toolUseId", &wire_id(&call.id));
    tool_use.string("name", &wire_name(&call.name));
    tool_use.raw("input", call.arguments.as_valid_object());
    tool_use.end();
    block.end();
}

/// The result of a call. That it is a success is not said: some models refuse the word.
pub(super) fn push_result(out: &mut String, part: &Part, response: &ToolResponse, family: Family) {
    let data = Data::of(part);
    let content = data.content.map(|content| Cow::Borrowed(content.get()));
    let content = content.unwrap_or_else(|| Cow::Owned(content_of(response, family)));
    let failed = response.is_error() && family.status;
    push_result_block(out, &response.call_id, &content, failed);
    if data.cache_point.is_some() {
        let mut blocks = Blocks::new(std::mem::take(out), Place::result(PROVIDER, response));
        blocks.mark(&data);
        *out = blocks.out;
    }
}

fn push_result_block(out: &mut String, call_id: &str, content: &str, failed: bool) {
    let mut block = JsonObject::begin(out);
    let mut result = JsonObject::begin(block.member("toolResult"));
    result.string("toolUseId", &wire_id(call_id));
    result.raw("content", content);
    if failed {
        result.string("status", "error");
    }
    result.end();
    block.end();
}

/// The list of blocks that a result holds: JSON as such where it is an object, which is all that the
/// server takes.
fn content_of(response: &ToolResponse, family: Family) -> String {
    // A result holds every kind of media but sound.
    let fits = |media: &Media| {
        let kind = kind_of(media).filter(|(kind, _)| *kind != MediaKind::Audio);
        family.media_in_results && kind.is_some()
    };
    let mut blocks = Blocks::new(String::new(), Place::result(PROVIDER, response));
    for content in &response.content {
        match content {
            ToolContent::Json(json) if json.get().starts_with('{') => {
                let mut block = JsonObject::begin(blocks.place());
                block.raw("json", json);
                block.end();
            }
            ToolContent::Media(media) if fits(media) => {
                blocks.media(media, &Data::default());
            }
            ToolContent::Media(media) => blocks.note(media),
            other => blocks.text(&other.as_text()),
        }
    }
    if blocks.out.is_empty() {
        blocks.text(NO_OUTPUT);
    }
    format!("[{}]", blocks.out)
}

/// The id of a call as the server takes it: an id that another provider gave may have to be mapped.
fn wire_id(id: &str) -> Cow<'_, str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':');
    if (1..=64).contains(&id.len()) && id.bytes().all(fits) {
        return Cow::Borrowed(id);
    }
    let DialectKey(hash) = DialectKey::from_name(id);
    Cow::Owned(format!("call_{hash:016x}"))
}
