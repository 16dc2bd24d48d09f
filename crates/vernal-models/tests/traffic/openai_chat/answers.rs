//! A recorded answer as the adapter reads it, against what the independent reader says of it.

use serde_json::Value;
use vernal_core::message::FinishReason;
use vernal_core::model::ChatResponse;

use crate::hearing::{same, same_if_said};
use crate::support::view::{View, view};

/// Compares a reading with what was heard; the error says what differs.
pub(super) fn compare(reading: &Value, response: &ChatResponse) -> Result<(), String> {
    let view = &view(response);
    same("text", &reading["text"], &view.text)?;
    same("refusal", &reading["refusal"], &view.refusal)?;
    same("reasoning", &reading["reasoning"], &view.reasoning)?;
    compare_calls(reading, view)?;
    compare_usage(reading, view)?;
    let expected = expected_finish(&reading["finish_reason"]);
    if expected != view.finish {
        let why = match reading["native_finish_reason"].as_str() {
            Some(native) => format!(" (the router's server said `{native}`)"),
            None => String::new(),
        };
        return Err(format!("finish: {expected:?} is {:?}{why}", view.finish));
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
        match expected["id"].as_str() {
            // An id that was never given is made.
            None | Some("") if id.starts_with("call_") => {}
            _ => same("call id", &expected["id"], id)?,
        }
        let cut = view.finish == Some(FinishReason::Length);
        let raw = match expected["arguments"].as_str().unwrap() {
            // Empty arguments are the empty object, unless the answer was cut.
            "" if !cut => "{}",
            raw => raw,
        };
        let parsed = |text: &str| serde_json::from_str::<Value>(text).ok();
        if raw != arguments && (parsed(raw).is_none() || parsed(raw) != parsed(arguments)) {
            return Err(format!("arguments: {raw:?} is {arguments:?}"));
        }
    }
    Ok(())
}

fn compare_usage(reading: &Value, view: &View) -> Result<(), String> {
    let usage = view.usage.unwrap_or_default();
    let expected = &reading["usage"];
    if expected.is_null() != view.usage.is_none() {
        return Err(format!("usage: {expected} is {:?}", view.usage));
    }
    let count = |name: &str| expected[name].as_u64();
    let (input, total) = (count("input").unwrap_or(0), count("total"));
    let (mut output, reasoning) = (
        count("output").unwrap_or(0),
        count("reasoning").unwrap_or(0),
    );
    // Some count reasoning beside the output; a total that holds it shows that.
    if total == Some(input + output + reasoning) {
        output += reasoning;
    }
    let found = [
        (Some(input), usage.input_tokens),
        (Some(output), usage.output_tokens),
        (total, usage.total_tokens),
        (count("cached"), usage.cache_read_input_tokens),
        (count("reasoning"), usage.reasoning_output_tokens),
    ];
    for (expected, found) in found {
        if expected.is_some_and(|expected| expected != found) {
            return Err(format!("usage: {} is {usage:?}", reading["usage"]));
        }
    }
    Ok(())
}

fn expected_finish(raw: &Value) -> Option<FinishReason> {
    Some(match raw.as_str()? {
        "" => return None,
        "stop" => FinishReason::Stop,
        "length" => FinishReason::Length,
        "tool_calls" => FinishReason::ToolCalls,
        "content_filter" => FinishReason::ContentFilter,
        other => FinishReason::Other(other.into()),
    })
}
