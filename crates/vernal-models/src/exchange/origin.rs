//! Where an answer came from: for errors, and for its metadata.

use std::sync::Arc;

use serde::de::IgnoredAny;
use vernal_core::message::Usage;
use vernal_core::model::{ModelError, ModelErrorKind, ResponseMetadata};

use super::error::one_line;
use crate::http::Redactor;

/// The server that answers, and how errors speak of it.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub(crate) server: &'a str,
    pub(crate) request_id: Option<&'a str>,
    pub(crate) redactor: &'a Redactor,
    /// How the base URL of the dialect should look: what follows "the base URL, which".
    pub(crate) base_url: &'static str,
    /// Nobody said how long the body is: one that ends within a value was cut.
    pub(crate) is_open_ended: bool,
}

/// What a response says about itself.
pub(crate) struct ResponseMetadataParts<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) model: Option<&'a str>,
    pub(crate) usage: Option<Usage>,
}

impl ResponseMetadataParts<'_> {
    /// The metadata of an answer to a request for the model `asked`.
    pub(crate) fn build(self, asked: &Arc<str>, origin: &Origin<'_>) -> ResponseMetadata {
        let filled = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(Arc::from);
        let mut metadata = ResponseMetadata::default();
        metadata.id = filled(self.id);
        metadata.model = match self.model {
            Some(model) if *model == **asked => Some(asked.clone()),
            other => filled(other),
        };
        metadata.usage = self.usage;
        metadata.request_id = filled(origin.request_id);
        metadata
    }
}

/// An error about an answer that cannot be understood.
pub(crate) fn response_error(text: String, origin: &Origin<'_>) -> ModelError {
    with_request_id(ModelError::new(ModelErrorKind::Response, text), origin)
}

/// A piece of an answer that should have been JSON.
pub(crate) fn not_json(
    what: &str,
    body: &str,
    error: &serde_json::Error,
    origin: &Origin<'_>,
) -> ModelError {
    if origin.is_open_ended && is_cut_short(body) {
        return cut_short(origin);
    }
    let text = format!(
        "{what} of {} is no JSON ({error}): {}",
        origin.server,
        excerpt(body, origin.redactor)
    );
    response_error(text, origin)
}

/// Whether a text is the beginning of JSON.
fn is_cut_short(body: &str) -> bool {
    let read = serde_json::from_str::<IgnoredAny>(body);
    read.is_err_and(|error| error.is_eof())
}

/// A body that was over before the answer was.
pub(crate) fn cut_short(origin: &Origin<'_>) -> ModelError {
    let text = format!(
        "the answer of {} ended before it was complete",
        origin.server
    );
    with_request_id(ModelError::new(ModelErrorKind::Connection, text), origin)
}

/// A stream that was over before the answer was.
pub(crate) fn ended_early(origin: &Origin<'_>, when: &str) -> ModelError {
    let text = format!("the stream of {} ended {when}", origin.server);
    with_request_id(ModelError::new(ModelErrorKind::Connection, text), origin)
}

fn with_request_id(error: ModelError, origin: &Origin<'_>) -> ModelError {
    match origin.request_id {
        Some(id) => error.with_request_id(id),
        None => error,
    }
}

/// The beginning of a body, on one line, without secrets.
pub(crate) fn excerpt(body: &str, redactor: &Redactor) -> String {
    one_line(&redactor.redact(body), 200)
}
