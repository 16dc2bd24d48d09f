//! Messages on the wire. Each is written once and then copied (design rule 7).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::{
    DialectKey, Media, MediaSource, Message, Part, PartContent, Role, ToolCall, ToolContent,
    ToolResponse,
};

use super::custom;
use super::profile::{CallIds, OpenAiProfile, ReasoningEcho, ToolMedia, ToolNames};
use super::reasoning::Echo;
use crate::exchange::{Place, estimate};
use crate::json::JsonObject;
use crate::wire_names::wire_name;

/// The name under which the server knows a tool.
pub(super) fn name_for<'a>(name: &'a str, profile: &OpenAiProfile) -> Cow<'a, str> {
    match profile.tool_names {
        ToolNames::Ascii64 => wire_name(name),
        ToolNames::AsTheyAre => Cow::Borrowed(name),
    }
}

/// The id under which the server knows a call.
fn id_for<'a>(id: &'a str, profile: &OpenAiProfile) -> Cow<'a, str> {
    const LENGTH: usize = 9;
    let fits = id.len() == LENGTH && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if profile.call_ids == CallIds::AsTheyAre || fits {
        return Cow::Borrowed(id);
    }
    let DialectKey(mut hash) = DialectKey::from_name(id);
    let digit = |_| {
        let digit = u32::try_from(hash % 36).ok();
        hash /= 36;
        digit.and_then(|digit| char::from_digit(digit, 36))
    };
    Cow::Owned((0..LENGTH).filter_map(digit).collect())
}

fn asks_for_reasoning(profile: &OpenAiProfile) -> bool {
    profile.reasoning_echo == ReasoningEcho::AlwaysWithCalls
}

/// The wire form of a message: one object, or several with commas between them, or nothing.
pub(super) fn encode(message: &Message, profile: &OpenAiProfile) -> String {
    let mut out = String::with_capacity(estimate(message));
    match message.role() {
        Role::Assistant => push_assistant(&mut out, message, profile),
        Role::Tool => push_tool(&mut out, message, profile),
        Role::System => push_spoken(&mut out, "system", message, profile),
        _ => push_spoken(&mut out, "user", message, profile),
    }
    out
}

/// A message of the application or the user: one text, or a list of what it holds.
fn push_spoken(out: &mut String, role: &str, message: &Message, profile: &OpenAiProfile) {
    let mut object = JsonObject::begin(out);
    object.string("role", role);
    if is_one_text(message.parts(), profile) {
        object.string("content", &message.text());
    } else {
        push_list(object.member("content"), message, profile);
    }
    object.end();
}

/// Whether nothing is said but one text, which every server takes without a list around it.
fn is_one_text(parts: &[Part], profile: &OpenAiProfile) -> bool {
    if parts.iter().any(|part| Mark::of(part, profile).0.is_some()) {
        return false;
    }
    let mut shown = parts
        .iter()
        .filter(|part| matches!(part.content, PartContent::Text(_) | PartContent::Media(_)));
    let first_is_text = shown
        .next()
        .is_none_or(|part| matches!(part.content, PartContent::Text(_)));
    first_is_text && shown.next().is_none()
}

fn push_list(out: &mut String, message: &Message, profile: &OpenAiProfile) {
    let place = Place::of(profile.name, message.role());
    out.push('[');
    let mut first = true;
    for part in message.parts() {
        let shown = matches!(part.content, PartContent::Text(_) | PartContent::Media(_));
        if shown && !std::mem::take(&mut first) {
            out.push(',');
        }
        match &part.content {
            PartContent::Text(text) => push_text_item(out, text, Mark::of(part, profile)),
            PartContent::Media(media) => {
                push_media_item(out, media, Mark::of(part, profile), place);
            }
            _ => {}
        }
    }
    out.push(']');
}

/// Where a prefix ends that the provider is to keep in its cache: the member of that name in the data
/// of a part.
#[derive(Clone, Copy, Default)]
struct Mark<'a>(Option<&'a RawValue>);

impl<'a> Mark<'a> {
    fn of(part: &'a Part, profile: &OpenAiProfile) -> Self {
        #[derive(Deserialize)]
        struct Data<'a> {
            #[serde(borrow)]
            prompt_cache_breakpoint: Option<&'a RawValue>,
        }
        let data = part.provider_data(profile.name).map(RawValue::get);
        let data = data.and_then(|data| serde_json::from_str::<Data<'_>>(data).ok());
        Self(data.and_then(|data| data.prompt_cache_breakpoint))
    }

