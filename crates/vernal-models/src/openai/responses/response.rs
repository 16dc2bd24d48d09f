//! Reading an answer that came whole.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::model::{ChatResponse, ModelError};

use super::answer::{Answer, End};
use super::request::Prepared;
use super::usage::UsageFields;
use crate::exchange::{
    ErrorPlace, Origin, ResponseMetadataParts, error_said, excerpt, not_json, response_error,
};
use crate::json::from_text;
use crate::json::lenient::{object, text};

/// The fields of a response.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ResponseFields<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) model: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    object: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) status: Option<Cow<'a, str>>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(deserialize_with = "object")]
    pub(super) usage: Option<UsageFields>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) incomplete_details: Option<&'a RawValue>,
}

impl<'a> ResponseFields<'a> {
    /// The items; `None` where there is no list of them.
    pub(super) fn items(&self) -> Option<Vec<&'a RawValue>> {
        serde_json::from_str(self.output?.get()).ok()
    }

    /// What is said of a failure: the error, or the whole of `raw` where the status alone tells it.
    pub(super) fn failure<'r>(&self, raw: &'r str) -> Option<&'r str>
    where
        'a: 'r,
    {
        let said = self.error.map(RawValue::get);
        let said = said.filter(|raw| !matches!(*raw, "null" | "\"\"" | "false" | "{}" | "[]"));
        let failed = self.status.as_deref() == Some("failed");
        said.or((failed || self.object.as_deref() == Some("error")).then_some(raw))
    }
}

/// Reads a whole answer.
pub(super) fn read(
    body: &str,
    prepared: &Prepared,
    origin: &Origin<'_>,
) -> Result<ChatResponse, ModelError> {
    let mended = OnceCell::new();
    let response: ResponseFields<'_> =
        from_text(body, &mended).map_err(|error| not_json("the answer", body, &error, origin))?;
    if let Some(said) = response.failure(body) {
        return Err(error_said(said, ErrorPlace::InAnswer, origin));
    }
    let Some(items) = response.items() else {
        return Err(no_output(body, origin));
    };
    let mut answer = Answer::new(prepared, items.len());
    for raw in items {
        answer.item(raw, prepared);
    }
    let end = End::of(response.status.as_deref(), response.incomplete_details);
    let id = response.id.as_deref();
    let metadata = ResponseMetadataParts {
        id,
        model: response.model.as_deref(),
        usage: response.usage.and_then(|usage| usage.usage()),
    };
    let generation = answer.into_generation(end, id, prepared);
    Ok(ChatResponse::of(
        generation,
        metadata.build(&prepared.model, origin),
    ))
}

fn no_output(body: &str, origin: &Origin<'_>) -> ModelError {
    let text = format!(
        "the answer of {} has no `output`; check the base URL, which {}, and whether the server has \
         /responses: {}",
        origin.server,
        origin.base_url,
        excerpt(body, origin.redactor)
    );
    response_error(text, origin)
}
