//! The rules beyond shapes: which message may follow which.

use serde_json::Value;

use crate::fake::tool_names::distinct;
use crate::fake::violation::Findings;

/// A call that is still to be answered.
struct Open<'a> {
    id: Option<&'a str>,
    name: &'a str,
}

pub(super) fn check(body: &Value, at: &mut Findings) {
    let list = |name: &str| {
        body.get(name)
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice)
    };
    let names = list("tools")
        .iter()
        .map(|tool| tool.pointer("/function/name")?.as_str());
    distinct(names, at);
    at.member("messages", |at| messages(list("messages"), at));
}

/// The calls of an assistant's message are answered right after it, each once.
fn messages(messages: &[Value], at: &mut Findings) {
    let mut open: Vec<Open<'_>> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        at.item(index, |at| one(message, &mut open, at));
    }
    unanswered(&mut open, at);
}

fn one<'a>(message: &'a Value, open: &mut Vec<Open<'a>>, at: &mut Findings) {
    let text = |name: &str| message.get(name).and_then(Value::as_str);
    let role = text("role").unwrap_or_default();
    if role == "tool" {
        answer(text("tool_name"), text("tool_call_id"), open, at);
        return;
    }
    unanswered(open, at);
    for (name, of) in [("tool_calls", "assistant"), ("thinking", "assistant")] {
        if role != of && message.get(name).is_some() {
            at.member(name, |at| at.note(format!("only the {of} has it")));
        }
    }
    for name in ["tool_name", "tool_call_id"] {
        if message.get(name).is_some() {
            at.member(name, |at| at.note("only a tool's message has it"));
        }
    }
    let calls = message.get("tool_calls").and_then(Value::as_array);
    open.extend(calls.into_iter().flatten().map(|call| {
        Open {
            id: call.get("id").and_then(Value::as_str),
            name: call
                .pointer("/function/name")
                .and_then(Value::as_str)
                .unwrap_or_default(),
        }
    }));
}

/// An answer names its call by its id, or by the tool's name.
fn answer(name: Option<&str>, id: Option<&str>, open: &mut Vec<Open<'_>>, at: &mut Findings) {
    if name.is_none() && id.is_none() {
        at.note("a tool's message has `tool_name`");
    }
    let meant = |open: &Open<'_>| match (id, open.id) {
        (Some(id), Some(known)) => id == known,
        _ => name.is_none_or(|name| name == open.name),
    };
    match open.iter().position(meant) {
        Some(position) => {
            let call = open.remove(position);
            if let Some(name) = name.filter(|name| *name != call.name) {
                at.member("tool_name", |at| {
                    at.note(format!(
                        "the call is one of `{}`, not of `{name}`",
                        call.name
                    ));
                });
            }
        }
        None => {
            let said = id.or(name).unwrap_or_default();
            at.note(format!(
                "`{said}` is no open call of the assistant's message before it"
            ));
        }
    }
}

fn unanswered(open: &mut Vec<Open<'_>>, at: &mut Findings) {
    if !open.is_empty() {
        let names: Vec<_> = open.iter().map(|call| call.name).collect();
        at.note(format!(
            "no tool's message answers the calls of {}",
            names.join(", ")
        ));
        open.clear();
    }
}
