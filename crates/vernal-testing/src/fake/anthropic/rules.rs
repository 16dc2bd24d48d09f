//! The rules beyond shapes: which turn may follow which, and what belongs to what.

use serde_json::Value;

use super::{strict, thinking};
use crate::fake::dialect::Call;
use crate::fake::inspect::count_members;
use crate::fake::tool_names::{distinct, offered};
use crate::fake::violation::Findings;

/// The most blocks that are marked for the cache.
const MOST_MARKS: usize = 4;

pub(super) fn check(call: &Call<'_>, at: &mut Findings) {
    let body = call.body;
    let messages = list(body, "messages");
    at.member("messages", |at| {
        turns(call, messages, at);
        ending(messages, at);
    });
    tools(body, at);
    at.member("tools", |at| strict::check(list(body, "tools"), at));
    strict::answer(body, at);
    thinking::check(body, at);
    let marks = count_members(body, "cache_control");
    if marks > MOST_MARKS {
        at.note(format!(
            "at most {MOST_MARKS} blocks have `cache_control`, found {marks}"
        ));
    }
}

pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

pub(super) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
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

/// What the assistant has begun to say goes on where it ends.
fn ending(messages: &[Value], at: &mut Findings) {
    let Some((last, before)) = messages.split_last() else {
        return;
    };
    let blocks = list(last, "content");
    let said = match blocks.last() {
        Some(block) => text(block, "text"),
        None => text(last, "content"),
    };
    if text(last, "role") == "assistant" && said.ends_with(char::is_whitespace) {
        at.item(before.len(), |at| {
            at.note("final assistant content cannot end with trailing whitespace");
        });
    }
}

fn tools(body: &Value, at: &mut Findings) {
    let tools = list(body, "tools");
    let is_later = |tool: &Value| tool.get("defer_loading") == Some(&Value::Bool(true));
    if !tools.is_empty() && tools.iter().all(is_later) {
        at.member("tools", |at| {
            at.note("at least one tool has no `defer_loading`");
        });
    }
    for (index, tool) in tools.iter().enumerate() {
        let is_marked = tool
            .get("cache_control")
            .is_some_and(|mark| !mark.is_null());
        if is_later(tool) && is_marked {
            at.member("tools", |at| {
                at.item(index, |at| {
                    at.note("a tool with `defer_loading` has no `cache_control`")
                });
            });
        }
    }
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
