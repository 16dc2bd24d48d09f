//! The form of answers on the wire.

use vernal_core::message::DialectKey;
use vernal_core::model::ResponseSchema;

use super::PROVIDER;
use super::request::SERVER;
use crate::exchange::AnswerForm;
use crate::json::JsonObject;
use crate::lowering::SchemaDialect;

pub(super) const FORM: AnswerForm = AnswerForm {
    server: SERVER,
    provider: PROVIDER,
    field: "output_config",
    member: "format",
    key: DialectKey::from_name("anthropic-messages 1 response format"),
    dialect: SchemaDialect::AnthropicStrict,
    encode,
};

fn encode(_: &ResponseSchema, lowered: &str) -> String {
    let mut out = String::new();
    let mut format = JsonObject::begin(&mut out);
    format.string("type", "json_schema");
    format.raw("schema", lowered);
    format.end();
    out
}

/// Whether a model is known to be held to a schema: where nothing is `known` of it, models since Claude
/// 4.5 are.
pub(super) fn holds_schema(model: Option<&str>, known: Option<bool>) -> Option<bool> {
    known.or_else(|| Some(version_of(model?)? >= (4, 5)))
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
