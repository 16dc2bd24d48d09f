//! What real servers took, the fake servers take too.
//!
//! Every recorded request that was answered is sent to the fake server of its API. What that finds wrong
//! has to be among `strict_traffic/differences.txt`, each with its reason. The recordings are read from
//! `VERNAL_TRAFFIC`, or from `shared/traffic` beside the project.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[allow(dead_code)]
#[path = "fakes/raw.rs"]
mod raw;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use raw::Raw;
use serde_json::Value;
use vernal_testing::fake::{FakeApi, FakeServer, Script};

const NAME: &str = "strict_traffic";

/// An API, the ends of its paths, and the providers that are its own. What other servers add to the APIs
/// is theirs.
const OWN: [(FakeApi, &[&str], &[&str]); 6] = [
    (FakeApi::OpenAiChat, &["/chat/completions"], &["openai"]),
    (
        FakeApi::OpenAiResponses,
        &["/responses"],
        &["openai", "azure"],
    ),
    (FakeApi::Anthropic, &["/messages"], &["anthropic"]),
    (FakeApi::Gemini, &["enerateContent"], &["gemini"]),
    (FakeApi::Ollama, &["/api/chat"], &["ollama"]),
    (
        FakeApi::Bedrock,
        &["/converse", "/converse-stream"],
        &["bedrock", "aws"],
    ),
];

fn directory() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traffic");
    let directory = std::env::var_os("VERNAL_TRAFFIC").map_or(beside, PathBuf::from);
    directory.is_dir().then_some(directory)
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The requests of a recording that belong to an API and were answered. What is in the path is kept where
/// the model is.
fn requests(recording: &Value, api: FakeApi, path_ends: &[&str], providers: &[&str]) -> Vec<Raw> {
    let apis = recording["api"].as_array().unwrap();
    let provider = recording["provider"].as_str().unwrap();
    if !apis.iter().any(|known| known == api.as_str()) || !providers.contains(&provider) {
        return Vec::new();
    }
    let of_exchange = |exchange: &Value| {
        let path = exchange["request"]["path"].as_str()?.split('?').next()?;
        let answered = exchange["response"]["status"] == 200
            && path_ends.iter().any(|end| path.ends_with(end));
        // Vertex has paths of its own.
        let fits = answered && !path.contains("/projects/");
        let body = Some(&exchange["request"]["body"]).filter(|body| fits && body.is_object())?;
        let mut request = Raw::new(api, body);
        if matches!(api, FakeApi::Gemini | FakeApi::Bedrock) {
            let stream = path.ends_with(":streamGenerateContent");
            request.target = format!("{path}{}", if stream { "?alt=sse" } else { "" });
        }
        Some(request)
    };
    let exchanges = recording["exchanges"].as_array().unwrap();
    exchanges.iter().filter_map(of_exchange).collect()
}

/// A rule and the place where it was broken, with the positions taken out.
fn place_and_rule(text: &str) -> String {
    let mut inside = false;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '[' if !out.contains(": ") => {
                inside = true;
                out.push_str("[]");
            }
            ']' if inside => inside = false,
            _ if inside => {}
            _ => out.push(c),
        }
    }
    out
}

fn check(directory: &Path) {
    let known = include_str!("strict_traffic/differences.txt");
    let known: Vec<(&str, &str)> = known
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            line.split_once("  # ")
                .expect("a difference and its reason")
                .0
        })
        .map(|line| line.split_once(' ').expect("an API and a rule"))
        .collect();
    let recordings: Vec<(PathBuf, Value)> = files(directory)
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let value = serde_json::from_str(&text).unwrap();
            (path, value)
        })
        .collect();
    let mut unknown = Vec::new();
    let mut met = BTreeSet::new();
    println!("\n| API | requests | taken | refused, with a reason |\n|---|---|---|---|");
    for (api, path_ends, providers) in OWN {
        let server = FakeServer::start(api, Script::new().says("Yes.").again());
        let mut counts: BTreeMap<bool, usize> = BTreeMap::new();
        for (path, recording) in &recordings {
            for request in requests(recording, api, path_ends, providers) {
                let (status, _) = request.send(&server);
                *counts.entry(status == 200).or_default() += 1;
                if status == 200 {
                    continue;
                }
                let violations = server.requests().pop().unwrap().violations;
                for violation in violations {
                    let text = place_and_rule(&violation.to_string());
                    let is_of =
                        |(of, rule): &&(&str, &str)| *of == api.as_str() && text.starts_with(rule);
                    match known.iter().find(is_of) {
                        Some(difference) => drop(met.insert(*difference)),
                        None => unknown.push(format!("{api} {text}  in {}", path.display())),
                    }
                }
            }
        }
        let count = |taken| counts.get(&taken).copied().unwrap_or(0);
        let (taken, refused) = (count(true), count(false));
        println!("| {api} | {} | {taken} | {refused} |", taken + refused);
        assert!(
            taken > refused * 10,
            "{api}: most requests that a real server took are taken"
        );
        let _ = server.violations();
    }
    assert!(
        unknown.is_empty(),
        "not in the list of differences:\n{}",
        unknown.join("\n")
    );
    let unmet: Vec<_> = known
        .iter()
        .filter(|difference| !met.contains(*difference))
        .collect();
    assert!(unmet.is_empty(), "differences that do not occur: {unmet:?}");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        println!("{NAME}: test");
        return;
    }
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let is_asked_for = filter.is_none_or(|filter| NAME.contains(filter.as_str()));
    let passed = match directory().filter(|_| is_asked_for) {
        Some(directory) => {
            check(&directory);
            println!("test {NAME} ... ok");
            1
        }
        None if is_asked_for => {
            println!(
                "SKIPPED {NAME}: there are no recordings here; set VERNAL_TRAFFIC to their folder"
            );
            0
        }
        None => 0,
    };
    println!(
        "\ntest result: ok. {passed} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
    );
}
