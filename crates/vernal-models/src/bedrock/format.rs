//! The form of answers on the wire.

use serde_json::Map;
use vernal_core::message::DialectKey;
use vernal_core::model::{
    Capabilities, ChatOptions, Finding, FindingKind, ModelError, ResponseFormat, ResponseSchema,
    Severity,
};

use crate::exchange::{InnerFields, RequestFields, answer_losses};
use crate::json::JsonObject;
use crate::lowering::{SchemaDialect, lower_response};

/// The extra field that the form stands in, beside what else the caller puts there.
pub(super) const OUTPUT_CONFIG: &str = "outputConfig";

const FORMAT_KEY: DialectKey = DialectKey::from_name("bedrock-converse 1 response format");

/// Writes the schema that the answer has to fit.
///
/// # Errors
/// The caller's own `outputConfig` is no object.
pub(super) fn push_format(
    fields: &mut RequestFields<'_>,
    schema: &ResponseSchema,
) -> Result<(), ModelError> {
    let none = Map::new();
    let own = InnerFields::of(fields.options, OUTPUT_CONFIG, &none)?;
    let mut config = InnerFields::begin(fields.object.member(OUTPUT_CONFIG), own);
    let text = schema
        .encoded()
        .get_or_encode(FORMAT_KEY, || encode(schema));
    config.ours("textFormat", |place| place.push_str(&text));
    config.end();
    Ok(())
}

/// The schema stands there as a text.
fn encode(schema: &ResponseSchema) -> String {
    let lowered = lower_response(schema.schema(), SchemaDialect::BedrockStrict);
    let mut out = String::new();
    let mut format = JsonObject::begin(&mut out);
    format.string("type", "json_schema");
    let mut structure = JsonObject::begin(format.member("structure"));
    let mut json_schema = JsonObject::begin(structure.member("jsonSchema"));
    json_schema.string("name", schema.name());
    json_schema.string("schema", &lowered.schema);
    json_schema.end();
    structure.end();
    format.end();
    out
}

/// The schema to send: every one but to a model that is known to take none. Of a model of which it is
/// not known, the server has to judge. There is no word for JSON without a schema.
pub(super) fn schema_for(
    options: &ChatOptions,
    known: impl FnOnce() -> Capabilities,
) -> Option<&ResponseSchema> {
    match options.response_format() {
        ResponseFormat::JsonSchema(schema) if known().response_schema != Some(false) => {
            Some(schema)
        }
        _ => None,
    }
}

/// Whether the model is known to be held to the schema, and strict mode has words for all of it.
pub(super) fn supports_schema(options: &ChatOptions, known: &Capabilities) -> bool {
    let has_words = match options.response_format() {
        ResponseFormat::JsonSchema(schema) => {
            let lowered = lower_response(schema.schema(), SchemaDialect::BedrockStrict);
            lowered.is_strict && lowered.says_all()
        }
        _ => true,
    };
    has_words && known.response_schema == Some(true)
}

/// What is found of the form of answers.
pub(super) fn check_format(options: &ChatOptions, known: &Capabilities) -> Vec<Finding> {
    let say = |severity, text: &str| Finding::new(severity, FindingKind::NotSupported, text);
    let schema = match options.response_format() {
        ResponseFormat::Text => return Vec::new(),
        ResponseFormat::JsonSchema(schema) => schema,
        _ => {
            let text = "Bedrock has no word for JSON without a schema, so it is left out: give the schema \
                        (`ResponseFormat::JsonSchema`), or ask for JSON in the prompt";
            return vec![say(Severity::Warning, text)];
        }
    };
    let mut found = Vec::new();
    match known.response_schema {
        Some(true) => {}
        Some(false) => {
            let text = "the model is known to take no form of answers, so it is left out: ask for it in \
                        the prompt, or with `entity`, which asks in words";
            return vec![say(Severity::Warning, text)];
        }
        None => {
            let text = "it is not known whether the model takes a form of answers: it is sent, and the \
                        server may refuse it; what you know can be told with `capabilities`";
            found.push(say(Severity::Note, text));
        }
    }
    found.extend(answer_losses(schema, SchemaDialect::BedrockStrict));
    found
}
