//! Every recorded answer of Gemini and of Ollama, read by the adapter and by an independent reader.
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
use std::sync::Arc;

use serde_json::Value;
use support::canned::Canned;
use support::view::{View, collect, view};
use vernal_core::message::FinishReason;
use vernal_core::model::{ChatModel, ModelError};
use vernal_models::gemini::GeminiChatModel;
use vernal_models::http::RetryPolicy;
use vernal_models::ollama::OllamaChatModel;

/// A dialect: its independent reader, how many exchanges there are at least, and its adapter.
struct Dialect {
    name: &'static str,
    reader: &'static str,
    least: usize,
    model: fn(&Canned) -> Arc<dyn ChatModel>,
}

const DIALECTS: [Dialect; 2] = [
    Dialect {
        name: "ollama",
        reader: "read_ollama.py",
        least: 10,
        model: ollama,
    },
    Dialect {
        name: "gemini",
        reader: "read_gemini.py",
        least: 400,
        model: gemini,
    },
];

fn ollama(canned: &Canned) -> Arc<dyn ChatModel> {
    let builder = OllamaChatModel::builder().model("asked");
    let builder = builder.retry(RetryPolicy::never());
    Arc::new(builder.transport(canned.clone()).build().unwrap())
}

fn gemini(canned: &Canned) -> Arc<dyn ChatModel> {
    let builder = GeminiChatModel::builder().model("asked").api_key("key");
    let builder = builder.retry(RetryPolicy::never());
    Arc::new(builder.transport(canned.clone()).build().unwrap())
}

fn main() {
    support::run_alone("traffic_native", run);
}

fn run() -> Result<(), String> {
    let directory = directory()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    for dialect in DIALECTS {
        let mut tally: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut differences = Vec::new();
        for reading in readings(&directory, dialect.reader)? {
            let name = reading["file"].as_str().unwrap();
            let text = std::fs::read_to_string(directory.join(name)).unwrap();
            let recording: Value = serde_json::from_str(&text).unwrap();
            let number = reading["exchange"].as_u64().unwrap();
            let response = &recording["exchanges"][number as usize]["response"];
            let heard = runtime.block_on(hear(&dialect, response, reading["stream"] == true));
            let source = name.split('/').next().unwrap();
            let kind = if reading["stream"] == true {
                "stream"
            } else {
                "whole"
            };
            let (agreed, all) = tally
                .entry(format!("{}/{source}/{kind}", dialect.name))
                .or_default();
            *all += 1;
            match compare(&reading, heard) {
                Ok(()) => *agreed += 1,
                Err(why) => differences.push(format!("{name}#{number}: {why}")),
            }
        }
        report(&dialect, &tally, &differences);
    }
    Ok(())
}

fn report(dialect: &Dialect, tally: &BTreeMap<String, (usize, usize)>, differences: &[String]) {
    let (mut agreed, mut all) = (0, 0);
    for (source, (of_source, exchanges)) in tally {
        println!("{source:30} {of_source:4} of {exchanges:4} agree");
        agreed += of_source;
        all += exchanges;
    }
    for difference in differences {
        println!("  differs: {difference}");
    }
    assert!(all >= dialect.least, "only {all} exchanges were read");
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
fn readings(directory: &Path, reader: &str) -> Result<Vec<Value>, String> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traffic");
    let output = Command::new("python3")
        .arg(scripts.join(reader))
        .arg(directory)
        .output();
    let Ok(output) = output else {
        return Err("python3 is not installed".to_owned());
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    Ok(lines.collect())
}

async fn hear(dialect: &Dialect, response: &Value, streamed: bool) -> Result<View, ModelError> {
    let status = response["status"].as_u64().unwrap() as u16;
    let body = response["body"]
        .as_str()
        .map_or_else(|| response["body"].to_string(), str::to_owned);
    let mut canned = Canned::new(body).with_status(status);
    let whole = (dialect.model)(&canned).call("hi".into()).await;
    let whole = whole.map(|answer| view(&answer));
    if !streamed {
        return whole;
    }
    canned.content_type = "text/event-stream";
    let mut seen = Vec::new();
    for piece in [1, 7, usize::MAX] {
        let model = (dialect.model)(&canned.clone().in_pieces(piece));
        let (told, end) = collect(model.stream("hi".into())).await;
        let end = end.map(|answer| view(&answer));
        if let Ok(view) = &end {
            assert_eq!((&told.text, &told.reasoning), (&view.text, &view.reasoning));
            assert_eq!(told.arguments.len(), view.calls.len());
        }
        seen.push((told, end.map_err(|error| error.to_string())));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
    // A stream read whole is what a call gives.
    assert_eq!(seen[0].1.as_ref().ok(), whole.as_ref().ok());
    whole
}

/// Compares a reading with what was heard; the error says what differs.
fn compare(reading: &Value, heard: Result<View, ModelError>) -> Result<(), String> {
    let view = match (reading["kind"] == "error", heard) {
        (true, Ok(_)) => return Err("no error was seen".to_owned()),
        (true, Err(error)) => {
            let message = reading["error"].as_str().unwrap();
            let beginning: Vec<_> = message.split_whitespace().take(8).collect();
            let said = error.to_string().contains(&beginning.join(" "));
            return said.then_some(()).ok_or_else(|| format!("{error}"));
        }
        (false, heard) => heard.map_err(|error| format!("an error: {error}"))?,
    };
    let same = |what: &str, found: &str| {
        let expected = reading[what].as_str().unwrap_or_default();
        let said = || format!("{what}: {expected:?} is {found:?}");
        (expected == found).then_some(()).ok_or_else(said)
    };
    same("text", &view.text)?;
    same("reasoning", &view.reasoning)?;
    same("model", view.model.as_deref().unwrap_or_default())?;
    same("id", view.id.as_deref().unwrap_or_default())?;
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
