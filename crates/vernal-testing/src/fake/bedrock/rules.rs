//! The rules beyond shapes: which turn may follow which, and what belongs to what.

use serde_json::Value;

use super::families;
use crate::fake::dialect::Call;
use crate::fake::tool_names::{distinct, offered};
use crate::fake::violation::Findings;

pub(super) fn check(call: &Call<'_>, model: &str, at: &mut Findings) {
    let messages = list(call.body, "messages");
    at.member("messages", |at| {
        turns(call, messages, at);
        families::check(model, messages, at);
    });
    let has = |kind: &str| {
        let mut blocks = messages.iter().flat_map(|message| list(message, "content"));
        blocks.any(|block| block.get(kind).is_some())
    };
    if call.body.get("toolConfig").is_none() && (has("toolUse") || has("toolResult")) {
        at.note(
            "`toolConfig` is wanted where the conversation has `toolUse` or `toolResult` blocks",
        );
    }
    at.member("toolConfig", |at| tools(call.body, at));
}

pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The uses of tools in a turn have their results in the next one.
fn turns(call: &Call<'_>, messages: &[Value], at: &mut Findings) {
    if messages
        .first()
        .is_some_and(|first| text(first, "role") == "assistant")
    {
        at.item(0, |at| {
            at.note("the conversation begins with a message of the user")
        });
    }
    let mut open: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let blocks = list(message, "content");
        at.item(index, |at| {
            at.member("content", |at| results(blocks, &mut open, at));
            unanswered(&mut open, at);
            at.member("content", |at| uses(call, message, blocks, &mut open, at));
            let has = |kind: &str| blocks.iter().any(|block| block.get(kind).is_some());
            if has("document") && !has("text") {
                at.note("a message with a `document` has a `text` too");
            }
        });
    }
    unanswered(&mut open, at);
}

fn unanswered(open: &mut Vec<&str>, at: &mut Findings) {
    if !open.is_empty() {
        at.note(format!(
            "each `toolUse` has its `toolResult` in the next message; there is none for {}",
            open.join(", ")
        ));
        open.clear();
    }
}

fn uses<'a>(
    call: &Call<'_>,
    message: &Value,
    blocks: &'a [Value],
    open: &mut Vec<&'a str>,
    at: &mut Findings,
) {
    for (index, block) in blocks.iter().enumerate() {
        let Some(used) = block
            .get("toolUse")
            .filter(|used| used.get("type").is_none())
        else {
            continue;
        };
        let id = text(used, "toolUseId");
        at.item(index, |at| {
            if text(message, "role") != "assistant" {
                at.note("only the assistant uses tools");
            }
            if open.contains(&id) {
                at.note(format!("another `toolUse` has the id `{id}` too"));
            }
            call.memory.check_echo(id, blocks, at);
        });
        open.push(id);
    }
}

fn results(blocks: &[Value], open: &mut Vec<&str>, at: &mut Findings) {
    for (index, block) in blocks.iter().enumerate() {
        let Some(result) = block
            .get("toolResult")
            .filter(|result| result.get("type").is_none())
        else {
            continue;
        };
        let id = text(result, "toolUseId");
        match open.iter().position(|open| *open == id) {
            Some(position) => drop(open.remove(position)),
            None => at.item(index, |at| {
                at.note(format!(
                    "`{id}` is no `toolUse` of the message before it that is still to be answered"
                ));
            }),
        }
    }
}

fn tools(body: &Value, at: &mut Findings) {
    let Some(config) = body.get("toolConfig") else {
        return;
    };
    let names = list(config, "tools").iter().map(|tool| {
        let named = tool.get("toolSpec").or_else(|| tool.get("systemTool"))?;
        named.get("name")?.as_str()
    });
    let known = distinct(names, at);
    let chosen = config
        .pointer("/toolChoice/tool/name")
        .and_then(Value::as_str);
    at.member("toolChoice", |at| offered(chosen, &known, at));
}
