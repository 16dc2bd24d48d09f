//! Recorded answers of Gemini and of Ollama, whose readers say the same of an answer.

use serde_json::Value;
use vernal_core::message::FinishReason;
use vernal_core::model::ChatResponse;

use crate::hearing::{same, same_if_said};
use crate::support::view::{View, view};

/// Compares an answer with a reading; the error says what differs.
pub(crate) fn compare(reading: &Value, response: &ChatResponse) -> Result<(), String> {
    let view = view(response);
    same("text", &reading["text"], &view.text)?;
    same("reasoning", &reading["reasoning"], &view.reasoning)?;
    same_if_said("model", &reading["model"], view.model.as_deref())?;
    same_if_said("id", &reading["id"], view.id.as_deref())?;
    compare_calls(reading, &view)?;
    compare_usage(reading, &view)?;
    compare_signatures(reading, &view)?;
    let calls = !view.calls.is_empty();
    let expected = expected_finish(reading["finish_reason"].as_str(), calls);
    if expected == view.finish {
        Ok(())
    } else {
        Err(format!("finish: {expected:?} is {:?}", view.finish))
    }
}

fn compare_calls(reading: &Value, view: &View) -> Result<(), String> {
    let expected = reading["calls"].as_array().unwrap();
    if expected.len() != view.calls.len() {
        return Err(format!("{} calls are {}", expected.len(), view.calls.len()));
    }
    for (expected, (id, name, arguments)) in expected.iter().zip(&view.calls) {
        let same_id = match expected["id"].as_str() {
            None | Some("") => id.starts_with("call_"),
            Some(given) => given == id,
        };
        let arguments: Value = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
        if !same_id || expected["name"] != **name || expected["arguments"] != arguments {
            return Err(format!("{expected} is {id} {name} {arguments}"));
        }
    }
    Ok(())
}

fn compare_usage(reading: &Value, view: &View) -> Result<(), String> {
    let expected = &reading["usage"];
    let found = view.usage.map(|usage| {
        serde_json::json!({
            "input": usage.input_tokens,
            "output": usage.output_tokens,
            "total": usage.total_tokens,
            "cached": usage.cache_read_input_tokens,
            "reasoning": usage.reasoning_output_tokens,
        })
    });
    if *expected == found.clone().unwrap_or_default() {
        Ok(())
    } else {
        Err(format!("usage: {expected} is {found:?}"))
    }
}

/// Every signature stands on a part, in the order in which it came.
fn compare_signatures(reading: &Value, view: &View) -> Result<(), String> {
    let found: String = view.parts.join(" ");
    let mut rest = found.as_str();
    for signature in reading["signatures"].as_array().into_iter().flatten() {
        let signature = signature.as_str().unwrap();
        let Some((_, after)) = rest.split_once(signature) else {
            return Err(format!("the signature {signature} is not in its place"));
        };
        rest = after;
    }
    Ok(())
}

fn expected_finish(raw: Option<&str>, calls: bool) -> Option<FinishReason> {
    Some(match raw? {
        "stop" | "STOP" if calls => FinishReason::ToolCalls,
        "stop" | "STOP" => FinishReason::Stop,
        "length" | "MAX_TOKENS" => FinishReason::Length,
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => FinishReason::Malformed,
        other => FinishReason::Other(other.into()),
    })
}
