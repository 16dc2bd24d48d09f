//! The rules beyond shapes: which message may follow which, and what belongs to what.

use std::borrow::Cow;

use serde_json::Value;

use super::{answer_schema, mentions_json};
use crate::fake::dialect::Call;
use crate::fake::inspect::count_members;
use crate::fake::strict_schema;
use crate::fake::tool_names::{distinct, offered};
use crate::fake::violation::Findings;

/// The most parts that are marked for the cache.
const MOST_MARKS: usize = 4;

/// The fields in which compatible servers tell their reasoning and want it back.
const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];

/// The body as the reference knows it: a server that has told its reasoning takes it back.
pub(super) fn without_reasoning<'a>(call: &Call<'a>) -> Cow<'a, Value> {
    if !call.memory.has_reasoned {
        return Cow::Borrowed(call.body);
    }
    let mut body = call.body.clone();
    let messages = body.get_mut("messages").and_then(Value::as_array_mut);
    for message in messages.into_iter().flatten() {
        if let Some(message) = message.as_object_mut() {
            message
                .retain(|name, value| !(REASONING.contains(&name.as_str()) && value.is_string()));
        }
    }
    Cow::Owned(body)
}

pub(super) fn check(body: &Value, at: &mut Findings) {
    let list = |name: &str| body.get(name).and_then(Value::as_array).map(Vec::as_slice);
    at.member("messages", |at| {
        messages(list("messages").unwrap_or_default(), at)
    });
    tools(body, list("tools").unwrap_or_default(), at);
    if body
        .get("stream_options")
        .is_some_and(|options| !options.is_null())
        && body.get("stream") != Some(&Value::Bool(true))
    {
        at.member("stream_options", |at| {
            at.note("only a stream has options: `stream` is not true")
        });
    }
    let format = body.get("response_format");
    at.member("response_format", |at| {
        mentions_json(format, &[body.get("messages")], at);
        if let Some(schema) = format.and_then(|format| format.get("json_schema")) {
            at.member("json_schema", |at| answer_schema(schema, at));
        }
    });
    let marks = count_members(body, "prompt_cache_breakpoint");
    if marks > MOST_MARKS {
        at.note(format!(
            "at most {MOST_MARKS} parts have `prompt_cache_breakpoint`, found {marks}"
        ));
    }
    let has_top = body.get("top_logprobs").is_some_and(|top| !top.is_null());
    if has_top && body.get("logprobs") != Some(&Value::Bool(true)) {
        at.member("top_logprobs", |at| {
            at.note("it needs `logprobs` to be true")
        });
    }
    if body.get("max_tokens").is_some() && body.get("max_completion_tokens").is_some() {
        at.member("max_tokens", |at| {
            at.note("`max_completion_tokens` stands in its place already")
        });
    }
}

/// The calls of an assistant's message are answered right after it, each once.
fn messages(messages: &[Value], at: &mut Findings) {
    let mut open: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        at.item(index, |at| one(message, &mut open, at));
    }
    if !open.is_empty() {
        at.note(format!(
            "no tool message answers the calls {}",
            open.join(", ")
        ));
    }
}

fn one<'a>(message: &'a Value, open: &mut Vec<&'a str>, at: &mut Findings) {
    let role = message
        .get("role")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if role == "tool" {
        let id = message
            .get("tool_call_id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        match open.iter().position(|open| *open == id) {
            Some(position) => drop(open.remove(position)),
            None => at.member("tool_call_id", |at| {
                at.note(format!(
                    "`{id}` is no open call: a tool message answers a call of the assistant's message \
                     before it, once"
                ));
            }),
        }
        return;
    }
    if !open.is_empty() {
        at.note(format!(
            "a message of the role `{role}` comes before the calls {} are answered",
            open.join(", ")
        ));
        open.clear();
    }
    if role != "assistant" {
        return;
    }
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for (index, call) in calls.into_iter().flatten().enumerate() {
        let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
        if open.contains(&id) {
            at.member("tool_calls", |at| {
                at.item(index, |at| {
                    at.note(format!("another call has the id `{id}` too"))
                });
            });
        }
        open.push(id);
    }
    let says_something = ["content", "refusal", "audio"]
        .iter()
        .any(|name| message.get(name).is_some_and(|value| !value.is_null()));
    if calls.is_none() && !says_something {
        at.note("an assistant's message has `content` unless it has `tool_calls`");
    }
}

fn tools(body: &Value, tools: &[Value], at: &mut Findings) {
    let name = |tool: &'_ Value| -> Option<String> {
        let kind = tool.get("type")?.as_str()?;
        Some(tool.get(kind)?.get("name")?.as_str()?.to_owned())
    };
    let named: Vec<Option<String>> = tools.iter().map(name).collect();
    let known = distinct(named.iter().map(Option::as_deref), at);
    for (index, tool) in tools.iter().enumerate() {
        let Some(function) = tool.get("function") else {
            continue;
        };
        if function.get("strict") == Some(&Value::Bool(true)) {
            let schema = function.get("parameters").unwrap_or(&Value::Null);
            at.member("tools", |at| {
                at.item(index, |at| {
                    at.member("function", |at| {
                        at.member("parameters", |at| strict_schema::OPENAI.check(schema, at));
                    })
                });
            });
        }
    }
    for name in ["tool_choice", "parallel_tool_calls"] {
        if tools.is_empty() && body.get(name).is_some() {
            at.member(name, |at| at.note("it is allowed only where `tools` are"));
        }
    }
    let choice = body.get("tool_choice");
    let allowed = choice.and_then(|choice| choice.pointer("/allowed_tools/tools")?.as_array());
    at.member("tool_choice", |at| {
        for tool in choice.into_iter().chain(allowed.into_iter().flatten()) {
            offered(name(tool).as_deref(), &known, at);
        }
    });
}
