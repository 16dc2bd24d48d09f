//! The form of answers on the wire.

use vernal_core::message::DialectKey;
use vernal_core::model::{ChatOptions, ResponseFormat, ResponseSchema, ToolChoice};

use super::profile::{OpenAiProfile, ResponseFormats};
use crate::exchange::RequestFields;
use crate::json::JsonObject;
use crate::lowering::{SchemaDialect, lower_response};

const FORMAT_KEY: DialectKey = DialectKey::from_name("openai-chat 1 response format");
pub(super) const JSON_OBJECT: &str = "{\"type\":\"json_object\"}";

/// Writes in which form the model answers, as far as the server knows it.
pub(super) fn push_format(fields: &mut RequestFields<'_>, profile: &OpenAiProfile) {
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
            fields.ours_raw("response_format", JSON_OBJECT);
        }
        _ => {}
    }
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
