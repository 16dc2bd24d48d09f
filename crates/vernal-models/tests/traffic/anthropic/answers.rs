//! A recorded answer as the adapter reads it, against what the independent reader says of it.

use serde_json::Value;
use vernal_core::message::{FinishReason, Message, PartContent};
use vernal_core::model::ChatResponse;

use crate::hearing::{same, same_if_said};
use crate::support::view::{View, view};

/// Compares an answer with a reading; the error says what differs.
pub(super) fn compare(reading: &Value, response: &ChatResponse) -> Result<(), String> {
    let view = view(response);
    same("text", &reading["text"], &view.text)?;
    same("reasoning", &reading["reasoning"], &view.reasoning)?;
    compare_calls(reading, &view)?;
    compare_usage(reading, &view)?;
    compare_opaque(reading, &response.generations[0].message)?;
    let expected = expected_finish(&reading["stop_reason"]);
    if expected != view.finish {
        return Err(format!("finish: {expected:?} is {:?}", view.finish));
    }
    same_if_said("id", &reading["id"], view.id.as_deref())?;
    same_if_said("model", &reading["model"], view.model.as_deref())
}

fn compare_calls(reading: &Value, view: &View) -> Result<(), String> {
    let expected = reading["calls"].as_array().unwrap();
    if expected.len() != view.calls.len() {
        return Err(format!("{} calls are {}", expected.len(), view.calls.len()));
    }
    for (expected, (id, name, arguments)) in expected.iter().zip(&view.calls) {
        same("name", &expected["name"], name)?;
        same("call id", &expected["id"], id)?;
        let raw = expected["arguments"].as_str().unwrap();
        let cut = view.finish == Some(FinishReason::Length);
        let agrees = match serde_json::from_str::<Value>(arguments) {
            Ok(value) => value == expected["input"],
            // An input that was cut stays as it came.
            Err(_) => cut && (raw == arguments || raw == "{}" && arguments.is_empty()),
        };
        if !agrees {
            return Err(format!("arguments: {raw:?} is {arguments:?}"));
        }
    }
    Ok(())
}

fn compare_usage(reading: &Value, view: &View) -> Result<(), String> {
    let expected = &reading["usage"];
    let Some(usage) = view.usage else {
        return if expected.is_null() {
            Ok(())
        } else {
            Err(format!("usage: {expected} is none"))
        };
    };
    let count = |name: &str| expected[name].as_u64().unwrap_or(0);
    let read = count("cache_read_input_tokens");
    let written = count("cache_creation_input_tokens");
    let input = count("input_tokens") + read + written;
    let output = count("output_tokens");
    let agrees = (usage.input_tokens, usage.output_tokens, usage.total_tokens)
        == (input, output, input + output)
        && (
            usage.cache_read_input_tokens,
            usage.cache_write_input_tokens,
        ) == (read, written)
        && usage.reasoning_output_tokens == count("thinking_tokens");
    if agrees {
        Ok(())
    } else {
        Err(format!("usage: {expected} is {usage:?}"))
    }
}

/// Every block has its part, in order, and what only the provider understands is kept whole.
fn compare_opaque(reading: &Value, message: &Message) -> Result<(), String> {
    let blocks = reading["blocks"].as_array().unwrap();
    let silent = |block: &&Value| block["type"] == "text" && block["text"] == "" && !cites(block);
    let blocks: Vec<_> = blocks.iter().filter(|block| !silent(block)).collect();
    if blocks.len() != message.parts().len() {
        return Err(format!(
            "{} blocks are {} parts",
            blocks.len(),
            message.parts().len()
        ));
    }
    for (block, part) in blocks.into_iter().zip(message.parts()) {
        let kind = block["type"].as_str().unwrap_or_default();
        let fits = match &part.content {
            PartContent::Text(_) => kind == "text",
            PartContent::Reasoning(_) => kind == "thinking",
            PartContent::ToolCall(_) => kind == "tool_use",
            _ => true,
        };
        let kept = part.provider_data("anthropic");
        let kept = kept.map(|raw| serde_json::from_str::<Value>(raw.get()).unwrap());
        let whole = match kind {
            "tool_use" => true,
            "text" if !cites(block) => kept.is_none(),
            _ => kept.as_ref() == Some(block),
        };
        if !fits || !whole {
            return Err(format!("the block {block} is kept as {kept:?}"));
        }
    }
    Ok(())
}

fn cites(block: &Value) -> bool {
    block["citations"]
        .as_array()
        .is_some_and(|list| !list.is_empty())
}

fn expected_finish(raw: &Value) -> Option<FinishReason> {
    Some(match raw.as_str()? {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "tool_use" => FinishReason::ToolCalls,
        "pause_turn" => FinishReason::Pause,
        "refusal" => FinishReason::Refusal,
        other => FinishReason::Other(other.into()),
    })
}
