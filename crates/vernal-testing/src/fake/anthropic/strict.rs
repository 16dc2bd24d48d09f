//! Strict tools and answers with a schema: what schemas may have, and how much of it the tools together.

use serde_json::Value;

use crate::fake::strict_schema::{self, Size};
use crate::fake::violation::Findings;

const MOST_TOOLS: usize = 20;
const MOST_OPTIONAL: usize = 24;
const MOST_UNIONS: usize = 16;

/// The schema of an answer.
pub(super) fn answer(body: &Value, at: &mut Findings) {
    let Some(schema) = body.pointer("/output_config/format/schema") else {
        return;
    };
    at.member("output_config", |at| {
        at.member("format", |at| {
            at.member("schema", |at| strict_schema::ANTHROPIC.check(schema, at));
        });
    });
}

pub(super) fn check(tools: &[Value], at: &mut Findings) {
    let (mut count, mut optional, mut unions) = (0, 0, 0);
    for (index, tool) in tools.iter().enumerate() {
        let Some(schema) = tool.get("input_schema") else {
            continue;
        };
        if tool.get("strict") != Some(&Value::Bool(true)) {
            continue;
        }
        at.item(index, |at| {
            at.member("input_schema", |at| {
                strict_schema::ANTHROPIC.check(schema, at);
            });
        });
        let size = Size::of(schema);
        count += 1;
        optional += size.optional;
        unions += size.unions;
    }
    if count > MOST_TOOLS {
        at.note(format!(
            "too many strict tools ({count}): at most {MOST_TOOLS} are supported"
        ));
    }
    if optional > MOST_OPTIONAL {
        at.note(format!(
            "schemas contain too many optional parameters ({optional}; limit: {MOST_OPTIONAL})"
        ));
    }
    if unions > MOST_UNIONS {
        at.note(format!(
            "schemas contain too many parameters with union types ({unions} parameters with type \
             arrays or anyOf; limit: {MOST_UNIONS} parameters with unions)"
        ));
    }
}
