//! Every schema of a tool in the recorded requests, lowered for the provider that it was sent to: what
//! was taken stays as it is, and what was refused is not sent again.
//!
//! The recordings are read from `VERNAL_TRAFFIC`, or from `shared/traffic` beside the project.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use vernal_models::lowering::{SchemaDialect, lower};

/// A recorded tool.
struct Recorded {
    file: String,
    api: String,
    status: u64,
    schema: Value,
    is_strict: bool,
    form: &'static str,
}

fn main() {
    support::run_alone(
        "sch_8_recorded_schemas_are_lowered_as_they_were_taken",
        || {
            let directory = directory()?;
            let mut files = Vec::new();
            list(&directory, &mut files);
            files.sort();
            let recorded: Vec<Recorded> = files.iter().flat_map(|file| read(file)).collect();
            report(&recorded);
            Ok(())
        },
    );
}

fn directory() -> Result<PathBuf, String> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traffic");
    let directory = std::env::var_os("VERNAL_TRAFFIC").map_or(beside, PathBuf::from);
    if directory.is_dir() {
        return Ok(directory);
    }
    Err("there are no recordings here; set VERNAL_TRAFFIC to their folder".to_owned())
}

fn list(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|kind| kind == "json") {
            files.push(path);
        }
    }
}

fn read(file: &Path) -> Vec<Recorded> {
    let text = std::fs::read_to_string(file).unwrap();
    let Ok(recording) = serde_json::from_str::<Value>(&text) else {
        return Vec::new();
    };
    let api = recording["api"][0].as_str().unwrap_or_default().to_owned();
    let mut recorded = Vec::new();
    for exchange in recording["exchanges"].as_array().into_iter().flatten() {
        let status = exchange["response"]["status"].as_u64().unwrap_or(200);
        let tools = exchange["request"]["body"]["tools"].as_array();
        for tool in tools.into_iter().flatten() {
            let declared = tool["functionDeclarations"].as_array();
            let functions = match (declared, tool.get("function")) {
                (Some(declared), _) => declared.iter().collect(),
                (None, Some(function)) => vec![function],
                (None, None) => vec![tool],
            };
            for function in functions {
                let forms = ["parameters", "input_schema", "parametersJsonSchema"];
                let form = forms.into_iter().find(|form| function[*form].is_object());
                let Some(form) = form else { continue };
                recorded.push(Recorded {
                    file: file.file_stem().unwrap().to_string_lossy().into_owned(),
                    api: api.clone(),
                    status,
                    schema: function[form].clone(),
                    is_strict: function["strict"] == true || tool["strict"] == true,
                    form,
                });
            }
        }
    }
    recorded
}

fn dialect(recorded: &Recorded) -> Option<SchemaDialect> {
    Some(match (&*recorded.api, recorded.is_strict) {
        ("openai-chat" | "openai-responses", true) => SchemaDialect::OpenAiStrict,
        ("openai-chat" | "openai-responses", false) => SchemaDialect::OpenAi,
        ("anthropic-messages", true) => SchemaDialect::AnthropicStrict,
        ("anthropic-messages", false) => SchemaDialect::Anthropic,
        ("ollama-chat", _) => SchemaDialect::Ollama,
        ("gemini-generate-content", _) if recorded.form == "parametersJsonSchema" => {
            SchemaDialect::Gemini
        }
        _ => return None,
    })
}

fn report(recorded: &[Recorded]) {
    let mut kept: BTreeMap<String, usize> = BTreeMap::new();
    let mut changed = BTreeSet::new();
    let mut refused = BTreeSet::new();
    for tool in recorded {
        let Some(dialect) = dialect(tool) else {
            continue;
        };
        let lowered = lower(&tool.schema.to_string(), dialect);
        let is_same = serde_json::from_str::<Value>(&lowered.schema).unwrap() == tool.schema;
        let is_same = is_same && lowered.is_strict == tool.is_strict;
        // What is about a schema says so; other requests were refused for other reasons.
        if tool.status >= 400 && tool.file.contains("is_rejected") && tool.is_strict {
            assert!(!is_same, "{} is sent again", tool.file);
            refused.insert(tool.file.clone());
        } else if is_same {
            *kept.entry(format!("{dialect:?}")).or_default() += 1;
        } else if tool.status < 400 {
            changed.insert(format!("{dialect:?} {}: {}", tool.file, lowered.schema));
        }
    }
    for (dialect, count) in &kept {
        println!("{dialect:16} {count:5} stay as they were taken");
    }
    println!("{:16} {:5} are not sent again", "refused", refused.len());
    for difference in &changed {
        println!("  changed: {difference}");
    }
    assert!(kept.values().sum::<usize>() > 1900, "{kept:?}");
    assert!(refused.len() >= 4, "{refused:?}");
    assert!(
        changed.len() <= CHANGED,
        "{} schemas are changed",
        changed.len()
    );
}

/// How many schemas that were taken are sent otherwise. In strict mode titles and definitions that
/// nothing refers to are left out, objects that were open are closed, and an `allOf` is one schema.
const CHANGED: usize = 6;
