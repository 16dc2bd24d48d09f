//! A recorded answer as the adapter reads it, against what the independent reader says of it.

use serde_json::Value;
use vernal_core::message::{FinishReason, Message, PartContent};
use vernal_core::model::{ChatModel, ChatResponse, ModelError};

use crate::model::model;
use crate::support::canned::Canned;
use crate::support::view::{Told, View, collect, view};

/// What the adapter makes of a response, compared with a reading; the error says what differs.
pub(crate) async fn hear(reading: &Value, response: &Value) -> Result<View, String> {
    let status = response["status"].as_u64().unwrap() as u16;
    let body = response["body"]
        .as_str()
        .map_or_else(|| response["body"].to_string(), str::to_owned);
    let canned = Canned::new(body.clone()).with_status(status);
    let called = model(&canned).call("hi".into()).await;
    if reading["stream"] == true {
        let (told, streamed) = stream(&canned).await;
        // A stream read whole is what a call gives.
        assert_eq!(
            streamed.as_ref().ok().map(view),
            called.as_ref().ok().map(view)
        );
        if let Ok(streamed) = &streamed {
            compare_told(reading, &told, streamed)?;
            compare_with_end(&body, streamed).await?;
        }
    }
    if reading["kind"] == "error" {
        compare_error(reading, called.as_ref().err())?;
        return Ok(View::default());
    }
    let called = called.map_err(|error| format!("an error: {error}"))?;
    compare(reading, &called)?;
    Ok(view(&called))
}

/// The answer of a stream, which is the same however it is cut.
async fn stream(canned: &Canned) -> (Told, Result<ChatResponse, ModelError>) {
    let mut first: Option<(Told, Result<View, String>)> = None;
    let mut last = None;
    for piece in [1, 7, usize::MAX] {
        let stream = model(&canned.clone().in_pieces(piece)).stream("hi".into());
        let (told, end) = collect(stream).await;
        let seen = (
            told.clone(),
            end.as_ref().map(view).map_err(ToString::to_string),
        );
        match &first {
            Some(first) => assert_eq!(first, &seen, "pieces of {piece} bytes"),
            None => first = Some(seen),
        }
        last = Some((told, end));
    }
    last.unwrap()
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
pub(crate) fn shape(view: &View) -> View {
    let kind = |part: &String| part.split(' ').next().unwrap().to_owned();
    View {
        parts: view.parts.iter().map(kind).collect(),
        ..view.clone()
    }
}

fn compare(reading: &Value, response: &ChatResponse) -> Result<(), String> {
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

fn compare_error(reading: &Value, error: Option<&ModelError>) -> Result<(), String> {
    let error = error.ok_or("no error was seen")?;
    let status = reading["status"].as_u64().map(|status| status as u16);
    if status >= Some(400) && error.status() != status {
        return Err(format!("status {status:?} is {:?}", error.status()));
    }
    let message = reading["error"].as_str().unwrap();
    if error.to_string().contains(message) {
        Ok(())
    } else {
        Err(format!("`{error}` does not say `{message}`"))
    }
}

fn same(what: &str, expected: &Value, found: &str) -> Result<(), String> {
    if expected.as_str() == Some(found) {
        Ok(())
    } else {
        Err(format!("{what}: {expected} is {found:?}"))
    }
}

fn same_if_said(what: &str, expected: &Value, found: Option<&str>) -> Result<(), String> {
    let expected = expected.as_str().filter(|text| !text.is_empty());
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: {expected:?} is {found:?}"))
    }
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