    fn end(self, mut item: JsonObject<'_>) {
        if let Some(mark) = self.0 {
            item.raw("prompt_cache_breakpoint", mark);
        }
        item.end();
    }
}

fn push_text_item(out: &mut String, text: &str, mark: Mark<'_>) {
    let mut item = JsonObject::begin(out);
    item.string("type", "text");
    item.string("text", text);
    mark.end(item);
}

/// Images, sounds and documents where Chat Completions has a shape for them, else a note.
fn push_media_item(out: &mut String, media: &Media, mark: Mark<'_>, place: Place<'_>) {
    match (&*media.mime_type, &media.source) {
        (image, MediaSource::Url(url)) if image.starts_with("image/") => push_image(out, url, mark),
        (image, MediaSource::Base64(data)) if image.starts_with("image/") => {
            push_image(out, &format!("data:{image};base64,{data}"), mark);
        }
        ("audio/wav" | "audio/x-wav" | "audio/wave", MediaSource::Base64(data)) => {
            push_audio(out, "wav", data, mark);
        }
        ("audio/mpeg" | "audio/mp3", MediaSource::Base64(data)) => {
            push_audio(out, "mp3", data, mark);
        }
        (document @ "application/pdf", MediaSource::Base64(data)) => {
            let name = media.name.as_deref().unwrap_or("document.pdf");
            push_file(out, name, &format!("data:{document};base64,{data}"), mark);
        }
        _ => push_text_item(out, &place.note(media), mark),
    }
}

fn push_image(out: &mut String, url: &str, mark: Mark<'_>) {
    let mut item = JsonObject::begin(out);
    item.string("type", "image_url");
    let mut image = JsonObject::begin(item.member("image_url"));
    image.string("url", url);
    image.end();
    mark.end(item);
}

fn push_audio(out: &mut String, format: &str, data: &str, mark: Mark<'_>) {
    let mut item = JsonObject::begin(out);
    item.string("type", "input_audio");
    let mut audio = JsonObject::begin(item.member("input_audio"));
    audio.string("data", data);
    audio.string("format", format);
    audio.end();
    mark.end(item);
}

fn push_file(out: &mut String, name: &str, data: &str, mark: Mark<'_>) {
    let mut item = JsonObject::begin(out);
    item.string("type", "file");
    let mut file = JsonObject::begin(item.member("file"));
    file.string("filename", name);
    file.string("file_data", data);
    file.end();
    mark.end(item);
}

fn push_assistant(out: &mut String, message: &Message, profile: &OpenAiProfile) {
    let echoes = Echoes::of(message, profile);
    let mut object = JsonObject::begin(out);
    object.string("role", "assistant");
    let text = message.text();
    let has_calls = message.has_tool_calls();
    match (echoes.thinking, message.refusal()) {
        (Some(chunks), _) => push_thinking(object.member("content"), chunks, &text),
        (None, Some(refusal)) if text.is_empty() => object.string("content", refusal),
        (None, _) if text.is_empty() && has_calls => object.raw("content", "null"),
        (None, _) => object.string("content", &text),
    }
    for part in message.parts() {
        if let PartContent::Media(media) = &part.content {
            Place::of(profile.name, Role::Assistant).tell(media);
        }
    }
    if let (Some(field), None) = (&echoes.field, echoes.details) {
        object.string(field, &echoes.text);
    } else if has_calls && echoes.is_silent() && asks_for_reasoning(profile) {
        object.string("reasoning_content", "");
    }
    if let Some(details) = echoes.details {
        object.raw("reasoning_details", details);
    }
    if let Some(extra) = echoes.extra {
        object.raw("extra_content", extra);
    }
    if has_calls {
        push_calls(object.member("tool_calls"), message, profile);
    }
    object.end();
}

/// Thinking stands in the content, before the text.
fn push_thinking(out: &mut String, chunks: &RawValue, text: &str) {
    let inside = chunks
        .get()
        .strip_prefix('[')
        .and_then(|chunks| chunks.strip_suffix(']'));
    let inside = inside.unwrap_or_default().trim();
    out.push('[');
    out.push_str(inside);
    if !text.is_empty() {
        if !inside.is_empty() {
            out.push(',');
        }
        push_text_item(out, text, Mark::default());
    }
    out.push(']');
}

fn push_calls(out: &mut String, message: &Message, profile: &OpenAiProfile) {
    out.push('[');
    let mut first = true;
    for part in message.parts() {
        let PartContent::ToolCall(call) = &part.content else {
            continue;
        };
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        push_call(out, call, part.provider_data(profile.name), profile);
    }
    out.push(']');
}

