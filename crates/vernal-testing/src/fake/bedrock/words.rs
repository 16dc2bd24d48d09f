//! An answer in the words of the API.

use serde_json::{Value, json};
use vernal_core::message::FinishReason;

use super::event_stream::message;
use crate::fake::answer::{Answer, Said, SaidCall};
use crate::fake::dialect::{Asked, Echo, Frame, Memory, Problem};

pub(super) fn whole(answer: &Answer, asked: &Asked) -> Value {
    json!({
        "output": {"message": {"role": "assistant", "content": blocks(answer, asked)}},
        "stopReason": stop_reason(answer),
        "usage": usage(answer),
        "metrics": {"latencyMs": 1},
    })
}

fn blocks(answer: &Answer, asked: &Asked) -> Vec<Value> {
    let mut calls = 0;
    let block = |said: &Said| match said {
        Said::Text(pieces) => Some(json!({"text": pieces.concat()})),
        Said::Refusal(text) => Some(json!({"text": text})),
        Said::Reasoning(text) => Some(thought(text, asked)),
        Said::Call(call) => {
            let id = id_of(call, calls, asked);
            calls += 1;
            let used = json!({"toolUseId": id, "name": call.name, "input": call.value()});
            Some(json!({"toolUse": used}))
        }
        Said::Own(provider, block) => (provider == "bedrock").then(|| block.clone()),
    };
    answer.said.iter().filter_map(block).collect()
}

fn thought(text: &str, asked: &Asked) -> Value {
    let said = json!({"text": text, "signature": signature(asked)});
    json!({"reasoningContent": {"reasoningText": said}})
}

fn signature(asked: &Asked) -> String {
    format!("ZmFrZXNpZ25hdHVyZS{:06}", asked.number)
}

fn id_of(call: &SaidCall, index: usize, asked: &Asked) -> String {
    match &call.id {
        Some(id) => id.to_string(),
        None => asked.call_id("tooluse_", index),
    }
}

pub(super) fn stream(answer: &Answer, asked: &Asked) -> Vec<Frame> {
    let event = |name: &str, value: Value| Frame::plain(message("event", name, &value));
    let mut frames = vec![event("messageStart", json!({"role": "assistant"}))];
    let mut calls = 0;
    let mut index = 0;
    for said in &answer.said {
        let delta = |delta: Value| {
            event(
                "contentBlockDelta",
                json!({"contentBlockIndex": index, "delta": delta}),
            )
        };
        match said {
            Said::Text(pieces) => {
                frames.extend(pieces.iter().map(|text| delta(json!({"text": text}))));
            }
            Said::Refusal(text) => frames.push(delta(json!({"text": text}))),
            Said::Reasoning(text) => {
                frames.push(delta(json!({"reasoningContent": {"text": text}})));
                let signature = json!({"signature": signature(asked)});
                frames.push(delta(json!({"reasoningContent": signature})));
            }
            Said::Call(call) => {
                let used = json!({"toolUseId": id_of(call, calls, asked), "name": call.name});
                let start = json!({"contentBlockIndex": index, "start": {"toolUse": used}});
                frames.push(event("contentBlockStart", start));
                for fragment in answer.fragments(&call.arguments) {
                    frames.push(delta(json!({"toolUse": {"input": fragment}})).of_call());
                }
                calls += 1;
            }
            Said::Own(..) => continue,
        }
        frames.push(event(
            "contentBlockStop",
            json!({"contentBlockIndex": index}),
        ));
        index += 1;
    }
    frames.push(event("messageStop", json!({"stopReason": stop_reason(answer)})).of_end());
    let end = json!({"usage": usage(answer), "metrics": {"latencyMs": 1}});
    frames.push(event("metadata", end).of_end());
    frames
}

/// Thoughts come back beside the calls that they led to.
pub(super) fn remember(answer: &Answer, asked: &Asked, memory: &mut Memory) {
    let blocks = blocks(answer, asked);
    for call in &blocks {
        let Some(id) = call.pointer("/toolUse/toolUseId").and_then(Value::as_str) else {
            continue;
        };
        for thought in blocks
            .iter()
            .filter(|block| block.get("reasoningContent").is_some())
        {
            memory.echoes.push(Echo {
                call_id: id.to_owned(),
                piece: thought.clone(),
            });
        }
    }
}

/// The name of an error.
pub(super) fn exception(problem: &Problem) -> &str {
    match (problem.code.as_deref(), problem.status) {
        (Some(code), _) => code,
        (None, 403) => "AccessDeniedException",
        (None, 401) => "UnrecognizedClientException",
        (None, 404) => "ResourceNotFoundException",
        (None, 408) => "ModelTimeoutException",
        (None, 424) => "ModelErrorException",
        (None, 429) => "ThrottlingException",
        (None, 503 | 529) => "ServiceUnavailableException",
        (None, 500..) => "InternalServerException",
        (None, _) => "ValidationException",
    }
}

pub(super) fn error(problem: &Problem) -> Value {
    json!({"message": problem.message})
}

pub(super) fn error_in_stream(problem: &Problem) -> Vec<u8> {
    // In a stream the names begin with a small letter.
    let name = match exception(problem) {
        "ThrottlingException" => "throttlingException",
        "ValidationException" => "validationException",
        "ServiceUnavailableException" => "serviceUnavailableException",
        "ModelErrorException" => "modelStreamErrorException",
        _ => "internalServerException",
    };
    message("exception", name, &error(problem))
}

fn stop_reason(answer: &Answer) -> &str {
    match &answer.finish {
        _ if answer.refusal().is_some() => "content_filtered",
        FinishReason::Stop => "end_turn",
        FinishReason::ToolCalls => "tool_use",
        FinishReason::Length => "max_tokens",
        FinishReason::ContentFilter | FinishReason::Refusal => "content_filtered",
        FinishReason::Malformed => "malformed_tool_use",
        other => other.as_str(),
    }
}

/// What was read from the cache or written to it is not among the input tokens here.
fn usage(answer: &Answer) -> Value {
    let usage = &answer.usage;
    let (read, written) = (
        usage.cache_read_input_tokens,
        usage.cache_write_input_tokens,
    );
    json!({
        "inputTokens": usage.input_tokens.saturating_sub(read).saturating_sub(written),
        "outputTokens": usage.output_tokens,
        "totalTokens": usage.total_tokens,
        "cacheReadInputTokens": read,
        "cacheWriteInputTokens": written,
    })
}
