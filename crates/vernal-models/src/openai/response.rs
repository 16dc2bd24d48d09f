//! An answer that came in one piece.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde_json::value::{RawValue, to_raw_value};
use vernal_core::message::FinishReason;
use vernal_core::model::{ChatResponse, Generation, ModelError, ResponseMetadata};

use super::answer::{Answer, Asked, arguments_of, input_of, whole_content_of};
use super::custom;
use super::reasoning::{in_fields, text_of_details};
use super::usage::usage_of;
use super::wire::{Choice, Completion, MessageFields};
use crate::exchange::{
    ErrorPlace, Origin, ResponseMetadataParts, error_said, excerpt, not_json, response_error,
};
use crate::json::{Seam, from_text, string_of};

/// Reads a whole answer.
pub(super) fn read(
    body: &str,
    asked: &Asked<'_>,
    origin: &Origin<'_>,
) -> Result<ChatResponse, ModelError> {
    let mended = OnceCell::new();
    let completion: Completion<'_> =
        from_text(body, &mended).map_err(|error| not_json("the answer", body, &error, origin))?;
    check_error(&completion, body, ErrorPlace::InAnswer, origin)?;
    let metadata = ResponseMetadataParts {
        id: completion.id.as_deref(),
        model: completion.model.as_deref(),
        usage: usage_of(&completion),
    }
    .build(asked.model, origin);
    let Some(choices) = completion.choices else {
        return Err(no_choices(body, origin));
    };
    let generations = choices.into_iter();
    let generations = generations.map(|choice| generation_of(choice, asked));
    respond(generations, metadata, origin)
}

/// A response of one generation for each choice.
///
/// # Errors
/// There is none.
pub(super) fn respond(
    mut generations: impl Iterator<Item = Generation>,
    metadata: ResponseMetadata,
    origin: &Origin<'_>,
) -> Result<ChatResponse, ModelError> {
    let Some(first) = generations.next() else {
        return Err(nothing_chosen(origin));
    };
    let mut response = ChatResponse::of(first, metadata);
    response.generations.extend(generations);
    Ok(response)
}

fn generation_of(choice: Choice<'_>, asked: &Asked<'_>) -> Generation {
    let mut answer = Answer::new(asked);
    answer.finish = choice.finish_reason;
    answer.native_finish = choice.native_finish_reason;
    if let Some(message) = choice.message.or(choice.delta) {
        read_message(&mut answer, message, asked);
    }
    answer.into_generation(asked)
}

fn read_message<'a>(answer: &mut Answer<'a>, message: MessageFields<'a>, asked: &Asked<'_>) {
    read_texts(answer, &message);
    answer.extra_content = message.extra_content.map(Cow::Borrowed);
    for call in &message.tool_calls {
        let Some(function) = call.function() else {
            continue;
        };
        let Some(name) = function.name.as_deref().filter(|name| !name.is_empty()) else {
            continue;
        };
        let text = || input_of(function);
        let was_cut = || answer.finish_reason() == Some(FinishReason::Length);
        let (arguments, data) = match call.is_custom() {
            true if was_cut() => (custom::as_open_arguments(&text()), custom::mark()),
            true => (custom::as_arguments(&text()), custom::mark()),
            false => {
                let arguments = arguments_of(function).into_text();
                (arguments.into_owned(), call.extra_content)
            }
        };
        let name = asked.tool_name(name);
        answer
            .calls
            .add_whole(call.id.as_deref(), name, arguments, data);
    }
    answer.old_call = message.function_call.map(|function| {
        let arguments = arguments_of(&function).into_text();
        (function.name.unwrap_or_default(), arguments)
    });
}

fn read_texts<'a>(answer: &mut Answer<'a>, message: &MessageFields<'a>) {
    if let Some(content) = message.content.map(whole_content_of) {
        answer.text = content.text;
        if !content.chunks.is_empty() {
            answer.reasoning = content.thinking;
            answer.thinking = to_raw_value(&content.chunks).ok();
        }
    }
    let mut seam = Seam::default();
    if let Some((field, text)) = in_fields(message, &mut seam) {
        answer.reasoning = ended(text, seam);
        answer.reasoning_field = Some(field);
        answer.thinking = None;
    }
    let mut seam = Seam::default();
    if let Some(details) = message.reasoning_details
        && let Some(text) = text_of_details(details, &mut seam)
    {
        if answer.reasoning.is_empty() {
            answer.reasoning = ended(Cow::Owned(text), seam);
        }
        answer.details = Some(Cow::Borrowed(details));
    }
    answer.refusal = message.refusal.and_then(string_of).unwrap_or_default();
}

/// A text to which nothing comes.
fn ended(mut text: Cow<'_, str>, mut seam: Seam) -> Cow<'_, str> {
    let rest = seam.end();
    if !rest.is_empty() {
        text.to_mut().push_str(rest);
    }
    text
}

/// Some servers answer 200 and then say that they failed.
pub(super) fn check_error(
    completion: &Completion<'_>,
    body: &str,
    place: ErrorPlace,
    origin: &Origin<'_>,
) -> Result<(), ModelError> {
    let of_choice = || {
        completion
            .choices
            .iter()
            .flatten()
            .find_map(|choice| choice.error)
    };
    let raw = completion.error.or_else(of_choice).map(RawValue::get);
    let raw = raw.filter(|raw| !matches!(*raw, "\"\"" | "false" | "{}" | "[]"));
    let bare = completion.choices.is_none() && completion.object.as_deref() == Some("error");
    match raw.or(bare.then_some(body)) {
        Some(said) => Err(error_said(said, place, origin)),
        None => Ok(()),
    }
}

/// A complete answer in which nothing is said.
fn nothing_chosen(origin: &Origin<'_>) -> ModelError {
    let text = format!(
        "the answer has no choices: {} sent none and does not say why; check the model's name and the \
         server's log, or ask again",
        origin.server
    );
    response_error(text, origin)
}

fn no_choices(body: &str, origin: &Origin<'_>) -> ModelError {
    let text = format!(
        "the answer of {} has no `choices`; check the base URL, which usually ends in /v1: {}",
        origin.server,
        excerpt(body, origin.redactor)
    );
    response_error(text, origin)
}
