//! The form of answers on the wire.

use vernal_core::message::DialectKey;
use vernal_core::model::{ChatOptions, ModelError, ResponseFormat, ResponseSchema, ToolChoice};

use super::profile::{OpenAiProfile, ResponseFormats};
use crate::exchange::{RequestFields, configuration};
use crate::json::JsonObject;
use crate::lowering::{SchemaDialect, lower_response};

const FORMAT_KEY: DialectKey = DialectKey::from_name("openai-chat 1 response format");
pub(super) const JSON_OBJECT: &str = "{\"type\":\"json_object\"}";

/// Writes in which form the model answers, as far as the server knows it. `messages` are those of the
/// request, as they are sent.
///
/// # Errors
/// The server would refuse the form: see [`check_word`].
pub(super) fn push_format<'m>(
    fields: &mut RequestFields<'_>,
    profile: &OpenAiProfile,
    messages: impl Iterator<Item = &'m str>,
) -> Result<(), ModelError> {
    let known = profile.response_formats;
    match fields.options.response_format() {
        ResponseFormat::JsonSchema(schema) if known.has_schemas() => {
            let text = schema
                .encoded()
                .get_or_encode(FORMAT_KEY, || encode(schema));
            fields.ours("response_format", |place| place.push_str(&text));
        }
        ResponseFormat::JsonObject | ResponseFormat::JsonSchema(_)
            if known != ResponseFormats::None =>
        {
            let is_ours = !fields.options.extra().contains_key("response_format");
            if is_ours && profile.json_wants_word {
                check_word(profile.name, messages)?;
            }
            fields.ours_raw("response_format", JSON_OBJECT);
        }
        _ => {}
    }
    Ok(())
}

/// Refuses to ask for JSON of any form where no message has the word: the server would refuse it, for
/// models that are told nothing of JSON may write blanks without an end.
///
/// # Errors
/// No message has the word.
pub(super) fn check_word<'m>(
    server: &str,
    mut messages: impl Iterator<Item = &'m str>,
) -> Result<(), ModelError> {
    const WORD: &[u8] = b"json";
    let has_word = |text: &str| {
        let mut windows = text.as_bytes().windows(WORD.len());
        windows.any(|window| window.eq_ignore_ascii_case(WORD))
    };
    if messages.any(has_word) {
        return Ok(());
    }
    Err(configuration(&format!(
        "the answer is to be JSON, and no message has the word `JSON`, without which `{server}` refuses \
         the request: say in the prompt that the answer is JSON, give a schema where the server takes \
         one (`ResponseFormat::JsonSchema`), or ask with `entity`"
    )))
}

/// Whether the server can hold the answer to a schema: many cannot where tools may be called, too.
pub(super) fn supports_schema(options: &ChatOptions, profile: &OpenAiProfile) -> bool {
    let may_call = !options.tools().is_empty() && options.tool_choice() != &ToolChoice::None;
    match profile.response_formats {
        ResponseFormats::JsonSchema => true,
        ResponseFormats::JsonSchemaOrTools => !may_call,
        ResponseFormats::JsonObject | ResponseFormats::None => false,
    }
}

/// The schema as the server reads it.
fn encode(schema: &ResponseSchema) -> String {
    let mut out = String::with_capacity(schema.schema().len() + 128);
    let mut format = JsonObject::begin(&mut out);
    format.string("type", "json_schema");
    let mut inner = JsonObject::begin(format.member("json_schema"));
    push_schema(&mut inner, schema);
    inner.end();
    format.end();
    out
}

/// A schema and its name; strict where that is asked for and can be said.
pub(super) fn push_schema(out: &mut JsonObject<'_>, schema: &ResponseSchema) {
    let lowered = lower_response(schema.schema(), SchemaDialect::OpenAiStrict);
    let strict = (schema.strict() && lowered.is_strict).then_some(lowered.schema);
    out.string("name", schema.name());
    out.raw("strict", strict.is_some());
    out.raw("schema", strict.as_deref().unwrap_or(schema.schema()));
}
