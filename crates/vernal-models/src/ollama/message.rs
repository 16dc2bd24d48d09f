//! Messages on the wire. Each is written once and then copied (design rule 7).

use vernal_core::message::{
    Media, MediaSource, Message, PartContent, Role, ToolCall, ToolContent, ToolResponse,
};

use super::PROVIDER;
use crate::exchange::{Place, estimate};
use crate::json::{JsonObject, push_string};

/// The wire form of a message: one object, or several with commas between them, or nothing.
pub(super) fn encode(message: &Message) -> String {
    let mut out = String::with_capacity(estimate(message));
    match message.role() {
        Role::Assistant => push_assistant(&mut out, message),
        Role::Tool => push_tool(&mut out, message),
        Role::System => push_spoken(&mut out, "system", message),
        _ => push_spoken(&mut out, "user", message),
    }
    out
}

/// A message of the application or the user: its text, and its images beside it.
fn push_spoken(out: &mut String, role: &str, message: &Message) {
    let mut images = Vec::new();
    let mut text = String::new();
    for part in message.parts() {
        match &part.content {
            PartContent::Text(piece) => text.push_str(piece),
            PartContent::Media(media) => match image_of(media) {
                Some(image) => images.push(image),
                None => text.push_str(&Place::of(PROVIDER, message.role()).note(media)),
            },
            _ => {}
        }
    }
    let mut object = JsonObject::begin(out);
    object.string("role", role);
    object.string("content", &text);
    push_images(&mut object, &images);
    object.end();
}

/// The data of an image; the server fetches none from a URL, and takes nothing but images.
fn image_of(media: &Media) -> Option<&str> {
    match &media.source {
        MediaSource::Base64(data) if media.mime_type.starts_with("image/") => Some(data),
        _ => None,
    }
}

fn push_images(object: &mut JsonObject<'_>, images: &[&str]) {
    if images.is_empty() {
        return;
    }
    let out = object.member("images");
    out.push('[');
    for (position, image) in images.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        push_string(out, image);
    }
    out.push(']');
}

fn push_assistant(out: &mut String, message: &Message) {
    let mut object = JsonObject::begin(out);
    object.string("role", "assistant");
    let text = message.text();
    match message.refusal() {
        Some(refusal) if text.is_empty() => object.string("content", refusal),
        _ => object.string("content", &text),
    }
    for part in message.parts() {
        if let PartContent::Media(media) = &part.content {
            Place::of(PROVIDER, Role::Assistant).tell(media);
        }
    }
    let thinking = own_thinking(message);
    if !thinking.is_empty() {
        object.string("thinking", &thinking);
    }
    if message.has_tool_calls() {
        let out = object.member("tool_calls");
        out.push('[');
        for (position, call) in message.tool_calls().enumerate() {
            if position > 0 {
                out.push(',');
            }
            push_call(out, call);
        }
        out.push(']');
    }
    object.end();
}

/// The reasoning that came from a server of this kind; that of others is not sent back.
fn own_thinking(message: &Message) -> String {
    let mut thinking = String::new();
    for part in message.parts() {
        if let PartContent::Reasoning(text) = &part.content
            && part.provider_data(PROVIDER).is_some()
        {
            thinking.push_str(text);
        }
    }
    thinking
}

fn push_call(out: &mut String, call: &ToolCall) {
    let mut object = JsonObject::begin(out);
    object.string("id", &call.id);
    let mut function = JsonObject::begin(object.member("function"));
    function.string("name", &call.name);
    function.raw("arguments", call.arguments.as_valid_object());
    function.end();
    object.end();
}

/// One message for each answer to a call.
fn push_tool(out: &mut String, message: &Message) {
    for response in message.tool_responses() {
        if !out.is_empty() {
            out.push(',');
        }
        push_response(out, response);
    }
}

fn push_response(out: &mut String, response: &ToolResponse) {
    let mut images = Vec::new();
    for content in &response.content {
        if let ToolContent::Media(media) = content {
            images.extend(image_of(media));
        }
    }
    let place = Place::result(PROVIDER, response);
    place.tell_of(&response.content, |media| image_of(media).is_some());
    let mut object = JsonObject::begin(out);
    object.string("role", "tool");
    object.string("content", &response.text());
    object.string("tool_name", &response.name);
    object.string("tool_call_id", &response.call_id);
    push_images(&mut object, &images);
    object.end();
}
