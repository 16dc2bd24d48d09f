//! Every recorded Converse exchange: the answer as the adapter and an independent reader read it, and
//! the request written again through our messages. Where botocore is installed, each request that is
//! written again has to fit the service's own model.
//!
//! The recordings are read from `VERNAL_TRAFFIC`, or from `shared/traffic` beside the project. Streams
//! are fed in pieces of 1 and 7 bytes and whole.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "bedrock/compare.rs"]
mod compare;
#[path = "bedrock/model.rs"]
mod model;
#[path = "bedrock/oracle.rs"]
mod oracle;
#[path = "bedrock/rebuild.rs"]
mod rebuild;
mod support;
#[path = "bedrock/take_apart.rs"]
mod take_apart;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

fn main() {
    support::run_alone("bedrock-traffic", run);
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
    let mut bodies = Vec::new();
    for reading in readings {
        if reading["kind"] == "unreadable" {
            continue;
        }
        let name = reading["file"].as_str().unwrap();
        let text = std::fs::read_to_string(directory.join(name)).unwrap();
        let recording: Value = serde_json::from_str(&text).unwrap();
        let number = reading["exchange"].as_u64().unwrap();
        let exchange = &recording["exchanges"][number as usize];
        let shown = format!("{name}#{number}");
        let found = runtime.block_on(compare::hear(&reading, &exchange["response"]));
        tally.add(&shown, reading["stream"] == true, found);
        let request = &exchange["request"];
        if let Some(path) = request["path"].as_str() {
            let written = requests.check(&shown, path, &request["body"]);
            bodies.extend(runtime.block_on(written).map(|body| (shown, body)));
        }
    }
    tally.report();
    requests.report();
    judge(&bodies);
    Ok(())
}

/// What the service's own model says to the requests that were written again.
fn judge(bodies: &[(String, Value)]) {
    let question = |(_, body): &(String, Value)| json!({"kind": "request", "body": body});
    let questions: Vec<Value> = bodies.iter().map(question).collect();
    let answers = oracle::ask(&questions).expect("python3 was there before");
    if answers[0]["botocore"] == "missing" {
        return println!("SKIPPED bedrock_botocore: botocore is not installed");
    }
    let mut wrong = 0;
    for ((name, _), answer) in bodies.iter().zip(&answers) {
        if answer["botocore"] != "ok" {
            println!("  does not fit: {name}: {}", answer["botocore"]);
            wrong += 1;
        }
    }
    println!(
        "{} of {} requests fit the service's model",
        bodies.len() - wrong,
        bodies.len()
    );
    assert_eq!(wrong, 0);
}

/// How many exchanges of each source are read alike.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, (usize, usize)>,
    differences: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &str, streamed: bool, found: Result<(), String>) {
        let source = name.split('/').next().unwrap();
        let kind = if streamed { "stream" } else { "whole" };
        let (agreed, all) = self.counts.entry(format!("{source}/{kind}")).or_default();
        *all += 1;
        match found {
            Ok(()) => *agreed += 1,
            Err(why) => self.differences.push(format!("{name}: {why}")),
        }
    }

    fn report(&self) {
        let (mut agreed, mut all) = (0, 0);
        for (source, (of_source, exchanges)) in &self.counts {
            println!("{source:30} {of_source:4} of {exchanges:4} agree");
            agreed += of_source;
            all += exchanges;
        }
        println!("{:30} {agreed:4} of {all:4} agree", "all");
        for difference in &self.differences {
            println!("  differs: {difference}");
        }
        assert!(all > 120, "only {all} exchanges were read");
        assert_eq!(agreed, all, "only {agreed} of {all} agree");
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
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traffic/readers/read_bedrock.py");
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
