//! An answer in the words of the API.

use serde_json::{Map, Value, json};
use vernal_core::message::FinishReason;

use crate::fake::answer::{Answer, Said};
use crate::fake::dialect::{Asked, Echo, Frame, Memory, Problem};

pub(super) fn whole(answer: &Answer, asked: &Asked) -> Value {
    let parts = parts(answer, asked).into_iter().flatten().collect();
    last(parts, answer, asked)
}

/// The parts, those of one thing that is said together.
fn parts(answer: &Answer, asked: &Asked) -> Vec<Vec<Value>> {
    let thinks = !answer.reasoning().is_empty() || signs_always(&asked.model);
    let mut calls = 0;
    let of_said = |said: &Said| match said {
        Said::Text(pieces) => pieces.iter().map(|text| json!({"text": text})).collect(),
        Said::Refusal(text) => vec![json!({"text": text})],
        Said::Reasoning(text) => vec![json!({"text": text, "thought": true})],
        Said::Call(call) => {
            let id = match &call.id {
                Some(id) => id.to_string(),
                None => asked.call_id("", calls),
            };
            let mut part = Map::new();
            let called = json!({"id": id, "name": call.name, "args": call.value()});
            part.insert("functionCall".into(), called);
            // Of several calls the first one carries what the model has thought.
            if thinks && calls == 0 {
                let signature = format!("ZmFrZXNpZ25hdHVyZS{:06}", asked.number);
                part.insert("thoughtSignature".into(), signature.into());
            }
            calls += 1;
            vec![part.into()]
        }
        Said::Own(provider, part) if provider == "gemini" => vec![part.clone()],
        Said::Own(..) => Vec::new(),
    };
    answer.said.iter().map(of_said).collect()
}

/// Whether a model signs the calls of every step, and wants the signatures back.
pub(super) fn signs_always(model: &str) -> bool {
    model.starts_with("gemini-3")
}

fn chunk(parts: Vec<Value>, answer: &Answer, asked: &Asked) -> Value {
    let id = match &answer.id {
        Some(id) => id.to_string(),
        None => asked.id(""),
    };
    json!({
        "candidates": [{"content": {"parts": parts, "role": "model"}, "index": 0}],
        "modelVersion": asked.model,
        "responseId": id,
    })
}

fn last(parts: Vec<Value>, answer: &Answer, asked: &Asked) -> Value {
    let mut chunk = chunk(parts, answer, asked);
    if let Some(candidate) = chunk
        .pointer_mut("/candidates/0")
        .and_then(Value::as_object_mut)
    {
        candidate.insert("finishReason".into(), finish(answer).into());
    }
    if let Some(chunk) = chunk.as_object_mut() {
        chunk.insert("usageMetadata".into(), usage(answer));
    }
    chunk
}

pub(super) fn stream(answer: &Answer, asked: &Asked) -> Vec<Frame> {
    let mut frames = Vec::new();
    for parts in parts(answer, asked) {
        for part in parts {
            let is_call = part.get("functionCall").is_some();
            let frame = Frame::data(&chunk(vec![part], answer, asked));
            frames.push(if is_call { frame.of_call() } else { frame });
        }
    }
    let end = last(vec![json!({"text": ""})], answer, asked);
    frames.push(Frame::data(&end).of_end());
    frames
}

/// A signature comes back on the part of its call.
pub(super) fn remember(answer: &Answer, asked: &Asked, memory: &mut Memory) {
    for part in parts(answer, asked).into_iter().flatten() {
        let id = part.pointer("/functionCall/id").and_then(Value::as_str);
        if let Some(id) = id.filter(|_| part.get("thoughtSignature").is_some()) {
            let call_id = id.to_owned();
            memory.echoes.push(Echo {
                call_id,
                piece: part,
            });
        }
    }
}

pub(super) fn error(problem: &Problem) -> Value {
    let status = match problem.status {
        400 | 405 | 415 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        408 | 504 => "DEADLINE_EXCEEDED",
        429 => "RESOURCE_EXHAUSTED",
        503 | 529 => "UNAVAILABLE",
        _ => "INTERNAL",
    };
    let status = problem.code.as_deref().unwrap_or(status);
    let details: Vec<Value> = problem
        .wait
        .map(|seconds| {
            json!({
                "@type": "type.googleapis.com/google.rpc.RetryInfo",
                "retryDelay": format!("{seconds}s"),
            })
        })
        .into_iter()
        .collect();
    json!({"error": {
        "code": problem.status,
        "message": problem.message,
        "status": status,
        "details": details,
    }})
}

pub(super) fn error_in_stream(problem: &Problem) -> Vec<u8> {
    Frame::data(&error(problem)).bytes
}

fn finish(answer: &Answer) -> &str {
    match &answer.finish {
        _ if answer.refusal().is_some() => "PROHIBITED_CONTENT",
        // Calls have no reason of their own.
        FinishReason::Stop | FinishReason::ToolCalls => "STOP",
        FinishReason::Length => "MAX_TOKENS",
        FinishReason::ContentFilter => "SAFETY",
        FinishReason::Refusal => "PROHIBITED_CONTENT",
        FinishReason::Malformed => "MALFORMED_FUNCTION_CALL",
        other => other.as_str(),
    }
}

/// Thoughts are not among the tokens of the candidates here.
fn usage(answer: &Answer) -> Value {
    let usage = &answer.usage;
    json!({
        "promptTokenCount": usage.input_tokens,
        "cachedContentTokenCount": usage.cache_read_input_tokens,
        "candidatesTokenCount": usage.output_tokens.saturating_sub(usage.reasoning_output_tokens),
        "thoughtsTokenCount": usage.reasoning_output_tokens,
        "totalTokenCount": usage.total_tokens,
    })
}
