//! The rules beyond shapes: which content may follow which, and what belongs to what.

use serde_json::Value;

use super::words::signs_always;
use crate::fake::dialect::Memory;
use crate::fake::tool_names::{distinct, offered};
use crate::fake::violation::Findings;

pub(super) fn check(body: &Value, model: &str, memory: &Memory, at: &mut Findings) {
    let contents = list(body, "contents");
    at.member("contents", |at| {
        turns(memory, contents, at);
        if signs_always(model) {
            signed(contents, at);
        }
    });
    tools(body, at);
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn is_model(content: &Value) -> bool {
    content.get("role").is_some_and(|role| role == "model")
}

/// The calls, or the answers, in a content.
fn parts<'a>(content: &'a Value, kind: &str) -> Vec<&'a Value> {
    list(content, "parts")
        .iter()
        .filter_map(|part| part.get(kind))
        .collect()
}

/// A turn of calls stands after a turn of the user and before one that answers exactly these calls.
fn turns(memory: &Memory, contents: &[Value], at: &mut Findings) {
    if contents.first().is_some_and(is_model) {
        at.item(0, |at| at.note("the first content is the user's"));
    }
    let mut open: Vec<&Value> = Vec::new();
    for (index, content) in contents.iter().enumerate() {
        at.item(index, |at| {
            let answers = parts(content, "functionResponse");
            answered(&std::mem::take(&mut open), &answers, at);
            if !answers.is_empty() && answers.len() < list(content, "parts").len() {
                at.note("answers of functions stand in a content of their own");
            }
            let calls = parts(content, "functionCall");
            if calls.is_empty() {
                return;
            }
            if !is_model(content) {
                at.note("only the model calls functions: the role is `model`");
            }
            if index
                .checked_sub(1)
                .and_then(|before| contents.get(before))
                .is_some_and(is_model)
            {
                at.note("a turn of calls comes right after a turn of the user or of answers");
            }
            at.member("parts", |at| {
                for called in &calls {
                    let id = called.get("id").and_then(Value::as_str).unwrap_or_default();
                    memory.check_echo(id, list(content, "parts"), at);
                }
            });
            open = calls;
        });
    }
    answered(&open, &[], at);
}

/// In the turn that is going on, the first call of every step is signed.
fn signed(contents: &[Value], at: &mut Findings) {
    let asks =
        |content: &Value| !is_model(content) && parts(content, "functionResponse").is_empty();
    let begin = contents.iter().rposition(asks).unwrap_or(0);
    for (index, content) in contents.iter().enumerate().skip(begin) {
        let is_call = |part: &&Value| part.get("functionCall").is_some();
        let first = list(content, "parts").iter().find(is_call);
        if let Some(part) = first.filter(|part| part.get("thoughtSignature").is_none()) {
            let name = part.pointer("/functionCall/name").and_then(Value::as_str);
            at.item(index, |at| {
                at.note(format!(
                    "Function call `{}` is missing a thought_signature",
                    name.unwrap_or_default()
                ));
            });
        }
    }
}

/// As many answers as calls, each for its call: by the id where there is one, else by the name.
fn answered(calls: &[&Value], answers: &[&Value], at: &mut Findings) {
    if calls.len() != answers.len() {
        at.note(format!(
            "as many answers as calls are wanted: {} calls before, {} answers",
            calls.len(),
            answers.len()
        ));
        return;
    }
    let mut left: Vec<&Value> = calls.to_vec();
    for answer in answers {
        let same = |call: &&Value, name: &str| call.get(name) == answer.get(name);
        let meant = left
            .iter()
            .position(|call| same(call, "name") && (same(call, "id") || call.get("id").is_none()));
        match meant {
            Some(position) => drop(left.remove(position)),
            None => {
                let text =
                    |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default();
                at.note(format!(
                    "the answer of `{}` with the id `{}` is that of no call before it",
                    text("name"),
                    text("id")
                ));
            }
        }
    }
}

fn tools(body: &Value, at: &mut Findings) {
    let functions = list(body, "tools")
        .iter()
        .flat_map(|tool| list(tool, "functionDeclarations"));
    let names = functions.map(|function| function.get("name").and_then(Value::as_str));
    let known = distinct(names, at);
    let Some(config) = body.pointer("/toolConfig/functionCallingConfig") else {
        return;
    };
    let allowed = list(config, "allowedFunctionNames");
    let mode = config.get("mode").and_then(Value::as_str).unwrap_or("AUTO");
    at.member("toolConfig", |at| {
        at.member("functionCallingConfig", |at| {
            if known.is_empty() {
                at.note("it is allowed only where functions are declared");
            }
            at.member("allowedFunctionNames", |at| {
                if !allowed.is_empty() && !matches!(mode, "ANY" | "VALIDATED") {
                    at.note("names are allowed only with the modes `ANY` and `VALIDATED`");
                }
                for (index, name) in allowed.iter().enumerate() {
                    at.item(index, |at| offered(name.as_str(), &known, at));
                }
            });
        })
    });
}
