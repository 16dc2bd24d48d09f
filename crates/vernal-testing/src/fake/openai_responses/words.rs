//! An answer in the words of the API.

use serde_json::{Value, json};
use vernal_core::message::FinishReason;

use super::items::{items, response_id, text_part};
use crate::fake::answer::{Answer, Said};
use crate::fake::dialect::{Asked, Frame, Problem};

pub(super) fn whole(answer: &Answer, asked: &Asked) -> Value {
    let (status, details) = match &answer.finish {
        FinishReason::Length => ("incomplete", json!({"reason": "max_output_tokens"})),
        FinishReason::ContentFilter => ("incomplete", json!({"reason": "content_filter"})),
        _ => ("completed", Value::Null),
    };
    let usage = &answer.usage;
    let usage = json!({
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {
            "cached_tokens": usage.cache_read_input_tokens,
            "cache_write_tokens": usage.cache_write_input_tokens,
        },
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_output_tokens},
        "total_tokens": usage.total_tokens,
    });
    response(answer, asked, status, details, items(answer, asked), usage)
}

fn response(
    answer: &Answer,
    asked: &Asked,
    status: &str,
    details: Value,
    output: Vec<Value>,
    usage: Value,
) -> Value {
    json!({
        "id": response_id(answer, asked),
        "object": "response",
        "created_at": 1_764_608_400,
        "status": status,
        "background": false,
        "error": null,
        "incomplete_details": details,
        "instructions": null,
        "max_output_tokens": null,
        "metadata": {},
        "model": asked.model,
        "output": output,
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "reasoning": {"effort": null, "summary": null},
        "service_tier": "default",
        "store": true,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": usage,
        "user": null,
    })
}

/// Events, numbered as they come.
struct Events(Vec<Frame>);

impl Events {
    fn add(&mut self, kind: &str, event: Value) {
        self.push(kind, event, |frame| frame);
    }

    fn push(&mut self, kind: &str, mut event: Value, mark: impl FnOnce(Frame) -> Frame) {
        if let Some(event) = event.as_object_mut() {
            event.insert("type".into(), kind.into());
            event.insert("sequence_number".into(), self.0.len().into());
        }
        self.0.push(mark(Frame::event(kind, &event)));
    }
}

/// The response before anything was said.
pub(super) fn begun(answer: &Answer, asked: &Asked) -> Value {
    let none = Value::Null;
    response(answer, asked, "in_progress", none.clone(), Vec::new(), none)
}

pub(super) fn stream(answer: &Answer, asked: &Asked) -> Vec<Frame> {
    events(begun(answer, asked), whole(answer, asked), answer, asked)
}

/// The events of a stream, with the response at its beginning and at its end.
pub(super) fn events(begun: Value, whole: Value, answer: &Answer, asked: &Asked) -> Vec<Frame> {
    let mut events = Events(Vec::new());
    events.add("response.created", json!({"response": begun}));
    events.add("response.in_progress", json!({"response": begun}));
    let own = |said: &&Said| !matches!(said, Said::Own(provider, _) if provider != "openai");
    let said = answer.said.iter().filter(own);
    for (index, (item, said)) in items(answer, asked).iter().zip(said).enumerate() {
        events.add(
            "response.output_item.added",
            json!({"output_index": index, "item": opening(item)}),
        );
        inside(said, item, index, answer, &mut events);
        events.add(
            "response.output_item.done",
            json!({"output_index": index, "item": item}),
        );
    }
    let status = whole
        .get("status")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let name = format!("response.{status}");
    events.push(&name, json!({"response": whole}), Frame::of_end);
    events.0
}

/// An item before anything of it was said.
fn opening(item: &Value) -> Value {
    let mut item = item.clone();
    if let Some(item) = item.as_object_mut() {
        for (name, empty) in [
            ("content", json!([])),
            ("summary", json!([])),
            ("arguments", json!("")),
            ("status", json!("in_progress")),
        ] {
            if item.contains_key(name) {
                item.insert(name.into(), empty);
            }
        }
    }
    item
}

/// What comes between the beginning of an item and its end.
fn inside(said: &Said, item: &Value, index: usize, answer: &Answer, events: &mut Events) {
    let id = item.get("id").cloned().unwrap_or_default();
    let at = |mut event: Value, inner: &str| {
        if let Some(event) = event.as_object_mut() {
            event.insert("item_id".into(), id.clone());
            event.insert("output_index".into(), index.into());
            if !inner.is_empty() {
                event.insert(inner.into(), 0.into());
            }
        }
        event
    };
    let part = item
        .pointer("/content/0")
        .or_else(|| item.pointer("/summary/0"));
    match said {
        Said::Text(pieces) => {
            let index = "content_index";
            let empty = json!({"part": text_part("")});
            events.add("response.content_part.added", at(empty, index));
            for piece in pieces {
                let delta = json!({"delta": piece, "logprobs": []});
                events.add("response.output_text.delta", at(delta, index));
            }
            let done = json!({"text": pieces.concat(), "logprobs": []});
            events.add("response.output_text.done", at(done, index));
            events.add(
                "response.content_part.done",
                at(json!({"part": part}), index),
            );
        }
        Said::Refusal(text) => {
            let index = "content_index";
            let empty = json!({"part": {"type": "refusal", "refusal": ""}});
            events.add("response.content_part.added", at(empty, index));
            events.add("response.refusal.delta", at(json!({"delta": text}), index));
            events.add("response.refusal.done", at(json!({"refusal": text}), index));
            events.add(
                "response.content_part.done",
                at(json!({"part": part}), index),
            );
        }
        Said::Reasoning(text) => {
            let index = "summary_index";
            let empty = json!({"part": {"type": "summary_text", "text": ""}});
            events.add("response.reasoning_summary_part.added", at(empty, index));
            let delta = json!({"delta": text});
            events.add("response.reasoning_summary_text.delta", at(delta, index));
            events.add(
                "response.reasoning_summary_text.done",
                at(json!({"text": text}), index),
            );
            events.add(
                "response.reasoning_summary_part.done",
                at(json!({"part": part}), index),
            );
        }
        Said::Call(call) => {
            for fragment in answer.fragments(&call.arguments) {
                let delta = at(json!({"delta": fragment}), "");
                let name = "response.function_call_arguments.delta";
                events.push(name, delta, Frame::of_call);
            }
            let done = json!({"arguments": call.arguments, "name": call.name});
            events.add("response.function_call_arguments.done", at(done, ""));
        }
        Said::Own(..) => {}
    }
}

pub(super) fn error(problem: &Problem) -> Value {
    crate::fake::openai_chat::error(problem)
}

pub(super) fn error_in_stream(problem: &Problem) -> Vec<u8> {
    let code = match (problem.code.as_deref(), problem.status) {
        (Some(code), _) => code,
        (None, 429) => "rate_limit_exceeded",
        (None, 400..500) => "invalid_prompt",
        (None, _) => "server_error",
    };
    let event = json!({
        "type": "error",
        "code": code,
        "message": problem.message,
        "param": problem.param,
        "sequence_number": 99,
    });
    Frame::event("error", &event).bytes
}
