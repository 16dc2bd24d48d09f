//! Every recorded Responses exchange: the answer as the adapter and an independent reader read it, and
//! the request written again through our messages.
//!
//! The recordings are read from `VERNAL_TRAFFIC`, or from `shared/traffic` beside the project. Streams
//! are fed in pieces of 1 and 7 bytes and whole.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "responses/compare.rs"]
mod compare;
#[path = "responses/model.rs"]
mod model;
#[path = "responses/rebuild.rs"]
mod rebuild;
mod support;
#[path = "responses/take_apart.rs"]
mod take_apart;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::view::View;

fn main() {
    support::run_alone("responses-traffic", run);
}

fn run() -> Result<(), String> {
    let directory = directory()?;
    let readings = readings(&directory)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let mut tally = Tally::default();
    let mut twice = Twice::default();
    let mut requests = rebuild::Requests::default();
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
        let exchange = &file.1["exchanges"][number as usize];
        let name = format!("{name}#{number}");
        let source = name.split('/').next().unwrap();
        let provider = format!("{source}/{}", file.1["provider"].as_str().unwrap());
        let found = runtime.block_on(compare::hear(&reading, &exchange["response"]));
        if let Some(request) = request_of(exchange) {
            runtime.block_on(requests.check(&name, &provider, &request));
            if let Ok(view) = &found {
                twice.add(&name, &request, view.clone());
            }
        }
        tally.add(&name, provider, found.map(|_| ()));
    }
    tally.report();
    twice.report();
    requests.report();
    Ok(())
}

/// The body of a request; most recordings hold it as JSON, some as text.
fn request_of(exchange: &Value) -> Option<Value> {
    match exchange["request"].get("body")? {
        Value::String(text) => serde_json::from_str(text).ok(),
        Value::Null => None,
        body => Some(body.clone()),
    }
}

/// How many exchanges of each provider are read alike.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, (usize, usize)>,
    differences: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &str, provider: String, found: Result<(), String>) {
        let (agreed, all) = self.counts.entry(provider).or_default();
        *all += 1;
        match found {
            Ok(()) => *agreed += 1,
            Err(why) => self.differences.push(format!("{name}: {why}")),
        }
    }

    fn report(&self) {
        let (mut agreed, mut all) = (0, 0);
        for (provider, (of_provider, exchanges)) in &self.counts {
            println!("{provider:30} {of_provider:4} of {exchanges:4} agree");
            agreed += of_provider;
            all += exchanges;
        }
        println!("{:30} {agreed:4} of {all:4} agree", "all");
        for difference in &self.differences {
            println!("  differs: {difference}");
        }
        assert!(all > 420, "only {all} exchanges were read");
        assert!(agreed == all, "only {agreed} of {all} agree");
    }
}

/// Requests that were recorded with a whole answer and with a streamed one.
#[derive(Default)]
struct Twice(BTreeMap<String, Vec<(bool, String, View)>>);

impl Twice {
    fn add(&mut self, name: &str, request: &Value, view: View) {
        let mut request = request.clone();
        let stream = request.as_object_mut().unwrap().remove("stream") == Some(true.into());
        let of_request = self.0.entry(request.to_string()).or_default();
        of_request.push((stream, name.to_owned(), view));
    }

    /// The answers were made at different times: their words may differ, what they consist of may not.
    fn report(&self) {
        let (mut pairs, mut agreed) = (0, 0);
        for answers in self.0.values() {
            let of = |stream: bool| answers.iter().filter(move |(s, _, _)| *s == stream);
            let (Some((_, whole_name, whole)), Some((_, name, streamed))) =
                (of(false).next(), of(true).next())
            else {
                continue;
            };
            pairs += 1;
            if consists_of(whole) == consists_of(streamed) {
                agreed += 1;
            } else {
                println!("  not alike: {whole_name} and {name}");
            }
        }
        println!("{agreed} of {pairs} requests have a whole and a streamed answer that are alike");
        assert!(agreed >= 20, "only {agreed} of {pairs} answers are alike");
    }
}

/// The kinds of the parts, the tools that are called, the end, and whether tokens were counted.
fn consists_of(view: &View) -> (Vec<String>, Vec<String>, String) {
    let shape = compare::shape(view);
    let tools = shape.calls.into_iter().map(|(_, name, _)| name).collect();
    let end = format!("{:?} {}", view.finish, view.usage.is_some());
    (shape.parts, tools, end)
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
    let script = "tests/traffic/read_openai_responses.py";
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
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
