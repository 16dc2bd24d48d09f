//! The form of answers on the wire.

use serde_json::Map;
use vernal_core::message::DialectKey;
use vernal_core::model::{ModelError, ResponseFormat, ResponseSchema};

use crate::exchange::{FormatWord, FormatWords, InnerFields, RequestFields};
use crate::json::JsonObject;
use crate::lowering::{SchemaDialect, lower_response};

/// The extra field that the form stands in, beside what else the caller puts there.
pub(super) const OUTPUT_CONFIG: &str = "output_config";

const FORMAT_KEY: DialectKey = DialectKey::from_name("anthropic-messages 1 response format");

/// There is a word for schemas alone.
pub(super) const FORMATS: FormatWords = FormatWords {
    json_object: FormatWord::None,
    schema: FormatWord::Always,
    strict: Some(SchemaDialect::AnthropicStrict),
};

/// Writes in which form the model answers; there is a word for schemas alone.
///
/// # Errors
/// The caller's own `output_config` is no object.
pub(super) fn push_format(fields: &mut RequestFields<'_>) -> Result<(), ModelError> {
    let ResponseFormat::JsonSchema(schema) = fields.options.response_format() else {
        let own = fields.options.extra().get(OUTPUT_CONFIG);
        if let Some(own) = own.filter(|own| !own.is_null()) {
            fields.object.raw(OUTPUT_CONFIG, own);
        }
        return Ok(());
    };
    let none = Map::new();
    let own = InnerFields::of(fields.options, OUTPUT_CONFIG, &none)?;
    let mut config = InnerFields::begin(fields.object.member(OUTPUT_CONFIG), own);
    let text = schema
        .encoded()
        .get_or_encode(FORMAT_KEY, || encode(schema));
    config.ours("format", |place| place.push_str(&text));
    config.end();
    Ok(())
}

/// Whether the model can be held to the schema: models since Claude 4.5, unless it is `known` of one, to
/// a schema that strict mode has words for.
pub(super) fn supports_schema(
    format: &ResponseFormat,
    model: Option<&str>,
    known: Option<bool>,
) -> bool {
    let has_word = match format {
        ResponseFormat::JsonSchema(schema) => {
            let lowered = lower_response(schema.schema(), SchemaDialect::AnthropicStrict);
            lowered.is_strict && lowered.says_all()
        }
        _ => true,
    };
    let by_version = || model.is_some_and(|model| version_of(model) >= Some((4, 5)));
    has_word && known.unwrap_or_else(by_version)
}

/// The version in the name of one of Anthropic's own models, such as `claude-sonnet-4-5-20250929` or
/// `claude-opus-5`.
fn version_of(model: &str) -> Option<(u32, u32)> {
    let (_, name) = model.split_once("claude-")?;
    let mut words = name.split(['-', '@', '.', ':']);
    let family = words.next()?;
    if !matches!(family, "opus" | "sonnet" | "haiku") {
        return None;
    }
    // A date follows a version, and is no part of it.
    let mut number = || words.next().filter(|word| word.len() <= 2)?.parse().ok();
    let major = number()?;
    Some((major, number().unwrap_or(0)))
}

fn encode(schema: &ResponseSchema) -> String {
    let lowered = lower_response(schema.schema(), SchemaDialect::AnthropicStrict);
    let mut out = String::new();
    let mut format = JsonObject::begin(&mut out);
    format.string("type", "json_schema");
    format.raw("schema", lowered.schema);
    format.end();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_in_the_name() {
        for (model, version) in [
            ("claude-sonnet-4-5-20250929", Some((4, 5))),
            ("claude-opus-4-20250514", Some((4, 0))),
            ("claude-sonnet-4-0", Some((4, 0))),
            ("claude-opus-4-1-20250805", Some((4, 1))),
            ("claude-haiku-4-5", Some((4, 5))),
            ("claude-sonnet-5", Some((5, 0))),
            ("anthropic.claude-opus-4-6-v1:0", Some((4, 6))),
            ("claude-3-7-sonnet-20250219", None),
            ("claude-instant-1.2", None),
            ("qwen3", None),
        ] {
            assert_eq!(version_of(model), version, "{model}");
        }
    }
}
