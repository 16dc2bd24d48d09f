//! An answer that came in one piece.

use std::cell::OnceCell;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::{Media, PartContent};
use vernal_core::model::{ChatResponse, ModelError, ToolCallAccumulator};

use super::PROVIDER;
use super::block::{Block, Image};
use super::media::image_type;
use super::request::Prepared;
use super::stop::{Stop, StopFields};
use crate::exchange::{
    Answer, ErrorPlace, Origin, ResponseMetadataParts, error_said, excerpt, not_json,
    response_error,
};
use crate::json::from_text;
use crate::json::lenient::object;

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReplyFields<'a> {
    #[serde(borrow, deserialize_with = "object")]
    output: Option<Output<'a>>,
    /// What stands in place of an answer.
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Output<'a> {
    #[serde(borrow, deserialize_with = "object")]
    message: Option<MessageFields<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MessageFields<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

impl<'a> ReplyFields<'a> {
    /// The blocks; `None` where there is no list of them.
    fn blocks(self) -> Option<Vec<&'a RawValue>> {
        let content = self.output?.message?.content?;
        serde_json::from_str(content.get()).ok()
    }
}

/// Reads a whole answer.
pub(super) fn read(
    body: &str,
    prepared: &Prepared,
    origin: &Origin<'_>,
) -> Result<ChatResponse, ModelError> {
    let mended = OnceCell::new();
    let reply: ReplyFields<'_> =
        from_text(body, &mended).map_err(|error| not_json("the answer", body, &error, origin))?;
    let failed = reply.message.or(reply.error).is_some();
    let Some(blocks) = reply.blocks() else {
        return Err(if failed {
            error_said(body, ErrorPlace::InAnswer, origin)
        } else {
            no_content(body, origin)
        });
    };
    let stop_fields: StopFields<'_> = from_text(body, &mended).unwrap_or_default();
    let mut stop = Stop::default();
    stop.take(&stop_fields);
    let mut answer = Answer::new(PROVIDER, calls_of(prepared.turn), blocks.len());
    for raw in blocks {
        read_block(&mut answer, raw, prepared);
    }
    Ok(response_of(answer, stop, prepared, origin))
}

/// Collects the calls of the answer to a request of so many messages.
pub(super) fn calls_of(turn: usize) -> ToolCallAccumulator {
    ToolCallAccumulator::new(PROVIDER).with_turn(turn)
}

/// The response of an answer that is complete. The server does not repeat the model's id.
pub(super) fn response_of(
    answer: Answer,
    stop: Stop,
    prepared: &Prepared,
    origin: &Origin<'_>,
) -> ChatResponse {
    let metadata = ResponseMetadataParts {
        id: None,
        model: Some(stop.routed_to().unwrap_or(&prepared.model)),
        usage: stop.usage.and_then(|usage| usage.usage()),
    };
    let metadata = metadata.build(&prepared.model, origin);
    ChatResponse::of(answer.into_generation(stop.reason, stop.facts), metadata)
}

fn read_block(answer: &mut Answer, raw: &RawValue, prepared: &Prepared) {
    let block = Block::of(raw);
    let whole = || Some(raw.to_owned());
    if let Some(text) = block.text() {
        answer.text(text, None);
    } else if let Some(call) = block.tool_use.as_ref().filter(|call| call.is_ours()) {
        let Some(name) = call.name.as_deref().filter(|name| !name.is_empty()) else {
            return;
        };
        let (id, name) = (call.tool_use_id.as_deref(), prepared.tool_name(name));
        answer.calls.add_whole(id, name, call.input(), None);
        answer.call();
    } else if let Some(reasoning) = &block.reasoning_content {
        answer.thinking(reasoning.whole_text(), whole());
    } else if let Some(cited) = &block.citations_content {
        answer.text(cited.text(), whole());
    } else if let Some(image) = block.image.as_ref().and_then(media_of) {
        answer.push(PartContent::Media(image), None);
    } else if raw.get().contains('"') {
        answer.opaque(whole());
    }
}

/// An image whose bytes are in the answer.
pub(super) fn media_of(image: &Image<'_>) -> Option<Media> {
    let format = image.format.as_deref()?;
    let bytes = image.source.as_ref()?.bytes.as_deref()?;
    Some(Media::base64(image_type(format), bytes))
}

fn no_content(body: &str, origin: &Origin<'_>) -> ModelError {
    let text = format!(
        "the answer of {} has no `output.message.content`; check the base URL, which {}: {}",
        origin.server,
        origin.base_url,
        excerpt(body, origin.redactor)
    );
    response_error(text, origin)
}
