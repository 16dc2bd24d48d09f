//! Thirty prompts over tools that the demo model has never seen: `demo/README.md`.
//!
//! Whole turns run against canned results, and the calls that were made are compared with those that a
//! careful reader would make. The list with results is checked in as `demo/RESULTS.md`;
//! `VERNAL_WRITE_RESULTS=1` writes it anew. `VERNAL_DEMO_PROMPTS=FILE` runs other prompts instead, only to
//! be looked at.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};
use vernal_core::client::ChatClient;
use vernal_core::tool::{FunctionToolCallback, ToolCallback};
use vernal_models::demo::DemoModel;

/// How many of the thirty are right, at least: a change that loses one is noticed. Twenty are asked for.
const FLOOR: usize = 21;

type Calls = Arc<Mutex<Vec<(String, Value)>>>;

#[tokio::test]
async fn most_prompts_get_the_right_tool_and_arguments() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/demo");
    let others = std::env::var_os("VERNAL_DEMO_PROMPTS").map(PathBuf::from);
    let file = others
        .clone()
        .unwrap_or_else(|| folder.join("prompts.json"));
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut right = 0;
    let mut table = String::from("| case | right | called |\n|---|---|---|\n");
    for case in &cases {
        let (calls, answer) = run(case).await;
        let ok = matches(case, &calls);
        right += usize::from(ok);
        let called: Vec<_> = calls
            .iter()
            .map(|(name, arguments)| format!("{name} {arguments}"))
            .collect();
        let called = if called.is_empty() {
            format!("(none) {answer}")
        } else {
            called.join("; ")
        };
        let called = called.replace('|', "\\|").replace('\n', " ");
        writeln!(
            table,
            "| {} | {} | {called} |",
            case["id"].as_str().unwrap(),
            if ok { "yes" } else { "no" }
        )
        .unwrap();
    }
    let results = format!(
        "# Results of the demo model\n\n{right} of {} prompts got the right tools and arguments.\n\n{table}",
        cases.len()
    );
    println!("{results}");
    if others.is_some() {
        return;
    }
    let file = folder.join("RESULTS.md");
    if std::env::var_os("VERNAL_WRITE_RESULTS").is_some() {
        std::fs::write(&file, &results).unwrap();
    }
    assert_eq!(cases.len(), 30);
    assert!(
        right >= FLOOR,
        "{right} of {} are right, {FLOOR} were",
        cases.len()
    );
    let checked_in = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        checked_in, results,
        "write RESULTS.md anew with VERNAL_WRITE_RESULTS=1"
    );
}

/// Runs the whole turn and gives the calls that were made and the answer.
async fn run(case: &Value) -> (Vec<(String, Value)>, String) {
    let calls = Calls::default();
    let tools: Vec<Arc<dyn ToolCallback>> = case["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| canned(tool, &case["results"], &calls))
        .collect();
    let now: jiff::Timestamp = case["now"].as_str().unwrap().parse().unwrap();
    let model = DemoModel::builder()
        .clock(move || now.to_zoned_datetime(jiff::tz::TimeZone::UTC))
        .build();
    let client = ChatClient::builder(model)
        .default_tools(tools)
        .build()
        .unwrap();
    let response = client
        .prompt(case["prompt"].as_str().unwrap())
        .call()
        .await
        .unwrap();
    let made = calls.lock().unwrap().clone();
    (made, response.content())
}

fn canned(tool: &Value, results: &Value, calls: &Calls) -> Arc<dyn ToolCallback> {
    let name = tool["name"].as_str().unwrap().to_owned();
    let result = match &results[&name] {
        Value::Null => "Done".to_owned(),
        Value::String(text) => text.clone(),
        json => json.to_string(),
    };
    let (calls, called) = (calls.clone(), name.clone());
    let function = move |arguments: Map<String, Value>| {
        calls
            .lock()
            .unwrap()
            .push((called.clone(), Value::Object(arguments)));
        result.clone()
    };
    let callback = FunctionToolCallback::builder(name, function)
        .description(tool["description"].as_str().unwrap_or_default())
        .input_schema(tool["input_schema"].to_string())
        .build()
        .unwrap();
    Arc::new(callback)
}

fn matches(case: &Value, calls: &[(String, Value)]) -> bool {
    let expected = case["expected"].as_array().unwrap();
    if expected.len() != calls.len() {
        return false;
    }
    if case["unordered"].as_bool() != Some(true) {
        return expected
            .iter()
            .zip(calls)
            .all(|(expected, call)| is(expected, call));
    }
    let mut left: Vec<_> = calls.iter().collect();
    expected.iter().all(|expected| {
        let found = left.iter().position(|call| is(expected, call));
        found.map(|at| left.remove(at)).is_some()
    })
}

fn is(expected: &Value, (name, arguments): &(String, Value)) -> bool {
    if expected["name"] != **name {
        return false;
    }
    let wanted = expected["arguments"].as_object().unwrap();
    let free: Vec<_> = expected["optional_ok"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let is_free = |name: &str| free.iter().any(|free| **free == *name);
    let given = arguments.as_object().unwrap();
    given.iter().all(|(name, value)| match wanted.get(name) {
        Some(wanted) => is_free(name) || equal(wanted, value),
        None => is_free(name),
    }) && wanted
        .keys()
        .all(|name| given.contains_key(name) || is_free(name))
}

fn equal(wanted: &Value, given: &Value) -> bool {
    if let Some(any) = wanted.get("$any").and_then(Value::as_array) {
        return any.iter().any(|one| equal(one, given));
    }
    match (wanted, given) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}
