//! Texts, images and files as pieces of content.

use serde_json::value::RawValue;
use vernal_core::message::{Media, MediaSource};

use crate::exchange::Place;
use crate::json::{JsonObject, members};

/// A piece that is a text; the members of `data` are added to it.
pub(super) fn push_text(out: &mut String, text: &str, data: Option<&RawValue>) {
    let mut piece = JsonObject::begin(out);
    piece.string("type", "input_text");
    piece.string("text", text);
    push_members(&mut piece, data, &["type", "text"]);
    piece.end();
}

/// A piece that is an image or a file; a sound or a film becomes a note that names its type.
pub(super) fn push_media(
    out: &mut String,
    media: &Media,
    data: Option<&RawValue>,
    place: Place<'_>,
) {
    let mime_type = &*media.mime_type;
    let mut piece = JsonObject::begin(out);
    if mime_type.starts_with("audio/") || mime_type.starts_with("video/") {
        piece.string("type", "input_text");
        piece.string("text", &place.note(media));
    } else if mime_type.starts_with("image/") {
        push_image(&mut piece, media, data);
    } else {
        push_file(&mut piece, media, data);
    }
    piece.end();
}

fn push_image(piece: &mut JsonObject<'_>, media: &Media, data: Option<&RawValue>) {
    piece.string("type", "input_image");
    match &media.source {
        MediaSource::Url(url) => piece.string("image_url", url),
        source => piece.string("image_url", &data_url(&media.mime_type, source)),
    }
    let has_detail = |data: &RawValue| {
        members(data).is_some_and(|members| members.iter().any(|(name, _)| name == "detail"))
    };
    if !data.is_some_and(has_detail) {
        piece.string("detail", "auto");
    }
    push_members(piece, data, &["type", "image_url"]);
}

fn push_file(piece: &mut JsonObject<'_>, media: &Media, data: Option<&RawValue>) {
    piece.string("type", "input_file");
    match &media.source {
        MediaSource::Url(url) => piece.string("file_url", url),
        source => {
            let unnamed = match &*media.mime_type {
                "application/pdf" => "document.pdf",
                _ => "file",
            };
            piece.string("filename", media.name.as_deref().unwrap_or(unnamed));
            piece.string("file_data", &data_url(&media.mime_type, source));
        }
    }
    push_members(piece, data, &["type", "file_url", "filename", "file_data"]);
}

fn data_url(mime_type: &str, source: &MediaSource) -> String {
    match source {
        MediaSource::Base64(data) => format!("data:{mime_type};base64,{data}"),
        _ => String::new(),
    }
}

/// Adds the members of `data` but those of these names.
pub(super) fn push_members(object: &mut JsonObject<'_>, data: Option<&RawValue>, but: &[&str]) {
    for (name, value) in data.and_then(members).unwrap_or_default() {
        if !but.contains(&&*name) {
            object.raw(&name, value);
        }
    }
}
