//! What a model is told about the form of its answer.

use crate::model::ResponseSchema;
use crate::tool::schema::json::{Document, Kind};
use crate::tool::schema::{Violation, Violations};

/// How much of an answer is shown to the model that gave it.
const MAX_SHOWN_CHARS: usize = 60;

/// What asks for the form in words.
pub(super) fn instruction(schema: &ResponseSchema) -> String {
    format!(
        "Your final answer must be one JSON object that fits the JSON Schema below, with nothing before \
         or after it and no code fence around it. Calls of tools stay as they are.\n{}",
        schema.schema()
    )
}

/// What asks for another answer; the schema stands in it where the model has not read it yet.
pub(super) fn correction(
    violations: &Violations,
    is_cut: bool,
    schema: Option<&ResponseSchema>,
) -> String {
    let cut = match is_cut {
        true => "It was cut off at its longest length: give a shorter one.\n",
        false => "",
    };
    let schema = schema.map_or_else(String::new, |schema| {
        format!("\nThe JSON Schema that it must fit:\n{}", schema.schema())
    });
    format!(
        "Your answer does not fit. {cut}What is wrong with it:\n{violations}\nAnswer again, with the \
         whole corrected JSON object and nothing else. Do not call tools.{schema}"
    )
}

/// An answer that holds no JSON, or broken JSON.
pub(super) fn no_json(text: &str) -> Violations {
    let text = text.trim();
    let message = if text.is_empty() {
        "the answer is empty; expected one JSON object".to_owned()
    } else if let (true, Err(error)) = (text.starts_with(['{', '[']), Document::read(text)) {
        format!("the answer is {error}")
    } else {
        let shown = match text.char_indices().nth(MAX_SHOWN_CHARS) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text.to_owned(),
        };
        format!("expected one JSON object, got the words {shown:?}")
    };
    Violation::of_all(message).into()
}

/// An answer that is JSON, but no object.
pub(super) fn no_object(json: &str) -> Violations {
    let kind = Kind::of(json);
    Violation::of_all(format!("the answer must be one JSON object, not {kind}")).into()
}

/// An answer that asks for a tool when only its form was to be corrected.
pub(super) fn asks_for_tools() -> Violations {
    let message = "the answer asks for a tool; only its form was to be corrected";
    Violation::of_all(message.to_owned()).into()
}

/// An answer that the model declined to give.
pub(super) fn refused() -> Violations {
    Violation::of_all("the model declined to answer".to_owned()).into()
}
