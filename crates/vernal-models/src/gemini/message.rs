//! Messages on the wire: the parts of their contents. Each is written once and then copied (design
//! rule 7).

use serde_json::value::RawValue;
use vernal_core::message::{
    Media, MediaSource, Message, Part, PartContent, ToolCall, ToolContent, ToolResponse,
};

use super::names::name_for;
use super::parts::Kept;
use crate::exchange::estimate;
use crate::json::{JsonObject, push_string};

/// The parts of a message, with commas between them, or nothing. `media_in_results` says that the
/// model takes media in the answers to calls.
pub(super) fn encode(message: &Message, media_in_results: bool) -> String {
    let mut out = String::with_capacity(estimate(message));
    for part in message.parts() {
        let before = out.len();
        if before > 0 {
            out.push(',');
        }
        let begin = out.len();
        push_part(&mut out, part, media_in_results);
        if out.len() == begin {
            out.truncate(before);
        }
    }
    out
}

fn push_part(out: &mut String, part: &Part, media_in_results: bool) {
    let kept = Kept::of(part);
    let signature = kept.signature();
    match &part.content {
        PartContent::Text(text) | PartContent::Refusal(text) => {
            push_text(out, text, false, signature)
        }
        // Thoughts are of use to the server with its signature alone.
        PartContent::Reasoning(text) if signature.is_some() => {
            push_text(out, text, true, signature)
        }
        PartContent::Media(media) => push_media(out, media, signature),
        PartContent::ToolCall(call) => push_call(out, call, signature),
        PartContent::ToolResponse(response) => push_response(out, response, media_in_results),
        PartContent::Opaque => match kept.part() {
            Some(part) => out.push_str(part.get()),
            None => push_text(out, "", false, signature),
        },
        _ => {}
    }
}

/// An empty text is refused, unless it carries a signature.
fn push_text(out: &mut String, text: &str, thought: bool, signature: Option<&RawValue>) {
    if text.is_empty() && signature.is_none() {
        return;
    }
    let mut part = JsonObject::begin(out);
    part.string("text", text);
    if thought {
        part.raw("thought", true);
    }
    end_signed(part, signature);
}

fn end_signed(mut part: JsonObject<'_>, signature: Option<&RawValue>) {
    if let Some(signature) = signature {
        part.raw("thoughtSignature", signature);
    }
    part.end();
}

fn push_media(out: &mut String, media: &Media, signature: Option<&RawValue>) {
    let mut part = JsonObject::begin(out);
    match &media.source {
        MediaSource::Base64(data) => {
            let mut inline = JsonObject::begin(part.member("inlineData"));
            inline.string("mimeType", &media.mime_type);
            inline.string("data", data);
            inline.end();
        }
        MediaSource::Url(url) => {
            let mut file = JsonObject::begin(part.member("fileData"));
            file.string("mimeType", &media.mime_type);
            file.string("fileUri", url);
            file.end();
        }
        _ => part.string("text", &format!("[{} content]", media.mime_type)),
    }
    end_signed(part, signature);
}

fn push_call(out: &mut String, call: &ToolCall, signature: Option<&RawValue>) {
    let mut part = JsonObject::begin(out);
    let mut function = JsonObject::begin(part.member("functionCall"));
    if !is_made(&call.id) {
        function.string("id", &call.id);
    }
    function.string("name", &name_for(&call.name));
    function.raw("args", call.arguments.as_valid_object());
    function.end();
    end_signed(part, signature);
}

fn push_response(out: &mut String, response: &ToolResponse, media_in_results: bool) {
    let mut part = JsonObject::begin(out);
    let mut function = JsonObject::begin(part.member("functionResponse"));
    if !is_made(&response.call_id) {
        function.string("id", &response.call_id);
    }
    function.string("name", &name_for(&response.name));
    let mut said = JsonObject::begin(function.member("response"));
    match response.content.as_slice() {
        _ if response.is_error() => said.string("error", &response.text()),
        [ToolContent::Json(json)] => said.raw("output", json),
        _ => said.string("output", &response.text()),
    }
    said.end();
    if media_in_results {
        push_result_media(&mut function, response);
    }
    function.end();
    part.end();
}

fn push_result_media(function: &mut JsonObject<'_>, response: &ToolResponse) {
    let media = |content: &'_ ToolContent| match content {
        ToolContent::Media(media) => Some(media.clone()),
        _ => None,
    };
    let media: Vec<_> = response.content.iter().filter_map(media).collect();
    if media.is_empty() {
        return;
    }
    let out = function.member("parts");
    out.push('[');
    for (position, media) in media.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        push_media(out, media, None);
    }
    out.push(']');
}

/// Whether an id is of our making: the server knows none like it. Both sides of a call are asked
/// alike, so that they fit together wherever the call came from.
fn is_made(id: &str) -> bool {
    let digits = id.strip_prefix("call_");
    digits.is_some_and(|rest| {
        rest.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_')
    })
}

/// A content of one text.
pub(super) fn push_text_content(out: &mut String, role: &str, text: &str) {
    let mut content = JsonObject::begin(out);
    content.string("role", role);
    let parts = content.member("parts");
    parts.push_str("[{\"text\":");
    push_string(parts, text);
    parts.push_str("}]");
    content.end();
}
