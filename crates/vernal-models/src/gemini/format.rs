//! The form of answers on the wire.

use vernal_core::model::{ChatOptions, ModelError, ResponseFormat};

use super::generation::{TAKES_BOTH, generation_of, takes_both};
use super::tools::SchemaForm;
use crate::exchange::{InnerFields, configuration};
use crate::lowering::{SchemaDialect, lower_response};

/// Writes in which form the model answers.
pub(super) fn push_format(config: &mut InnerFields<'_>, format: &ResponseFormat, form: SchemaForm) {
    let schema = match format {
        ResponseFormat::JsonObject => None,
        ResponseFormat::JsonSchema(schema) => Some(schema.schema()),
        _ => return,
    };
    config.raw("responseMimeType", "\"application/json\"");
    let Some(schema) = schema else { return };
    match form {
        SchemaForm::JsonSchema => config.raw("responseJsonSchema", schema),
        SchemaForm::OpenApi => {
            let lowered = lower_response(schema, SchemaDialect::GeminiOpenApi);
            config.raw("responseSchema", lowered.schema);
        }
    }
}

/// Refuses what the server would refuse with fewer words.
///
/// # Errors
/// An older model is to answer in JSON and has tools.
pub(super) fn check_format(options: &ChatOptions, model: &str) -> Result<(), ModelError> {
    let is_text = options.response_format() == &ResponseFormat::Text;
    let is_older = generation_of(model).is_some_and(|generation| generation < TAKES_BOTH);
    if is_text || options.tools().is_empty() || !is_older {
        return Ok(());
    }
    Err(configuration(&format!(
        "the model `{model}` takes no response format together with tools: leave one of them out, or \
         ask with `entity`, which asks for the form in words then"
    )))
}

/// Whether the model can be held to the schema: with tools, one that takes both; and in OpenAPI, to a
/// schema that it has words for.
pub(super) fn supports_schema(
    options: &ChatOptions,
    model: Option<&str>,
    form: SchemaForm,
) -> bool {
    let has_words = match (options.response_format(), form) {
        (ResponseFormat::JsonSchema(schema), SchemaForm::OpenApi) => {
            lower_response(schema.schema(), SchemaDialect::GeminiOpenApi).says_all()
        }
        _ => true,
    };
    has_words && (options.tools().is_empty() || model.is_some_and(takes_both))
}
