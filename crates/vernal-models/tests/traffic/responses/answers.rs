//! A recorded answer as the adapter reads it, against what the independent reader says of it.

use serde_json::Value;
use vernal_core::message::{FinishReason, Message, PartContent};
use vernal_core::model::{ChatModel, ChatResponse};

use super::model::model;
use crate::hearing::{same, same_if_said};
use crate::support::canned::Canned;
use crate::support::view::{Told, View, view};

/// Compares what a stream told with the reading, and with the answer that its end holds.
pub(super) async fn told(
    reading: &Value,
    response: &Value,
    told: &Told,
    answer: &ChatResponse,
) -> Result<(), String> {
    compare_told(reading, told, answer)?;
    compare_with_end(response["body"].as_str().unwrap_or_default(), answer).await
}

/// What was told is what the deltas say, or the whole answer where there were none. Some recordings
/// were shortened: their deltas say less than their end.
fn compare_told(reading: &Value, told: &Told, streamed: &ChatResponse) -> Result<(), String> {
    let view = view(streamed);
    for (name, found) in [("text", &told.text), ("reasoning", &told.reasoning)] {
        let deltas = &reading["told"][name];
        let said = if deltas == "" { &reading[name] } else { deltas };
        same(&format!("told {name}"), said, found)?;
    }
    let ours: Vec<&str> = view
        .calls
        .iter()
        .map(|(_, _, arguments)| arguments.as_str())
        .collect();
    let filled = told
        .arguments
        .iter()
        .map(|text| if text.is_empty() { "{}" } else { text });
    if filled.collect::<Vec<_>>() != ours {
        return Err(format!(
            "arguments: {ours:?} were told as {:?}",
            told.arguments
        ));
    }
    Ok(())
}

/// The event that ends a stream holds the whole answer: as a call, it gives the same.
async fn compare_with_end(body: &str, streamed: &ChatResponse) -> Result<(), String> {
    let events = body
        .lines()
        .filter_map(|line| line.trim_end().strip_prefix("data:"));
    let ends = events
        .filter_map(|data| serde_json::from_str::<Value>(data).ok())
        .find(|event| {
            matches!(
                event["type"].as_str(),
                Some("response.completed" | "response.incomplete")
            )
        });
    let Some(end) = ends.filter(|end| end["response"]["output"] != Value::Array(Vec::new())) else {
        return Ok(());
    };
    let whole = Canned::new(end["response"].to_string());
    let called = model(&whole)
        .call("hi".into())
        .await
        .map_err(|error| error.to_string())?;
    // The id may be another one with each event; the reading is compared with the first.
    let of = |response: &ChatResponse| View {
        id: None,
        ..shape(&view(response))
    };
    let same = of(&called) == of(streamed);
    if same {
        Ok(())
    } else {
        Err("the end of the stream says something else".to_owned())
    }
}

/// A view without the data on parts, which may be encrypted anew.
fn shape(view: &View) -> View {
    let kind = |part: &String| part.split(' ').next().unwrap().to_owned();
    View {
        parts: view.parts.iter().map(kind).collect(),
        ..view.clone()
    }
}

/// Compares an answer with a reading; the error says what differs.
pub(super) fn compare(reading: &Value, response: &ChatResponse) -> Result<(), String> {
    let view = view(response);
    same("text", &reading["text"], &view.text)?;
    same("reasoning", &reading["reasoning"], &view.reasoning)?;
    same("refusal", &reading["refusal"], &view.refusal)?;
    compare_calls(reading, &view)?;
    compare_usage(reading, &view)?;
    compare_items(reading, &response.generations[0].message)?;
    let expected = expected_finish(reading);
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
        let agrees = match serde_json::from_str::<Value>(arguments) {
            Ok(value) => value == expected["value"],
            Err(_) => expected["arguments"].as_str() == Some(arguments),
        };
        if !agrees {
            return Err(format!(
                "arguments: {} is {arguments:?}",
                expected["arguments"]
            ));
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
            "cache_write": usage.cache_write_input_tokens,
            "reasoning": usage.reasoning_output_tokens,
        })
    });
    if found.unwrap_or(Value::Null) == *expected {
        Ok(())
    } else {
        Err(format!("usage: {expected} is {:?}", view.usage))
    }
}

/// Every item has its parts, in order, and is kept whole on the first of them.
fn compare_items(reading: &Value, message: &Message) -> Result<(), String> {
    let mut parts = message.parts().iter();
    for item in reading["items"].as_array().unwrap() {
        let kind = item["type"].as_str().unwrap_or_default();
        let pieces = item["content"].as_array().into_iter().flatten();
        let filled = |piece: &&Value| {
            let said = piece["text"].as_str().or(piece["refusal"].as_str());
            said.is_some_and(|text| !text.is_empty())
        };
        let count = if kind == "message" {
            pieces.filter(filled).count().max(1)
        } else {
            1
        };
        for number in 0..count {
            let part = parts
                .next()
                .ok_or_else(|| format!("the item {item} has no part"))?;
            let fits = match &part.content {
                PartContent::Text(_) | PartContent::Refusal(_) => kind == "message",
                PartContent::Reasoning(_) => kind == "reasoning",
                PartContent::ToolCall(_) => kind.ends_with("_call"),
                _ => true,
            };
            let kept = part.provider_data("compatible-responses");
            let kept = kept.map(|raw| serde_json::from_str::<Value>(raw.get()).unwrap());
            let whole = match &part.content {
                PartContent::ToolCall(_) => compare_call_data(item, kept.as_ref()),
                _ if number > 0 => kept.is_none(),
                _ => kept.as_ref() == Some(item),
            };
            if !fits || !whole {
                return Err(format!("the item {item} is kept as {kept:?}"));
            }
        }
    }
    match parts.next() {
        Some(part) => Err(format!("the part {part:?} has no item")),
        None => Ok(()),
    }
}

/// A call keeps what is not in the call itself.
fn compare_call_data(item: &Value, kept: Option<&Value>) -> bool {
    let mut usual = vec!["call_id", "name", "arguments", "input", "status"];
    if item["type"] == "function_call" {
        usual.push("type");
    }
    let others = item
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, value)| !usual.contains(&name.as_str()) && !value.is_null());
    let others: serde_json::Map<_, _> = others.map(|(n, v)| (n.clone(), v.clone())).collect();
    kept.map_or(others.is_empty(), |kept| kept.as_object() == Some(&others))
}

fn expected_finish(reading: &Value) -> Option<FinishReason> {
    let has_calls = !reading["calls"].as_array().unwrap().is_empty();
    let only_refuses = reading["refusal"] != "" && reading["text"] == "";
    Some(match reading["ended"].as_str()? {
        "completed" | "complete" if has_calls => FinishReason::ToolCalls,
        "completed" | "complete" if only_refuses => FinishReason::Refusal,
        "completed" | "complete" => FinishReason::Stop,
        "max_output_tokens" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        other => FinishReason::Other(other.into()),
    })
}
