//! The items of an answer.

use serde_json::{Value, json};

use crate::fake::answer::{Answer, Said};
use crate::fake::dialect::{Asked, Echo, Memory};

/// One item for each thing that is said.
pub(super) fn items(answer: &Answer, asked: &Asked) -> Vec<Value> {
    let mut calls = 0;
    let item = |(index, said): (usize, &Said)| match said {
        Said::Text(pieces) => Some(message(text_part(&pieces.concat()), index, asked)),
        Said::Refusal(text) => Some(message(
            json!({"type": "refusal", "refusal": text}),
            index,
            asked,
        )),
        Said::Reasoning(text) => Some(json!({
            "id": asked.call_id("rs_", index),
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": text}],
            "encrypted_content": format!("ZmFrZSBlbmNyeXB0ZWQg{:08}", asked.number),
        })),
        Said::Call(call) => {
            let id = match &call.id {
                Some(id) => id.to_string(),
                None => asked.call_id("call_", calls),
            };
            calls += 1;
            Some(json!({
                "id": asked.call_id("fc_", index),
                "type": "function_call",
                "status": "completed",
                "call_id": id,
                "name": call.name,
                "arguments": call.arguments,
            }))
        }
        Said::Own(provider, item) => (provider == "openai").then(|| item.clone()),
    };
    answer.said.iter().enumerate().filter_map(item).collect()
}

fn message(part: Value, index: usize, asked: &Asked) -> Value {
    json!({
        "id": asked.call_id("msg_", index),
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [part],
    })
}

pub(super) fn text_part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

pub(super) fn response_id(answer: &Answer, asked: &Asked) -> String {
    match &answer.id {
        Some(id) => id.to_string(),
        None => asked.id("resp_"),
    }
}

/// Reasoning comes back with the calls that it led to, and the next request may name this answer.
pub(super) fn remember(answer: &Answer, asked: &Asked, memory: &mut Memory) {
    let items = items(answer, asked);
    let is = |item: &&Value, kind: &str| item.get("type").is_some_and(|found| found == kind);
    let mut calls = Vec::new();
    let is_call = |item: &&Value| is(item, "function_call") || is(item, "custom_tool_call");
    for call in items.iter().filter(is_call) {
        let Some(id) = call.get("call_id").and_then(Value::as_str) else {
            continue;
        };
        calls.push(id.to_owned());
        for reasoning in items.iter().filter(|item| is(item, "reasoning")) {
            memory.echoes.push(Echo {
                call_id: id.to_owned(),
                piece: reasoning.clone(),
            });
        }
    }
    if asked.is_stored {
        let ids = items.iter().filter_map(|item| item.get("id")?.as_str());
        memory.items.extend(ids.map(str::to_owned));
        memory.answers.push((response_id(answer, asked), calls));
    }
}
