//! An answer in the words of the API.

use serde_json::{Map, Value, json};
use vernal_core::message::{FinishReason, Usage};

use crate::fake::answer::{Answer, Said, SaidCall};
use crate::fake::dialect::{Asked, Frame, Problem};

const CREATED: u64 = 1_764_608_400;

pub(super) fn whole(answer: &Answer, asked: &Asked) -> Value {
    let mut message = Map::new();
    let text = answer.text();
    let content =
        match text.is_empty() && (answer.calls().next().is_some() || answer.refusal().is_some()) {
            true => Value::Null,
            false => text.into(),
        };
    message.insert("role".into(), "assistant".into());
    message.insert("content".into(), content);
    message.insert("refusal".into(), answer.refusal().into());
    let reasoning = answer.reasoning();
    if !reasoning.is_empty() {
        message.insert("reasoning_content".into(), reasoning.into());
    }
    let calls: Vec<Value> = answer
        .calls()
        .enumerate()
        .map(|(index, call)| {
            json!({
                "id": id_of(call, index, asked),
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            })
        })
        .collect();
    if !calls.is_empty() {
        message.insert("tool_calls".into(), calls.into());
    }
    json!({
        "id": response_id(answer, asked),
        "object": "chat.completion",
        "created": CREATED,
        "model": asked.model,
        "choices": [{
            "index": 0,
            "message": message,
            "logprobs": null,
            "finish_reason": finish(&answer.finish),
        }],
        "usage": usage(&answer.usage),
        "service_tier": "default",
        "system_fingerprint": "fp_fake",
    })
}

pub(super) fn stream(answer: &Answer, asked: &Asked) -> Vec<Frame> {
    chunks(answer, asked, None)
}

/// The chunks of a stream. A piece of the given provider's own is a chunk as it is.
pub(super) fn chunks(answer: &Answer, asked: &Asked, own: Option<&str>) -> Vec<Frame> {
    let mut frames = Vec::new();
    let chunk = |delta: Value, finish: Value| {
        let choices =
            json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}]);
        Frame::data(&chunk_of(answer, asked, choices, Value::Null))
    };
    let delta = |delta: Value| chunk(delta, Value::Null);
    frames.push(delta(
        json!({"role": "assistant", "content": "", "refusal": null}),
    ));
    let mut index = 0;
    for said in &answer.said {
        match said {
            Said::Text(pieces) => {
                frames.extend(pieces.iter().map(|text| delta(json!({"content": text}))));
            }
            Said::Reasoning(text) => frames.push(delta(json!({"reasoning_content": text}))),
            Said::Refusal(text) => frames.push(delta(json!({"refusal": text}))),
            Said::Call(call) => {
                let id = id_of(call, index, asked);
                let function = json!({"name": call.name, "arguments": ""});
                let begun =
                    json!({"index": index, "id": id, "type": "function", "function": function});
                frames.push(delta(json!({"tool_calls": [begun]})));
                for fragment in answer.fragments(&call.arguments) {
                    let more = json!({"index": index, "function": {"arguments": fragment}});
                    frames.push(delta(json!({"tool_calls": [more]})).of_call());
                }
                index += 1;
            }
            Said::Own(provider, chunk) if own == Some(provider) => frames.push(Frame::data(chunk)),
            Said::Own(..) => {}
        }
    }
    frames.push(chunk(json!({}), finish(&answer.finish).into()).of_end());
    if asked.wants_usage {
        let last = chunk_of(answer, asked, json!([]), usage(&answer.usage));
        frames.push(Frame::data(&last).of_end());
    }
    frames.push(Frame::plain("data: [DONE]\n\n").of_end());
    frames
}

fn chunk_of(answer: &Answer, asked: &Asked, choices: Value, usage: Value) -> Value {
    let mut chunk = json!({
        "id": response_id(answer, asked),
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": asked.model,
        "service_tier": "default",
        "system_fingerprint": "fp_fake",
        "choices": choices,
        // Padding, which a client leaves alone.
        "obfuscation": "fake",
    });
    if asked.wants_usage
        && let Some(chunk) = chunk.as_object_mut()
    {
        chunk.insert("usage".into(), usage);
    }
    chunk
}

pub(crate) fn error(problem: &Problem) -> Value {
    let kind = match problem.status {
        429 if problem.code.as_deref() == Some("insufficient_quota") => "insufficient_quota",
        429 => "rate_limit_exceeded",
        500.. => "server_error",
        _ => "invalid_request_error",
    };
    json!({"error": {
        "message": problem.message,
        "type": kind,
        "param": problem.param,
        "code": problem.code,
    }})
}

pub(super) fn error_in_stream(problem: &Problem) -> Vec<u8> {
    Frame::data(&error(problem)).bytes
}

fn response_id(answer: &Answer, asked: &Asked) -> String {
    match &answer.id {
        Some(id) => id.to_string(),
        None => asked.id("chatcmpl-"),
    }
}

fn id_of(call: &SaidCall, index: usize, asked: &Asked) -> String {
    match &call.id {
        Some(id) => id.to_string(),
        None => asked.call_id("call_", index),
    }
}

fn finish(reason: &FinishReason) -> &str {
    match reason {
        FinishReason::Stop | FinishReason::Refusal => "stop",
        FinishReason::ToolCalls => "tool_calls",
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content_filter",
        other => other.as_str(),
    }
}

fn usage(usage: &Usage) -> Value {
    json!({
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.total_tokens,
        "prompt_tokens_details": {
            "cached_tokens": usage.cache_read_input_tokens,
            "cache_write_tokens": usage.cache_write_input_tokens,
            "audio_tokens": 0,
        },
        "completion_tokens_details": {
            "reasoning_tokens": usage.reasoning_output_tokens,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    })
}
