//! The rules beyond shapes: what belongs to what among the items.

use serde_json::Value;

use crate::fake::dialect::Call;
use crate::fake::openai_chat::{answer_schema, mentions_json};
use crate::fake::strict_schema;
use crate::fake::tool_names::{distinct, offered};
use crate::fake::violation::Findings;

pub(super) fn check(call: &Call<'_>, at: &mut Findings) {
    let items = list(call.body, "input");
    let mut open = earlier_calls(call, at);
    // What a conversation that the provider keeps has asked for is not known here.
    let is_kept = call
        .body
        .get("conversation")
        .is_some_and(|kept| !kept.is_null());
    at.member("input", |at| {
        for index in 0..items.len() {
            at.item(index, |at| one(call, items, index, &mut open, is_kept, at));
        }
        if !open.is_empty() {
            at.note(format!(
                "no `function_call_output` answers the calls {}",
                open.join(", ")
            ));
        }
    });
    tools(call.body, at);
    at.member("text", |at| at.member("format", |at| format(call.body, at)));
}

/// The form of the answer.
fn format(body: &Value, at: &mut Findings) {
    let format = body.pointer("/text/format");
    mentions_json(format, &[body.get("input"), body.get("instructions")], at);
    if let Some(format) = format {
        answer_schema(format, at);
    }
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// The calls of the response that this request goes on from.
fn earlier_calls<'a>(call: &Call<'a>, at: &mut Findings) -> Vec<&'a str> {
    let Some(id) = text(call.body, "previous_response_id") else {
        return Vec::new();
    };
    let is_set = |name: &str| call.body.get(name).is_some_and(|value| !value.is_null());
    at.member("previous_response_id", |at| {
        if is_set("conversation") {
            at.note("`conversation` stands in its place already");
        }
        if !call.memory.answers.iter().any(|(known, _)| known == id) {
            at.note(format!(
                "`{id}` is no response of this server, or one that it was not to store"
            ));
        }
    });
    let found = call.memory.answers.iter().find(|(known, _)| known == id);
    let calls = found.map(|(_, calls)| calls.as_slice()).unwrap_or_default();
    calls.iter().map(String::as_str).collect()
}

fn one<'a>(
    call: &Call<'_>,
    items: &'a [Value],
    index: usize,
    open: &mut Vec<&'a str>,
    is_kept: bool,
    at: &mut Findings,
) {
    let Some(item) = items.get(index) else { return };
    let id = text(item, "call_id").unwrap_or_default();
    match text(item, "type") {
        Some("function_call" | "custom_tool_call") => {
            if open.contains(&id) {
                at.member("call_id", |at| {
                    at.note(format!("another call has the id `{id}` too"))
                });
            }
            open.push(id);
            reasoned(call, items, id, at);
        }
        Some("function_call_output" | "custom_tool_call_output") => {
            match open.iter().position(|open| *open == id) {
                Some(position) => drop(open.remove(position)),
                None if is_kept => {}
                None => at.member("call_id", |at| {
                    at.note(format!(
                        "`{id}` is no call before it that is still to be answered"
                    ));
                }),
            }
        }
        Some("item_reference") => {
            let id = text(item, "id").unwrap_or_default();
            if !is_kept && !call.memory.items.iter().any(|known| known == id) {
                at.member("id", |at| {
                    at.note(format!(
                        "Item with id '{id}' not found. Items are not persisted when `store` is set \
                         to false"
                    ));
                });
            }
        }
        Some("reasoning") => {
            let next = items.get(index + 1);
            let follows = next.is_some_and(|next| {
                text(next, "role") == Some("assistant")
                    || text(next, "type")
                        .is_some_and(|kind| kind.ends_with("_call") || kind == "reasoning")
            });
            if !follows {
                at.note("reasoning comes with the item that followed it");
            }
        }
        _ => {}
    }
}

/// A call comes with the reasoning that led to it.
fn reasoned(call: &Call<'_>, items: &[Value], id: &str, at: &mut Findings) {
    for echo in call.memory.echoes.iter().filter(|echo| echo.call_id == id) {
        let same = |name: &str| {
            let wanted = text(&echo.piece, name);
            items
                .iter()
                .any(|item| text(item, "type") == Some("reasoning") && text(item, name) == wanted)
        };
        if !same("id") || !same("encrypted_content") {
            at.note(format!(
                "the call `{id}` comes without the reasoning `{}` that led to it, or without its \
                 encrypted content",
                text(&echo.piece, "id").unwrap_or_default()
            ));
        }
    }
}

fn tools(body: &Value, at: &mut Findings) {
    let tools = list(body, "tools");
    let known = distinct(tools.iter().map(|tool| text(tool, "name")), at);
    for (index, tool) in tools.iter().enumerate() {
        if tool.get("strict") == Some(&Value::Bool(true)) {
            let schema = tool.get("parameters").unwrap_or(&Value::Null);
            at.member("tools", |at| {
                at.item(index, |at| {
                    at.member("parameters", |at| strict_schema::OPENAI.check(schema, at));
                })
            });
        }
    }
    let Some(choice) = body.get("tool_choice") else {
        return;
    };
    let later = list(body, "input")
        .iter()
        .any(|item| text(item, "type") == Some("additional_tools"));
    if later {
        return;
    }
    at.member("tool_choice", |at| {
        if tools.is_empty() {
            at.note("it is allowed only where `tools` are");
        }
        for tool in std::iter::once(choice).chain(list(choice, "tools")) {
            if text(tool, "type") == Some("function") {
                offered(text(tool, "name"), &known, at);
            }
        }
    });
}
