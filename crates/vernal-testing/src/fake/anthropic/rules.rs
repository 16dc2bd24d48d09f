//! The rules beyond shapes: which turn may follow which, and what belongs to what.

use serde_json::Value;

use crate::fake::dialect::Call;
use crate::fake::json_schema::{distinct, offered};
use crate::fake::violation::Findings;

/// The most blocks that are marked for the cache.
const MOST_MARKS: usize = 4;

pub(super) fn check(call: &Call<'_>, at: &mut Findings) {
    let body = call.body;
    let messages = list(body, "messages");
    at.member("messages", |at| turns(call, messages, at));
    tools(body, at);
    thinking(body, at);
    let marks = count_marks(body);
    if marks > MOST_MARKS {
        at.note(format!(
            "at most {MOST_MARKS} blocks have `cache_control`, found {marks}"
        ));
    }
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The uses of tools in a turn have their results at the beginning of the next one.
fn turns(call: &Call<'_>, messages: &[Value], at: &mut Findings) {
    let mut open: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let blocks = list(message, "content");
        at.item(index, |at| match text(message, "role") {
            "assistant" => {
                unanswered(&mut open, at);
                at.member("content", |at| uses(call, blocks, &mut open, at));
            }
            "user" => {
                at.member("content", |at| results(blocks, &mut open, at));
                unanswered(&mut open, at);
            }
            _ => {}
        });
    }
    unanswered(&mut open, at);
}

fn unanswered(open: &mut Vec<&str>, at: &mut Findings) {
    if !open.is_empty() {
        at.note(format!(
            "each `tool_use` has its `tool_result` in the next message; there is none for {}",
            open.join(", ")
        ));
        open.clear();
    }
}

fn uses<'a>(call: &Call<'_>, blocks: &'a [Value], open: &mut Vec<&'a str>, at: &mut Findings) {
    for (index, block) in blocks.iter().enumerate() {
        if text(block, "type") != "tool_use" {
            continue;
        }
        let id = text(block, "id");
        at.item(index, |at| {
            if open.contains(&id) {
                at.member("id", |at| {
                    at.note(format!("another `tool_use` has the id `{id}` too"))
                });
            }
            call.memory.check_echo(id, blocks, at);
        });
        open.push(id);
    }
}

fn results(blocks: &[Value], open: &mut Vec<&str>, at: &mut Findings) {
    let mut others = false;
    for (index, block) in blocks.iter().enumerate() {
        if text(block, "type") != "tool_result" {
            others = true;
            continue;
        }
        at.item(index, |at| {
            if others {
                at.note("the results come before anything else in a message");
            }
            let id = text(block, "tool_use_id");
            match open.iter().position(|open| *open == id) {
                Some(position) => drop(open.remove(position)),
                None => at.member("tool_use_id", |at| {
                    at.note(format!(
                        "`{id}` is no `tool_use` of the message before it that is still to be answered"
                    ));
                }),
            }
        });
    }
}

fn tools(body: &Value, at: &mut Findings) {
    let tools = list(body, "tools");
    let names = tools
        .iter()
        .map(|tool| tool.get("name").and_then(Value::as_str));
    let known = distinct(names, at);
    let Some(choice) = body.get("tool_choice") else {
        return;
    };
    at.member("tool_choice", |at| {
        if tools.is_empty() {
            at.note("it is allowed only where `tools` are");
        }
        offered(choice.get("name").and_then(Value::as_str), &known, at);
    });
}

fn thinking(body: &Value, at: &mut Findings) {
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
}

fn count_marks(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count_marks).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| match name.as_str() {
                "cache_control" => usize::from(!value.is_null()),
                // What a tool was given or takes has no marks.
                "input" | "input_schema" => 0,
                _ => count_marks(value),
            })
            .sum(),
        _ => 0,
    }
}
