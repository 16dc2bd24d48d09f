//! An answer in the words of the API.

use serde_json::{Value, json};
use vernal_core::message::FinishReason;

use crate::fake::answer::{Answer, Said, SaidCall};
use crate::fake::dialect::{Asked, Frame, Problem};

const CREATED: &str = "2026-12-01T17:00:00.000000Z";

pub(super) fn whole(answer: &Answer, asked: &Asked) -> Value {
    let mut message = json!({"role": "assistant", "content": text_of(answer)});
    if let Some(message) = message.as_object_mut() {
        let thinking = answer.reasoning();
        if !thinking.is_empty() {
            message.insert("thinking".into(), thinking.into());
        }
        let calls = answer
            .calls()
            .enumerate()
            .map(|(index, call)| said_call(call, index, asked));
        let calls: Vec<Value> = calls.collect();
        if !calls.is_empty() {
            message.insert("tool_calls".into(), calls.into());
        }
    }
    done(message, answer, asked)
}

fn text_of(answer: &Answer) -> String {
    let mut text = answer.text();
    text.push_str(answer.refusal().unwrap_or_default());
    text
}

/// The last object, which says what it all has cost.
fn done(message: Value, answer: &Answer, asked: &Asked) -> Value {
    let reason = match &answer.finish {
        FinishReason::Length => "length",
        // It knows no other reason, whatever was said.
        FinishReason::ToolCalls | FinishReason::Stop | FinishReason::Refusal => "stop",
        other => other.as_str(),
    };
    json!({
        "model": asked.model,
        "created_at": CREATED,
        "message": message,
        "done": true,
        "done_reason": reason,
        "total_duration": 1_000_000,
        "load_duration": 1_000,
        "prompt_eval_count": answer.usage.input_tokens,
        "prompt_eval_duration": 1_000,
        "eval_count": answer.usage.output_tokens,
        "eval_duration": 1_000,
    })
}

fn said_call(call: &SaidCall, index: usize, asked: &Asked) -> Value {
    let id = match &call.id {
        Some(id) => id.to_string(),
        None => asked.call_id("call_", index),
    };
    json!({
        "id": id,
        "function": {"index": index, "name": call.name, "arguments": call.value()},
    })
}

pub(super) fn stream(answer: &Answer, asked: &Asked) -> Vec<Frame> {
    let line = |message: Value| {
        let whole = json!({
            "model": asked.model,
            "created_at": CREATED,
            "message": message,
            "done": false,
        });
        Frame::line(&whole)
    };
    let text = |text: &str| line(json!({"role": "assistant", "content": text}));
    let mut frames = Vec::new();
    let mut index = 0;
    for said in &answer.said {
        match said {
            Said::Text(pieces) => frames.extend(pieces.iter().map(|piece| text(piece))),
            Said::Refusal(said) => frames.push(text(said)),
            Said::Reasoning(thought) => {
                frames.push(line(
                    json!({"role": "assistant", "content": "", "thinking": thought}),
                ));
            }
            Said::Call(call) => {
                let calls = [said_call(call, index, asked)];
                let message = json!({"role": "assistant", "content": "", "tool_calls": calls});
                frames.push(line(message).of_call());
                index += 1;
            }
            Said::Own(..) => {}
        }
    }
    let last = done(json!({"role": "assistant", "content": ""}), answer, asked);
    frames.push(Frame::line(&last).of_end());
    frames
}

pub(super) fn error(problem: &Problem) -> Value {
    json!({"error": problem.message})
}

pub(super) fn error_in_stream(problem: &Problem) -> Vec<u8> {
    Frame::line(&error(problem)).bytes
}