fn push_call(out: &mut String, call: &ToolCall, extra: Option<&RawValue>, profile: &OpenAiProfile) {
    let arguments = call.arguments.as_valid_object();
    let is_custom = custom::is_marked(extra);
    let kind = if is_custom { "custom" } else { "function" };
    let mut object = JsonObject::begin(out);
    object.string("id", &id_for(&call.id, profile));
    object.string("type", kind);
    let mut called = JsonObject::begin(object.member(kind));
    called.string("name", &name_for(&call.name, profile));
    match is_custom {
        true => called.string("input", &custom::as_input(&arguments)),
        false => called.string("arguments", &arguments),
    }
    called.end();
    if let Some(extra) = extra.filter(|_| !is_custom) {
        object.raw("extra_content", extra);
    }
    object.end();
}

/// What a message's provider wants back beside text and calls.
#[derive(Default)]
struct Echoes<'a> {
    field: Option<Cow<'a, str>>,
    text: String,
    details: Option<&'a RawValue>,
    thinking: Option<&'a RawValue>,
    extra: Option<&'a RawValue>,
}

impl<'a> Echoes<'a> {
    /// Whether there is no reasoning in any form.
    fn is_silent(&self) -> bool {
        self.field.is_none() && self.details.is_none() && self.thinking.is_none()
    }

    fn of(message: &'a Message, profile: &OpenAiProfile) -> Self {
        let mut echoes = Self::default();
        let reasoning_too = profile.reasoning_echo != ReasoningEcho::Never;
        for part in message.parts() {
            let text = match &part.content {
                PartContent::Reasoning(text) => text,
                PartContent::Opaque => "",
                _ => continue,
            };
            let data = part.provider_data(profile.name).map(RawValue::get);
            let Some(Ok(echo)) = data.map(serde_json::from_str::<Echo<'_>>) else {
                continue;
            };
            echoes.extra = echoes.extra.or(echo.extra_content);
            if !reasoning_too {
                continue;
            }
            echoes.details = echoes.details.or(echo.reasoning_details);
            echoes.thinking = echoes.thinking.or(echo.thinking);
            let field = echo.field.filter(|field| is_reasoning_field(field));
            if field.is_some() && (echoes.field.is_none() || echoes.field == field) {
                echoes.field = field;
                echoes.text.push_str(text);
            }
        }
        echoes
    }
}

/// Stored messages come from outside: no other field may be written through them.
fn is_reasoning_field(name: &str) -> bool {
    matches!(name, "reasoning_content" | "reasoning")
}

/// One message for each answer to a call, and the images of all of them after the last.
fn push_tool(out: &mut String, message: &Message, profile: &OpenAiProfile) {
    for response in message.tool_responses() {
        if !out.is_empty() {
            out.push(',');
        }
        let mut object = JsonObject::begin(out);
        object.string("role", "tool");
        object.string("tool_call_id", &id_for(&response.call_id, profile));
        object.string("content", &response.text());
        object.end();
        let place = Place::result(profile.name, response);
        place.tell_of(&response.content, |media| is_shown(media, profile));
    }
    if profile.tool_media == ToolMedia::UserMessage {
        push_tool_images(out, message, profile);
    }
}

/// Whether media of a result follow in a message of the user.
fn is_shown(media: &Media, profile: &OpenAiProfile) -> bool {
    profile.tool_media == ToolMedia::UserMessage && media.mime_type.starts_with("image/")
}

fn push_tool_images(out: &mut String, message: &Message, profile: &OpenAiProfile) {
    let image = |content: &ToolContent| match content {
        ToolContent::Media(media) if is_shown(media, profile) => Some(media.clone()),
        _ => None,
    };
    let with_images = |response: &ToolResponse| response.content.iter().any(|c| image(c).is_some());
    if !message.tool_responses().any(with_images) {
        return;
    }
    out.push_str(",{\"role\":\"user\",\"content\":[");
    let mut first = true;
    for response in message
        .tool_responses()
        .filter(|response| with_images(response))
    {
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        push_text_item(
            out,
            &format!(
                "Images of the result of call {}:",
                id_for(&response.call_id, profile)
            ),
            Mark::default(),
        );
        for media in response.content.iter().filter_map(image) {
            out.push(',');
            let place = Place::result(profile.name, response);
            push_media_item(out, &media, Mark::default(), place);
        }
    }
    out.push_str("]}");
}
