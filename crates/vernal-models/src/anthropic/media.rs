//! Images and documents as blocks.

use vernal_core::message::{Media, MediaSource};

use crate::exchange::Place;
use crate::json::JsonObject;

/// The fields of a block for the media: an image or a document where Anthropic has a shape for it, else
/// a note that names the type.
pub(super) fn push_media(block: &mut JsonObject<'_>, media: &Media, place: Place<'_>) {
    match &*media.mime_type {
        "image/png" | "image/gif" | "image/webp" => push_source(block, "image", media),
        "image/jpeg" | "image/jpg" => push_source(block, "image", media),
        "application/pdf" => {
            push_source(block, "document", media);
            if let Some(name) = &media.name {
                block.string("title", name);
            }
        }
        // Where only the URL is known, the server finds out what kind of image it is.
        image if image.starts_with("image/") && matches!(media.source, MediaSource::Url(_)) => {
            push_source(block, "image", media);
        }
        _ => {
            block.string("type", "text");
            block.string("text", &place.note(media));
        }
    }
}

fn push_source(block: &mut JsonObject<'_>, kind: &str, media: &Media) {
    block.string("type", kind);
    let mut source = JsonObject::begin(block.member("source"));
    match &media.source {
        MediaSource::Base64(data) => {
            let mime_type = match &*media.mime_type {
                "image/jpg" => "image/jpeg",
                other => other,
            };
            source.string("type", "base64");
            source.string("media_type", mime_type);
            source.string("data", data);
        }
        MediaSource::Url(url) => {
            source.string("type", "url");
            source.string("url", url);
        }
        _ => {}
    }
    source.end();
}
