//! The form of answers, for providers that have a word for schemas alone.

use serde_json::Map;
use vernal_core::message::DialectKey;
use vernal_core::model::{
    ChatOptions, Finding, FindingKind, ModelError, ResponseFormat, ResponseSchema, Severity,
};

use super::{InnerFields, RequestFields, answer_losses};
use crate::lowering::{SchemaDialect, lower_response};

/// How a provider is told the form of answers, that has a word for schemas alone, and only for those
/// that strict mode takes: it refuses all others.
pub(crate) struct AnswerForm {
    /// The server, for what is told.
    pub(crate) server: &'static str,
    /// The provider in rows of capabilities.
    pub(crate) provider: &'static str,
    /// The field of the request that the form stands in, beside what else the caller puts there.
    pub(crate) field: &'static str,
    /// The member of that field.
    pub(crate) member: &'static str,
    /// The key of what `encode` writes.
    pub(crate) key: DialectKey,
    pub(crate) dialect: SchemaDialect,
    /// Writes the form, with the schema as the server takes it.
    pub(crate) encode: fn(schema: &ResponseSchema, lowered: &str) -> String,
}

impl AnswerForm {
    /// Whether strict mode has words for all of the schema, if there is one.
    pub(crate) fn says_all(&self, format: &ResponseFormat) -> bool {
        match format {
            ResponseFormat::JsonSchema(schema) => {
                let lowered = lower_response(schema.schema(), self.dialect);
                lowered.is_strict && lowered.says_all()
            }
            _ => true,
        }
    }
}

/// Writes the form of answers where it can be had, and what the caller has in its field. `can` says
/// whether the model is known to be held to a schema; of a model of which it is not known, the server
/// has to judge.
///
/// # Errors
/// What the caller has in the field is no object.
pub(crate) fn push_answer_form(
    fields: &mut RequestFields<'_>,
    form: &AnswerForm,
    can: impl FnOnce() -> Option<bool>,
) -> Result<(), ModelError> {
    let options = fields.options;
    let encode = |schema: &ResponseSchema| {
        let lowered = lower_response(schema.schema(), form.dialect);
        let strict = lowered.is_strict.then_some(lowered.schema);
        strict.map_or_else(String::new, |text| (form.encode)(schema, &text))
    };
    let text = match options.response_format() {
        ResponseFormat::JsonSchema(schema) if can() != Some(false) => {
            let kept = schema.encoded();
            Some(kept.get_or_encode(form.key, || encode(schema)))
        }
        _ => None,
    };
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        let own = options.extra().get(form.field);
        if let Some(own) = own.filter(|own| !own.is_null()) {
            fields.object.raw(form.field, own);
        }
        return Ok(());
    };
    let none = Map::new();
    let own = InnerFields::of(options, form.field, &none)?;
    let mut config = InnerFields::begin(fields.object.member(form.field), own);
    config.ours(form.member, |place| place.push_str(&text));
    config.end();
    Ok(())
}

/// What is found of the form of answers.
pub(crate) fn check_answer_form(
    options: &ChatOptions,
    form: &AnswerForm,
    can: Option<bool>,
) -> Vec<Finding> {
    let say = |severity, text: String| Finding::new(severity, FindingKind::NotSupported, text);
    let schema = match options.response_format() {
        ResponseFormat::Text => return Vec::new(),
        ResponseFormat::JsonSchema(schema) => schema,
        _ => {
            let text = format!(
                "{} has no word for JSON without a schema, so it is left out: give the schema \
                 (`ResponseFormat::JsonSchema`), or ask for JSON in the prompt",
                form.server
            );
            return vec![say(Severity::Warning, text)];
        }
    };
    let mut found = Vec::new();
    match can {
        Some(true) => {}
        Some(false) => {
            let text = "the model is known to take no form of answers, so it is left out: ask for it in \
                        the prompt, or with `entity`, which asks in words";
            return vec![say(Severity::Warning, text.to_owned())];
        }
        None => {
            let text = format!(
                "it is not known whether the model takes a form of answers: it is sent, and the server may \
                 refuse it; say what you know with `capabilities`, in a row with `\"provider\": {:?}` and \
                 `\"response_schema\"`",
                form.provider
            );
            found.push(say(Severity::Note, text));
        }
    }
    found.extend(answer_losses(schema, form.dialect));
    found
}
