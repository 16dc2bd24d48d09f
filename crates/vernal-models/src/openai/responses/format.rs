//! The form of answers on the wire.

use serde_json::Map;
use vernal_core::message::DialectKey;
use vernal_core::model::{ChatOptions, ModelError, ResponseFormat, ResponseSchema, ToolChoice};

use super::request::OPENAI;
use crate::exchange::{FormatWord, FormatWords, InnerFields, RequestFields};
use crate::json::JsonObject;
use crate::lowering::SchemaDialect;
use crate::openai::format::{JSON_OBJECT, check_word, push_schema};

/// The extra field that the form stands in, beside what else the caller puts there.
pub(super) const TEXT: &str = "text";

const FORMAT_KEY: DialectKey = DialectKey::from_name("openai-responses 1 response format");

/// Writes in which form the model answers.
///
/// # Errors
/// The caller's own `text` is no object.
pub(super) fn push_format(fields: &mut RequestFields<'_>) -> Result<(), ModelError> {
    let options = fields.options;
    let schema = match options.response_format() {
        ResponseFormat::JsonObject => None,
        ResponseFormat::JsonSchema(schema) => Some(schema),
        _ => {
            let own = options.extra().get(TEXT).filter(|own| !own.is_null());
            if let Some(own) = own {
                fields.object.raw(TEXT, own);
            }
            return Ok(());
        }
    };
    let none = Map::new();
    let own = InnerFields::of(options, TEXT, &none)?;
    let mut text = InnerFields::begin(fields.object.member(TEXT), own);
    match schema {
        None => text.raw("format", JSON_OBJECT),
        Some(schema) => {
            let kept = schema.encoded();
            let format = kept.get_or_encode(FORMAT_KEY, || encode(schema));
            text.ours("format", |place| place.push_str(&format));
        }
    }
    text.end();
    Ok(())
}

/// Refuses what OpenAI would: JSON of any form where no message has the word. What the server knows of the
/// conversation, or of a prompt of its own, may have it.
///
/// # Errors
/// See [`check_word`].
pub(super) fn check_json<'m>(
    options: &ChatOptions,
    provider: &str,
    messages: impl Iterator<Item = &'m str>,
) -> Result<(), ModelError> {
    let extra = options.extra();
    let own = extra.get(TEXT).and_then(|text| text.get("format"));
    let is_ours = options.response_format() == &ResponseFormat::JsonObject && own.is_none();
    let may_have = ["instructions", "prompt"];
    if !is_ours || provider != OPENAI || may_have.iter().any(|name| extra.contains_key(*name)) {
        return Ok(());
    }
    check_word("OpenAI Responses", messages)
}

/// Whether the server can hold the answer to a schema: of others than OpenAI and xAI it is known only
/// where no tools may be called.
pub(super) fn supports_schema(options: &ChatOptions, family: &str) -> bool {
    let may_call = !options.tools().is_empty() && options.tool_choice() != &ToolChoice::None;
    !may_call || format_words(family).schema == FormatWord::Always
}

/// Which forms of answers can be asked for.
pub(super) fn format_words(family: &str) -> FormatWords {
    FormatWords {
        json_object: FormatWord::Always,
        schema: match family {
            "openai" | "azure" | "xai" => FormatWord::Always,
            _ => FormatWord::WithoutTools,
        },
        strict: Some(SchemaDialect::OpenAiStrict),
    }
}

fn encode(schema: &ResponseSchema) -> String {
    let mut out = String::with_capacity(schema.schema().len() + 128);
    let mut format = JsonObject::begin(&mut out);
    format.string("type", "json_schema");
    push_schema(&mut format, schema);
    format.end();
    out
}
