//! Every recorded Messages exchange: the answer as the adapter and an independent reader read it, and
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

#[path = "anthropic/compare.rs"]
mod compare;
#[path = "anthropic/model.rs"]
mod model;
#[path = "anthropic/rebuild.rs"]
mod rebuild;
mod support;
#[path = "anthropic/take_apart.rs"]
mod take_apart;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn main() {
    support::run_alone("anthropic-traffic", run);
}

fn run() -> Result<(), String> {
    let directory = directory()?;
    let readings = readings(&directory)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let mut tally = Tally::default();
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
        let found = runtime.block_on(compare::hear(&reading, &exchange["response"]));
        tally.add(&format!("{name}#{number}"), &file.1["provider"], found);
        if let Some(request) = request_of(exchange) {
            runtime.block_on(requests.check(&format!("{name}#{number}"), &request));
        }
    }
    tally.report();
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
    fn add(&mut self, name: &str, provider: &Value, found: Result<(), String>) {
        let source = name.split('/').next().unwrap();
        let provider = format!("{source}/{}", provider.as_str().unwrap());
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
        assert!(all > 350, "only {all} exchanges were read");
        assert!(agreed * 100 >= all * 95, "only {agreed} of {all} agree");
    }
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
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traffic/read_anthropic.py");
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
