//! The responses that the loop gives in a model's place.

use serde_json::{Map, Value, json};

use super::{LimitBreach, ToolCallLimitExceeded};
use crate::message::{
    FinishReason, Message, Part, PartContent, Role, ToolContent, ToolOutcome, ToolResponse,
};
use crate::model::{ChatResponse, Generation, ResponseMetadata};

/// One generation for each result: its text, and its media behind it (rules RD-2, RES-2).
pub(super) fn return_direct_response(
    responses: &[ToolResponse],
    metadata: ResponseMetadata,
) -> ChatResponse {
    let generations = responses.iter().map(|response| {
        let media = response.content.iter().filter_map(|piece| match piece {
            ToolContent::Media(media) => Some(Part::from(PartContent::Media(media.clone()))),
            _ => None,
        });
        let text = Part::text(response.text());
        let message = Message::new(
            Role::Assistant,
            std::iter::once(text).chain(media).collect(),
        );
        let mut generation = Generation::new(message, Some(FinishReason::ReturnDirect));
        generation.metadata = Map::from_iter([
            ("toolId".to_owned(), Value::from(&*response.call_id)),
            ("toolName".to_owned(), Value::from(&*response.name)),
        ]);
        generation
    });
    ChatResponse {
        generations: generations.collect(),
        metadata,
    }
}

/// The response of a turn that a limit ended (rule LIM-8).
pub(super) fn limit_response(
    breach: &LimitBreach,
    responses: &[ToolResponse],
    metadata: ResponseMetadata,
) -> ChatResponse {
    ChatResponse::of(limit_generation(breach, responses), metadata)
}

/// One generation that says which limit was hit, with the batch's successes.
pub(super) fn limit_generation<'a>(
    breach: &LimitBreach,
    responses: impl IntoIterator<Item = &'a ToolResponse>,
) -> Generation {
    let message = Message::assistant(breach.to_string());
    let mut generation = Generation::new(message, Some(ToolCallLimitExceeded::FINISH_REASON));
    let partial: Vec<Value> = responses
        .into_iter()
        .filter(|response| response.outcome == ToolOutcome::Success)
        .map(|r| json!({ "id": &*r.call_id, "name": &*r.name, "responseData": r.text() }))
        .collect();
    let key = ToolCallLimitExceeded::METADATA_PARTIAL_TOOL_RESPONSES;
    generation
        .metadata
        .insert(key.to_owned(), Value::from(partial));
    generation
}
