//! Messages on the wire: the parts of their contents. Each is written once and then copied (design
//! rule 7).

use serde_json::value::RawValue;
use vernal_core::message::{
    DialectKey, Media, MediaSource, Message, Part, PartContent, ToolCall, ToolContent, ToolResponse,
};

use super::PROVIDER;
use super::names::name_for;
use super::parts::Kept;
use crate::exchange::{Place, estimate};
use crate::json::{JsonObject, push_string};

/// What stands for the signature of a call that came with none: Google's word for histories that are not
/// its models' own, `skip_thought_signature_validator`, as base64.
const NO_SIGNATURE: &str = "\"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=\"";

/// What of a message the model takes in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Forms {
    /// It takes media in the answers to calls.
    pub(super) media_in_results: bool,
    /// It wants a signature on the first call.
    pub(super) signed_calls: bool,
}

impl Forms {
    /// The key of a message's bytes: what changes them is in it.
    pub(super) fn key(self) -> DialectKey {
        const NOTES: DialectKey = DialectKey::from_name("gemini parts");
        const MEDIA: DialectKey = DialectKey::from_name("gemini parts, media in results");
        const SIGNED: DialectKey = DialectKey::from_name("gemini parts, signed calls");
        const BOTH: DialectKey = DialectKey::from_name("gemini parts, media and signed calls");
        match (self.media_in_results, self.signed_calls) {
            (false, false) => NOTES,
            (true, false) => MEDIA,
            (false, true) => SIGNED,
            (true, true) => BOTH,
        }
    }
}

/// The parts of a message, with commas between them, or nothing.
pub(super) fn encode(message: &Message, forms: Forms) -> String {
    let mut out = String::with_capacity(estimate(message));
    let unsigned = unsigned_call(message).filter(|_| forms.signed_calls);
    for (place, part) in message.parts().iter().enumerate() {
        let before = out.len();
        if before > 0 {
            out.push(',');
        }
        let begin = out.len();
        let stand_in = (unsigned == Some(place)).then_some(NO_SIGNATURE);
        push_part(
            &mut out,
            part,
            stand_in,
            forms,
            Place::of(PROVIDER, message.role()),
        );
        if out.len() == begin {
            out.truncate(before);
        }
    }
    out
}

/// The place of the first call, where no part has a signature from there on.
fn unsigned_call(message: &Message) -> Option<usize> {
    let parts = message.parts();
    let is_call = |part: &Part| matches!(part.content, PartContent::ToolCall(_));
    let first = parts.iter().position(is_call)?;
    let mut rest = parts.iter().skip(first);
    let is_signed = rest.any(|part| Kept::of(part).signature().is_some());
    (!is_signed).then_some(first)
}

fn push_part(
    out: &mut String,
    part: &Part,
    stand_in: Option<&str>,
    forms: Forms,
    place: Place<'_>,
) {
    let kept = Kept::of(part);
    let signature = kept.signature().map(RawValue::get).or(stand_in);
    match &part.content {
        PartContent::Text(text) | PartContent::Refusal(text) => {
            push_text(out, text, false, signature)
        }
        // Thoughts are of use to the server with its signature alone.
        PartContent::Reasoning(text) if signature.is_some() => {
            push_text(out, text, true, signature)
        }
        PartContent::Media(media) => push_media(out, media, signature, place),
        PartContent::ToolCall(call) => push_call(out, call, signature),
        PartContent::ToolResponse(response) => push_response(out, response, forms),
        PartContent::Opaque => match kept.part() {
            Some(part) => out.push_str(part.get()),
            None => push_text(out, "", false, signature),
        },
        _ => {}
    }
}

/// A blank text says nothing, and an empty one is refused, unless it carries a signature.
fn push_text(out: &mut String, text: &str, thought: bool, signature: Option<&str>) {
    if text.trim().is_empty() && signature.is_none() {
        return;
    }
    let mut part = JsonObject::begin(out);
    part.string("text", text);
    if thought {
        part.raw("thought", true);
    }
    end_signed(part, signature);
}

fn end_signed(mut part: JsonObject<'_>, signature: Option<&str>) {
    if let Some(signature) = signature {
        part.raw("thoughtSignature", signature);
    }
    part.end();
}

fn push_media(out: &mut String, media: &Media, signature: Option<&str>, place: Place<'_>) {
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
        _ => part.string("text", &place.note(media)),
    }
    end_signed(part, signature);
}

fn push_call(out: &mut String, call: &ToolCall, signature: Option<&str>) {
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

fn push_response(out: &mut String, response: &ToolResponse, forms: Forms) {
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
    if forms.media_in_results {
        push_result_media(&mut function, response);
    } else {
        Place::result(PROVIDER, response).tell_of(&response.content, |_| false);
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
        push_media(out, media, None, Place::result(PROVIDER, response));
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
