//! From what a model said to a value of a type.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::InvalidAnswer;
use super::json_in_text::json_in;
use super::wording;
use crate::Error;
use crate::message::FinishReason;
use crate::model::{ChatResponse, ResponseSchema};
use crate::tool::ToolInput;
use crate::tool::schema::json::{self, Document, NodeId};
use crate::tool::schema::{Violation, Violations};

/// What says of input that fits the schema whether it can be read as the type.
pub(super) type Readable = fn(&ResponseSchema, &ToolInput) -> Result<(), Violations>;

/// The answer as an object that fits the schema.
///
/// Words and code fences around it are borne with, and so is a value without the member that it should
/// stand in. Of several values the first that fits counts; the violations are those of the first.
pub(super) fn read(
    schema: &ResponseSchema,
    text: &str,
    is_readable: Option<Readable>,
) -> Result<ToolInput, Violations> {
    let mut first = None;
    for value in json_in(text) {
        let fits = fitting(schema, value).and_then(|input| match is_readable {
            Some(is_readable) => is_readable(schema, &input).map(|()| input),
            None => Ok(input),
        });
        match fits {
            Ok(input) => return Ok(input),
            Err(violations) => _ = first.get_or_insert(violations),
        }
    }
    Err(first.unwrap_or_else(|| wording::no_json(text)))
}

fn fitting(schema: &ResponseSchema, value: &str) -> Result<ToolInput, Violations> {
    let is_object = value.starts_with('{');
    let violations = match is_object {
        true => match schema.accept(value) {
            Ok(input) => return Ok(input),
            Err(violations) => violations,
        },
        false => wording::no_object(value),
    };
    if !schema.is_wrapped() {
        return Err(violations);
    }
    let wrapped = format!("{{\"{}\":{value}}}", ResponseSchema::WRAPPED);
    // A bare value is judged as what it is; an object as what it should be.
    schema
        .accept(&wrapped)
        .map_err(|of_bare| if is_object { violations } else { of_bare })
}

/// Reads input that fits the schema of `T`.
fn value_of<T: DeserializeOwned>(
    schema: &ResponseSchema,
    input: &ToolInput,
) -> Result<T, Violations> {
    let document = Document::read(input.as_str());
    let document = document.map_err(|error| Violation::of_all(error.to_string()))?;
    let wrapped = document.member(NodeId::ROOT, ResponseSchema::WRAPPED);
    let node = wrapped.filter(|_| schema.is_wrapped());
    json::read(&document, node.unwrap_or(NodeId::ROOT)).map_err(|error| error.violation(&document))
}

/// [`Readable`] for `T`.
pub(super) fn is_readable<T: DeserializeOwned>(
    schema: &ResponseSchema,
    input: &ToolInput,
) -> Result<(), Violations> {
    value_of::<T>(schema, input).map(drop)
}

/// What a response holds, as a `T`.
pub(in crate::advisor) fn entity_of<T>(response: &ChatResponse) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    let schema = ResponseSchema::of::<T>().map_err(|error| Error::setup(error.to_string()))?;
    let text = response.content();
    let input = read(&schema, &text, Some(is_readable::<T>));
    let value = input.and_then(|input| value_of(&schema, &input));
    value.map_err(|violations| Error::answer(InvalidAnswer::of(&schema, response, violations)))
}

/// Whether the model declined to answer, which no correction changes.
pub(super) fn is_refused(response: &ChatResponse) -> bool {
    let declined = [FinishReason::Refusal, FinishReason::ContentFilter];
    response.generation().is_some_and(|generation| {
        let reason = generation.finish_reason.as_ref();
        reason.is_some_and(|reason| declined.contains(reason))
            || generation.message.refusal().is_some()
    })
}
