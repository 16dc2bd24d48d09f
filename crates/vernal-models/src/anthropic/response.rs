//! An answer that came in one piece.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::model::{ChatResponse, ModelError};

use super::PROVIDER;
use super::answer::{Stop, StopFields, calls_of};
use super::block::Block;
use super::request::Prepared;
use super::usage::UsageFields;
use crate::exchange::{
    Answer, ErrorPlace, Origin, ResponseMetadataParts, error_said, excerpt, not_json,
    response_error,
};
use crate::json::from_text;
use crate::json::lenient::{object, text};

/// A message as the server sends it, whole or at the beginning of a stream.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageFields<'a> {
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) model: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(deserialize_with = "object")]
    pub(super) usage: Option<UsageFields>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl<'a> MessageFields<'a> {
    /// The blocks; `None` where there is no list of them.
    pub(super) fn blocks(&self) -> Option<Vec<&'a RawValue>> {
        serde_json::from_str(self.content?.get()).ok()
    }
}

/// Reads a whole answer.
pub(super) fn read(
    body: &str,
    prepared: &Prepared,
    origin: &Origin<'_>,
) -> Result<ChatResponse, ModelError> {
    let mended = OnceCell::new();
    let message: MessageFields<'_> =
        from_text(body, &mended).map_err(|error| not_json("the answer", body, &error, origin))?;
    let failed = message.kind.as_deref() == Some("error");
    if failed || message.error.is_some_and(|error| error.get() != "null") {
        return Err(error_said(body, ErrorPlace::InAnswer, origin));
    }
    let Some(blocks) = message.blocks() else {
        return Err(no_content(body, origin));
    };
    let stop_fields: StopFields<'_> = from_text(body, &mended).unwrap_or_default();
    let mut stop = Stop::default();
    stop.take(&stop_fields);
    let mut answer = Answer::new(PROVIDER, calls_of(prepared.turn), blocks.len());
    for raw in blocks {
        read_block(&mut answer, raw, prepared);
    }
    let metadata = ResponseMetadataParts {
        id: message.id.as_deref(),
        model: message.model.as_deref(),
        usage: message.usage.and_then(|usage| usage.usage()),
    };
    let metadata = metadata.build(&prepared.model, origin);
    let generation = answer.into_generation(stop.reason, stop.facts);
    Ok(ChatResponse::of(generation, metadata))
}

fn read_block(answer: &mut Answer, raw: &RawValue, prepared: &Prepared) {
    let block = Block::of(raw);
    let whole = || Some(raw.to_owned());
    match (block.kind.as_deref(), block.name.as_deref()) {
        (Some("text"), _) => {
            let data = if block.citations().is_empty() {
                None
            } else {
                whole()
            };
            answer.text(block.text(), data);
        }
        (Some("thinking"), _) => answer.thinking(block.thinking(), whole()),
        (Some("tool_use"), Some(name)) => {
            let input = block.input().map(RawValue::get).unwrap_or_default();
            let data = block.call_data();
            let name = prepared.tool_name(name);
            answer
                .calls
                .add_whole(block.id.as_deref(), name, input, data.as_deref());
            answer.call();
        }
        (Some(_), _) => answer.opaque(whole()),
        (None, _) => {}
    }
}

fn no_content(body: &str, origin: &Origin<'_>) -> ModelError {
    let text = format!(
        "the answer of {} has no `content`; check the base URL, which {}: {}",
        origin.server,
        origin.base_url,
        excerpt(body, origin.redactor)
    );
    response_error(text, origin)
}
