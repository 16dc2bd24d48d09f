use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// An image, a sound or a file, as a part of a message or of a tool's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Media {
    /// The MIME type, such as `image/png`.
    pub mime_type: Arc<str>,
    /// Where the bytes are.
    pub source: MediaSource,
    /// A file name, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Arc<str>>,
}

/// Where the bytes of a [`Media`] are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MediaSource {
    /// In the message, base64-encoded.
    Base64(Arc<str>),
    /// At a URL that the provider fetches; Vernal never does.
    Url(Arc<str>),
}

impl Media {
    /// Media whose bytes are given in base64.
    pub fn base64(mime_type: impl Into<Arc<str>>, data: impl Into<Arc<str>>) -> Self {
        Self {
            mime_type: mime_type.into(),
            source: MediaSource::Base64(data.into()),
            name: None,
        }
    }

    /// Media that the provider fetches from a URL.
    pub fn url(mime_type: impl Into<Arc<str>>, url: impl Into<Arc<str>>) -> Self {
        Self {
            mime_type: mime_type.into(),
            source: MediaSource::Url(url.into()),
            name: None,
        }
    }
}
