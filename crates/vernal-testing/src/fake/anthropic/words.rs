//! An answer in the words of the API.

use serde_json::{Value, json};
use vernal_core::message::FinishReason;

use crate::fake::answer::{Answer, Said};
use crate::fake::dialect::{Asked, Echo, Frame, Memory, Problem};

pub(super) fn whole(answer: &Answer, asked: &Asked) -> Value {
    let mut message = begun(answer, asked);
    if let Some(message) = message.as_object_mut() {
        message.insert("content".into(), blocks(answer, asked).into());
        message.insert("stop_reason".into(), stop_reason(answer).into());
        message.insert("usage".into(), usage(answer, answer.usage.output_tokens));
    }
    message
}

/// The message before anything was said.
fn begun(answer: &Answer, asked: &Asked) -> Value {
    let id = match &answer.id {
        Some(id) => id.to_string(),
        None => asked.id("msg_"),
    };
    json!({
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": usage(answer, 1),
    })
}

fn blocks(answer: &Answer, asked: &Asked) -> Vec<Value> {
    let mut calls = 0;
    let block = |said: &Said| match said {
        Said::Text(pieces) => Some(json!({"type": "text", "text": pieces.concat()})),
        Said::Refusal(text) => Some(json!({"type": "text", "text": text})),
        Said::Reasoning(text) => Some(thought(text, asked)),
        Said::Call(call) => {
            let id = match &call.id {
                Some(id) => id.to_string(),
                None => asked.call_id("toolu_", calls),
            };
            calls += 1;
            Some(json!({"type": "tool_use", "id": id, "name": call.name, "input": call.value()}))
        }
        Said::Own(provider, block) => (provider == "anthropic").then(|| block.clone()),
    };
    answer.said.iter().filter_map(block).collect()
}

fn thought(text: &str, asked: &Asked) -> Value {
    json!({"type": "thinking", "thinking": text, "signature": signature(asked)})
}

fn signature(asked: &Asked) -> String {
    format!("ZmFrZXNpZ25hdHVyZS{:06}", asked.number)
}

pub(super) fn stream(answer: &Answer, asked: &Asked) -> Vec<Frame> {
    let event = |value: Value| {
        let name = value
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        Frame::event(name, &value)
    };
    let mut frames = vec![
        event(json!({"type": "message_start", "message": begun(answer, asked)})),
        event(json!({"type": "ping"})),
    ];
    let blocks = blocks(answer, asked);
    let said = answer
        .said
        .iter()
        .filter(|said| !matches!(said, Said::Own(provider, _) if provider != "anthropic"));
    for (index, (block, said)) in blocks.iter().zip(said).enumerate() {
        let delta = |delta: Value| {
            event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
        };
        let start = |block: Value| {
            event(json!({"type": "content_block_start", "index": index, "content_block": block}))
        };
        match said {
            Said::Text(pieces) => {
                frames.push(start(json!({"type": "text", "text": ""})));
                frames.extend(
                    pieces
                        .iter()
                        .map(|text| delta(json!({"type": "text_delta", "text": text}))),
                );
            }
            Said::Refusal(text) => {
                frames.push(start(json!({"type": "text", "text": ""})));
                frames.push(delta(json!({"type": "text_delta", "text": text})));
            }
            Said::Reasoning(text) => {
                frames.push(start(
                    json!({"type": "thinking", "thinking": "", "signature": ""}),
                ));
                frames.push(delta(json!({"type": "thinking_delta", "thinking": text})));
                frames.push(delta(
                    json!({"type": "signature_delta", "signature": signature(asked)}),
                ));
            }
            Said::Call(call) => {
                let mut begun = block.clone();
                if let Some(begun) = begun.as_object_mut() {
                    begun.insert("input".into(), json!({}));
                }
                frames.push(start(begun));
                frames.push(delta(
                    json!({"type": "input_json_delta", "partial_json": ""}),
                ));
                for fragment in answer.fragments(&call.arguments) {
                    let more = json!({"type": "input_json_delta", "partial_json": fragment});
                    frames.push(delta(more).of_call());
                }
            }
            Said::Own(..) => frames.push(start(block.clone())),
        }
        frames.push(event(json!({"type": "content_block_stop", "index": index})));
    }
    let end = json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop_reason(answer), "stop_sequence": null},
        "usage": usage(answer, answer.usage.output_tokens),
    });
    frames.push(event(end).of_end());
    frames.push(event(json!({"type": "message_stop"})).of_end());
    frames
}

/// Thoughts come back beside the calls that they led to.
pub(super) fn remember(answer: &Answer, asked: &Asked, memory: &mut Memory) {
    let blocks = blocks(answer, asked);
    let is = |block: &&Value, kind: &str| block.get("type").is_some_and(|found| found == kind);
    for call in blocks.iter().filter(|block| is(block, "tool_use")) {
        let Some(id) = call.get("id").and_then(Value::as_str) else {
            continue;
        };
        for thought in blocks.iter().filter(|block| is(block, "thinking")) {
            memory.echoes.push(Echo {
                call_id: id.to_owned(),
                piece: thought.clone(),
            });
        }
    }
}

pub(super) fn error(problem: &Problem) -> Value {
    let kind = match (problem.code.as_deref(), problem.status) {
        (Some(code), _) => code,
        (None, 400 | 405 | 415) => "invalid_request_error",
        (None, 401) => "authentication_error",
        (None, 402) => "billing_error",
        (None, 403) => "permission_error",
        (None, 404) => "not_found_error",
        (None, 413) => "request_too_large",
        (None, 429) => "rate_limit_error",
        (None, 504) => "timeout_error",
        (None, 529) => "overloaded_error",
        (None, 500..) => "api_error",
        (None, _) => "invalid_request_error",
    };
    json!({
        "type": "error",
        "error": {"type": kind, "message": problem.message},
        "request_id": "req_fake",
    })
}

pub(super) fn error_in_stream(problem: &Problem) -> Vec<u8> {
    Frame::event("error", &error(problem)).bytes
}

fn stop_reason(answer: &Answer) -> &str {
    match &answer.finish {
        _ if answer.refusal().is_some() => "refusal",
        FinishReason::Stop => "end_turn",
        FinishReason::ToolCalls => "tool_use",
        FinishReason::Length => "max_tokens",
        FinishReason::Refusal | FinishReason::ContentFilter => "refusal",
        FinishReason::Pause => "pause_turn",
        other => other.as_str(),
    }
}

/// What was read from the cache or written to it is not among the input tokens here.
fn usage(answer: &Answer, output: u64) -> Value {
    let usage = &answer.usage;
    let (read, written) = (
        usage.cache_read_input_tokens,
        usage.cache_write_input_tokens,
    );
    json!({
        "input_tokens": usage.input_tokens.saturating_sub(read).saturating_sub(written),
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": read,
        "cache_creation": {"ephemeral_5m_input_tokens": written, "ephemeral_1h_input_tokens": 0},
        "output_tokens": output,
        "output_tokens_details": {"thinking_tokens": usage.reasoning_output_tokens},
        "service_tier": "standard",
    })
}
