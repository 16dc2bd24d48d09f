//! The form of an answer: the same in both APIs.

use serde_json::Value;

use crate::fake::shape::flat_root;
use crate::fake::strict_schema;
use crate::fake::violation::Findings;

/// The schema that a strict answer has.
pub(crate) fn answer_schema(format: &Value, at: &mut Findings) {
    let Some(schema) = format.get("schema") else {
        return;
    };
    if format.get("strict") != Some(&Value::Bool(true)) {
        return;
    }
    at.member("schema", |at| {
        if schema.get("type").is_none_or(|kind| kind != "object") {
            at.note("the schema of an answer has `\"type\": \"object\"`");
        }
        flat_root(schema, &["anyOf"], at);
        strict_schema::OPENAI.check(schema, at);
    });
}

/// JSON without a schema is asked for in words too.
pub(crate) fn mentions_json(format: Option<&Value>, said: &[Option<&Value>], at: &mut Findings) {
    if format.is_none_or(|format| format.get("type").is_none_or(|kind| kind != "json_object")) {
        return;
    }
    let mut said = said.iter().copied().flatten();
    if !said.any(|said| said.to_string().to_lowercase().contains("json")) {
        at.note("the messages must contain the word 'json' in some form to use 'json_object'");
    }
}
