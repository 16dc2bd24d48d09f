//! What thinking with a budget asks of the rest of a request.

use serde_json::Value;

use super::rules::{list, text};
use crate::fake::violation::Findings;

pub(super) fn check(body: &Value, at: &mut Findings) {
    let Some(thinking) = body.get("thinking") else {
        return;
    };
    if text(thinking, "type") != "enabled" {
        return;
    }
    let budget = thinking.get("budget_tokens").and_then(Value::as_u64);
    let most = body.get("max_tokens").and_then(Value::as_u64);
    if budget >= most {
        at.member("thinking", |at| {
            at.member("budget_tokens", |at| {
                at.note("it is less than `max_tokens`")
            });
        });
    }
    let choice = body.get("tool_choice").map(|choice| text(choice, "type"));
    if matches!(choice, Some("any" | "tool")) {
        at.member("tool_choice", |at| {
            at.note("with `thinking` the choice is `auto` or `none`");
        });
    }
    sampling(body, at);
    at.member("messages", |at| {
        begins_with_thinking(list(body, "messages"), at)
    });
}

fn sampling(body: &Value, at: &mut Findings) {
    let number = |name: &str| body.get(name).and_then(Value::as_f64);
    if number("temperature").is_some_and(|temperature| temperature != 1.0) {
        at.member("temperature", |at| {
            at.note("it may only be set to 1 when thinking is enabled");
        });
    }
    if body.get("top_k").is_some() {
        at.member("top_k", |at| {
            at.note("it must be unset when thinking is enabled")
        });
    }
    if number("top_p").is_some_and(|top_p| top_p < 0.95) {
        at.member("top_p", |at| {
            at.note("it must be at least 0.95 or unset when thinking is enabled");
        });
    }
}

/// The turn that is going on began with what the model thought.
fn begins_with_thinking(messages: &[Value], at: &mut Findings) {
    let is_said = |message: &&Value| text(message, "role") == "assistant";
    let Some(index) = messages.iter().rposition(|message| is_said(&message)) else {
        return;
    };
    let blocks = messages
        .get(index)
        .map_or(&[][..], |message| list(message, "content"));
    let first = blocks.first().map_or("", |block| text(block, "type"));
    let has_uses = blocks.iter().any(|block| text(block, "type") == "tool_use");
    if has_uses && !matches!(first, "thinking" | "redacted_thinking") {
        at.item(index, |at| {
            at.note(format!(
                "expected `thinking` or `redacted_thinking`, but found `{first}`: when thinking is \
                 enabled, a final assistant message begins with what the model thought"
            ));
        });
    }
}
