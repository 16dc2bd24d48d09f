//! Every recorded Chat Completions answer, read by the adapter and by an independent reader.
//!
//! The recordings are read from `VERNAL_TRAFFIC`, or from `shared/traffic` beside the project. Streams
//! are fed in pieces of 1 and 7 bytes and whole.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::canned::Canned;
use support::view::{Told, View, collect, view};
use vernal_core::message::FinishReason;
use vernal_core::model::{ChatModel, ModelError};

fn main() {
    support::run_alone("traffic", run);
}

fn run() -> Result<(), String> {
    let directory = directory()?;
    let readings = readings(&directory)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let mut tally: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut differences = Vec::new();
    let mut file: (String, Value) = Default::default();
    for reading in readings {
        if reading["kind"] == "unreadable" {
            continue;
        }
        let name = reading["file"].as_str().unwrap();
        if file.0 != name {
            let text = std::fs::read_to_string(directory.join(name)).unwrap();
            file = (name.to_owned(), serde_json::from_str(&text).unwrap());
        }
        let number = reading["exchange"].as_u64().unwrap();
        let response = &file.1["exchanges"][number as usize]["response"];
        let heard = runtime.block_on(hear(response, reading["stream"] == true));
        let found = compare(&reading, response, &heard);
        let source = name.split('/').next().unwrap();
        let provider = format!("{source}/{}", file.1["provider"].as_str().unwrap());
        let (agreed, all) = tally.entry(provider).or_default();
        *all += 1;
        match found {
            Ok(()) => *agreed += 1,
            Err(why) => differences.push(format!("{name}#{number}: {why}")),
        }
    }
    report(&tally, &differences);
    Ok(())
}

fn report(tally: &BTreeMap<String, (usize, usize)>, differences: &[String]) {
    let (mut agreed, mut all) = (0, 0);
    for (provider, (of_provider, exchanges)) in tally {
        println!("{provider:30} {of_provider:4} of {exchanges:4} agree");
        agreed += of_provider;
        all += exchanges;
    }
    println!("{:30} {agreed:4} of {all:4} agree", "all");
    for difference in differences {
        println!("  differs: {difference}");
    }
    assert!(all > 600, "only {all} chat exchanges were read");
    assert!(agreed * 100 >= all * 95, "only {agreed} of {all} agree");
}

fn directory() -> Result<PathBuf, String> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traffic");
    let directory = std::env::var_os("VERNAL_TRAFFIC").map_or(beside, PathBuf::from);
    if directory.is_dir() {
        return Ok(directory);
    }
    let hint = "there are no recordings here; set VERNAL_TRAFFIC to their folder";
    Err(hint.to_owned())
}

/// What the independent reader makes of the recordings.
fn readings(directory: &Path) -> Result<Vec<Value>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traffic/read_openai_chat.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(directory)
        .arg("--fixtures")
        .output();
    let Ok(output) = output else {
        return Err("python3 is not installed".to_owned());
    };
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8(output.stdout).unwrap();
    Ok(lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect())
}

/// What the adapter makes of a response.
struct Heard {
    /// What a stream told, and what a call gives.
    whole: Result<View, ModelError>,
}

async fn hear(response: &Value, streamed: bool) -> Heard {
    let status = response["status"].as_u64().unwrap() as u16;
    let body = response["body"]
        .as_str()
        .map_or_else(|| response["body"].to_string(), str::to_owned);
    let canned = Canned::new(body).with_status(status);
    if !streamed {
        let whole = canned
            .model()
            .call("hi".into())
            .await
            .map(|response| view(&response));
        return Heard { whole };
    }
    let mut first: Option<(Told, Result<View, String>)> = None;
    let mut last = None;
    for piece in [1, 7, usize::MAX] {
        let stream = canned.clone().in_pieces(piece).model().stream("hi".into());
        let (told, end) = collect(stream).await;
        let end = end.map(|response| view(&response));
        if let Ok(view) = &end {
            assert_eq!((&told.text, &told.reasoning), (&view.text, &view.reasoning));
            assert_eq!(told.arguments.len(), view.calls.len());
        }
        let seen = (told, end.clone().map_err(|error| error.to_string()));
        match &first {
            Some(first) => assert_eq!(first, &seen, "pieces of {piece} bytes"),
            None => first = Some(seen),
        }
        last = Some(end);
    }
    // A stream read whole is what a call gives.
    let called = canned
        .model()
        .call("hi".into())
        .await
        .map(|response| view(&response));
    let whole = last.unwrap();
    assert_eq!(whole.as_ref().ok(), called.as_ref().ok());
    Heard { whole }
}

/// Compares a reading with what was heard; the error says what differs.
fn compare(reading: &Value, response: &Value, heard: &Heard) -> Result<(), String> {
    if reading["kind"] == "error" {
        return compare_error(reading, heard.whole.as_ref().err());
    }
    let view = heard
        .whole
        .as_ref()
        .map_err(|error| format!("an error: {error}"))?;
    same("text", &reading["text"], &view.text)?;
    same("refusal", &reading["refusal"], &view.refusal)?;
    same("reasoning", &reading["reasoning"], &view.reasoning)?;
    compare_calls(reading, view)?;
    compare_usage(reading, view)?;
    let expected = expected_finish(&reading["finish_reason"]);
    if expected != view.finish {
        let native = response["body"]
            .as_str()
            .is_some_and(|b| b.contains("native_finish_reason"));
        let why = if native {
            " (native_finish_reason says so)"
        } else {
            ""
        };
        return Err(format!("finish: {expected:?} is {:?}{why}", view.finish));
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
    let beginning: Vec<_> = message.split_whitespace().take(8).collect();
    let beginning = beginning.join(" ");
    let said = error.to_string().contains(&beginning);
    if said {
        Ok(())
    } else {
        Err(format!("`{error}` does not say `{beginning}`"))
    }
}

fn same(what: &str, expected: &Value, found: &str) -> Result<(), String> {
    let expected = expected.as_str().unwrap();
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: {expected:?} is {found:?}"))
    }
}

/// An empty id or model says nothing.
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
