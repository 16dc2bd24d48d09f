//! Images, documents, videos and sounds as blocks.

use serde_json::value::RawValue;
use vernal_core::message::{DialectKey, Media, MediaSource};

use crate::json::JsonObject;

/// The kinds of blocks that hold media.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MediaKind {
    Image,
    Document,
    Video,
    Audio,
}

impl MediaKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Document => "document",
            Self::Video => "video",
            Self::Audio => "audio",
        }
    }
}

/// What a document may be sent with beside its content.
#[derive(Default, Clone, Copy)]
pub(super) struct DocumentExtras<'a> {
    pub(super) citations: Option<&'a RawValue>,
    pub(super) context: Option<&'a RawValue>,
}

/// The kind of block for the media and the name of its format; `None` where the server has no block for
/// it: another type, or bytes that are neither in the message nor in S3.
pub(super) fn kind_of(media: &Media) -> Option<(MediaKind, &'static str)> {
    match &media.source {
        MediaSource::Base64(_) => {}
        MediaSource::Url(url) if url.starts_with("s3://") => {}
        _ => return None,
    }
    // What stands behind a semicolon says how a text is encoded.
    let mime_type = media.mime_type.split(';').next().unwrap_or_default().trim();
    format_of(&mime_type.to_ascii_lowercase())
}

fn format_of(mime_type: &str) -> Option<(MediaKind, &'static str)> {
    use MediaKind::{Audio, Document, Image, Video};
    Some(match mime_type {
        "image/png" => (Image, "png"),
        "image/jpeg" | "image/jpg" => (Image, "jpeg"),
        "image/gif" => (Image, "gif"),
        "image/webp" => (Image, "webp"),
        "application/pdf" => (Document, "pdf"),
        "text/csv" => (Document, "csv"),
        "application/msword" => (Document, "doc"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => {
            (Document, "docx")
        }
        "application/vnd.ms-excel" => (Document, "xls"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => (Document, "xlsx"),
        "text/html" => (Document, "html"),
        "text/markdown" => (Document, "md"),
        "text/plain" => (Document, "txt"),
        "video/x-matroska" => (Video, "mkv"),
        "video/quicktime" => (Video, "mov"),
        "video/mp4" => (Video, "mp4"),
        "video/webm" => (Video, "webm"),
        "video/x-flv" => (Video, "flv"),
        "video/mpeg" => (Video, "mpeg"),
        "video/x-ms-wmv" => (Video, "wmv"),
        "video/3gpp" => (Video, "three_gp"),
        "audio/mpeg" | "audio/mp3" => (Audio, "mp3"),
        "audio/wav" | "audio/x-wav" | "audio/wave" => (Audio, "wav"),
        "audio/opus" => (Audio, "opus"),
        "audio/aac" => (Audio, "aac"),
        "audio/flac" | "audio/x-flac" => (Audio, "flac"),
        "audio/ogg" => (Audio, "ogg"),
        "audio/mp4" | "audio/m4a" | "audio/x-m4a" => (Audio, "m4a"),
        "audio/webm" => (Audio, "webm"),
        _ => return None,
    })
}

/// The MIME type of an image by the name of its format.
pub(super) fn image_type(format: &str) -> String {
    format!("image/{format}")
}

/// Writes the block of media of this kind and format.
pub(super) fn push_media(
    out: &mut String,
    media: &Media,
    (kind, format): (MediaKind, &str),
    extras: DocumentExtras<'_>,
) {
    let mut block = JsonObject::begin(out);
    let mut inner = JsonObject::begin(block.member(kind.as_str()));
    inner.string("format", format);
    if kind == MediaKind::Document {
        inner.string("name", &document_name(media));
    }
    let mut source = JsonObject::begin(inner.member("source"));
    match &media.source {
        MediaSource::Base64(data) => source.string("bytes", data),
        MediaSource::Url(uri) => {
            let mut location = JsonObject::begin(source.member("s3Location"));
            location.string("uri", uri);
            location.end();
        }
        _ => {}
    }
    source.end();
    if let Some(citations) = extras.citations {
        inner.raw("citations", citations);
    }
    if let Some(context) = extras.context {
        inner.raw("context", context);
    }
    inner.end();
    block.end();
}

/// The longest name of a document.
const LONGEST_NAME: usize = 200;

/// The name of a document as the server takes it: letters and digits of ASCII, single blanks, and
/// `-()[]`. A document without one that fits is named after its content.
fn document_name(media: &Media) -> String {
    let given = media.name.as_deref().unwrap_or_default();
    let mut name = String::with_capacity(given.len().min(LONGEST_NAME));
    for character in given.chars() {
        if name.len() == LONGEST_NAME {
            break;
        }
        if character.is_ascii_alphanumeric() || matches!(character, '-' | '(' | ')' | '[' | ']') {
            name.push(character);
        } else if !name.is_empty() && !name.ends_with(' ') {
            name.push(' ');
        }
    }
    name.truncate(name.trim_end().len());
    if name.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
        return name;
    }
    let content = match &media.source {
        MediaSource::Base64(data) => data,
        MediaSource::Url(uri) => uri,
        _ => &media.mime_type,
    };
    let DialectKey(hash) = DialectKey::from_name(content);
    format!("document-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> String {
        let mut media = Media::base64("application/pdf", "AAAA");
        media.name = Some(name.into());
        document_name(&media)
    }

    #[test]
    fn names_of_documents_hold_what_is_allowed() {
        for (name, sent) in [
            ("report", "report"),
            ("My report (2)[a]-b.pdf", "My report (2)[a]-b pdf"),
            ("  a__b\n\nc  ", "a b c"),
            ("보고서 2026", "2026"),
        ] {
            assert_eq!(named(name), sent);
        }
        assert_eq!(named(&"n".repeat(300)).len(), LONGEST_NAME);
        for nameless in ["", "보고서", "-", "()"] {
            let name = named(nameless);
            assert!(name.starts_with("document-"), "{name}");
            assert_eq!(name, named(""));
        }
        let other = Media::base64("application/pdf", "BBBB");
        assert_ne!(document_name(&other), named(""));
    }

    #[test]
    fn formats_by_their_types() {
        for (mime_type, known) in [
            ("image/JPG", Some((MediaKind::Image, "jpeg"))),
            (
                "text/plain; charset=utf-8",
                Some((MediaKind::Document, "txt")),
            ),
            ("audio/x-wav", Some((MediaKind::Audio, "wav"))),
            ("video/3gpp", Some((MediaKind::Video, "three_gp"))),
            ("image/svg+xml", None),
            ("application/zip", None),
        ] {
            assert_eq!(kind_of(&Media::base64(mime_type, "AAAA")), known);
        }
        assert!(kind_of(&Media::url("image/png", "s3://bucket/key")).is_some());
        assert!(kind_of(&Media::url("image/png", "https://h/a.png")).is_none());
    }
}
