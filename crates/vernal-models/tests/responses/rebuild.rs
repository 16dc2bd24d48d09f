//! A recorded request, taken apart into our messages and options and written again.
//!
//! The two may differ where `differences.txt` says so and why: a path in the JSON, with `*` for the
//! place in a list, and what is the matter there. A difference that is not in the list fails, and so
//! does an entry of the list that no recording needs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use vernal_core::model::ChatModel;
use vernal_models::openai::responses::ResponsesState;

use crate::model::builder;
use crate::support::canned::Canned;
use crate::support::view::collect;
use crate::take_apart::{is_servers, take_apart, tool_fields};

const ALLOWED: &str = include_str!("differences.txt");

/// What became of the recorded requests.
#[derive(Default)]
pub(crate) struct Requests {
    providers: BTreeMap<String, Counts>,
    /// Those that our messages cannot express, by reason.
    inexpressible: BTreeMap<String, usize>,
    used: BTreeMap<String, usize>,
    failures: Vec<String>,
}

#[derive(Default)]
struct Counts {
    same: usize,
    /// Those that differ only where they may.
    different: usize,
    inexpressible: usize,
}

impl Requests {
    pub(crate) async fn check(&mut self, name: &str, provider: &str, recorded: &Value) {
        let counts = self.providers.entry(provider.to_owned()).or_default();
        let mut found = match rebuilt(recorded).await {
            Ok(ours) => compare(recorded, &ours),
            Err(reason) => {
                counts.inexpressible += 1;
                *self.inexpressible.entry(reason).or_default() += 1;
                return;
            }
        };
        if found.is_empty() {
            counts.same += 1;
            return;
        }
        counts.different += 1;
        while let Some(difference) = found.pop_first() {
            if !allowed().any(|known| known == difference) {
                self.failures.push(format!("{name}: {difference}"));
            }
            *self.used.entry(difference).or_default() += 1;
        }
    }

    pub(crate) fn report(&self) {
        println!("\nrequests                         equal  listed differences  not expressed");
        let mut all = Counts::default();
        for (provider, counts) in &self.providers {
            print_row(provider, counts);
            all.same += counts.same;
            all.different += counts.different;
            all.inexpressible += counts.inexpressible;
        }
        print_row("all", &all);
        for (difference, count) in &self.used {
            println!("  listed: {count:4} {difference}");
        }
        for (reason, count) in &self.inexpressible {
            println!("  not expressed: {count} {reason}");
        }
        for failure in &self.failures {
            println!("  not listed: {failure}");
        }
        let stale: Vec<_> = allowed()
            .filter(|known| !self.used.contains_key(*known))
            .collect();
        assert!(self.failures.is_empty(), "requests differ in new ways");
        assert!(
            stale.is_empty(),
            "differences.txt lists what is no more: {stale:?}"
        );
        let rebuilt = all.same + all.different;
        let every = rebuilt + all.inexpressible;
        assert!(
            rebuilt * 100 >= every * 80,
            "only {rebuilt} of {every} requests are expressible"
        );
        assert!(rebuilt > 300, "only {rebuilt} requests were rebuilt");
    }
}

fn print_row(name: &str, counts: &Counts) {
    let Counts {
        same,
        different,
        inexpressible,
    } = counts;
    println!("{name:30} {same:7} {different:19} {inexpressible:14}");
}

/// The request as we write it.
async fn rebuilt(recorded: &Value) -> Result<Value, String> {
    let (prompt, server_tools) = take_apart(recorded)?;
    let canned = Canned::new(r#"{"object":"response","output":[]}"#);
    // What a stateless request says by itself is an extra field of any other.
    let stateless = recorded["store"] == false;
    let state = if stateless {
        ResponsesState::Stateless
    } else {
        ResponsesState::Stored
    };
    let mut builder = builder(&canned).state(state);
    for tool in server_tools {
        builder = builder.server_tool(tool);
    }
    for (tool, field, value) in tool_fields(recorded) {
        builder = builder.tool_field(tool, field, value);
    }
    let model = builder.build().unwrap();
    if recorded["stream"] == true {
        collect(model.stream(prompt)).await.1.unwrap();
    } else {
        model.call(prompt).await.unwrap();
    }
    Ok(serde_json::from_str(&canned.last_sent()).unwrap())
}

/// The listed differences, without their reasons.
fn allowed() -> impl Iterator<Item = &'static str> {
    let lines = ALLOWED
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| {
        line.split_once(" -- ")
            .expect("a difference and its reason")
            .0
    })
}

fn compare(recorded: &Value, ours: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut recorded = normal(recorded);
    if instruct(&mut recorded) {
        found.insert(".input begins with messages of the system".to_owned());
    }
    differences("", &recorded, &normal(ours), &mut found);
    found
}

/// Makes the messages of the system that the input begins with instructions, as we do. Whether there
/// were any.
fn instruct(request: &mut Value) -> bool {
    let items = request["input"].as_array_mut().unwrap();
    let is_system = |item: &Value| item["role"] == "system";
    let count = items.iter().take_while(|item| is_system(item)).count();
    if count == 0 || count == items.len() {
        return false;
    }
    let texts = items.drain(..count).map(|mut item| item["content"].take());
    let mut texts: Vec<String> = texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect();
    if let Some(first) = request["instructions"].as_str() {
        texts.insert(0, first.to_owned());
    }
    request["instructions"] = texts.join("\n\n").into();
    true
}

/// A request with one spelling for what may be spelled in two ways.
fn normal(request: &Value) -> Value {
    let mut request = request.clone();
    for (name, default) in [("stream", json!(false)), ("tool_choice", json!("auto"))] {
        if request.get(name) == Some(&default) {
            request.as_object_mut().unwrap().remove(name);
        }
    }
    if request["input"].is_string() {
        let text = request["input"].take();
        request["input"] = json!([{"type": "message", "role": "user", "content": text}]);
    }
    for item in request["input"].as_array_mut().unwrap() {
        if item.get("role").is_some() && item.get("type").is_none() {
            item["type"] = "message".into();
        }
        // A list of one text is that text.
        for name in ["content", "output"] {
            if let Some(text) = item.get(name).and_then(only_text) {
                item[name] = text.into();
            }
        }
    }
    // Our tools come first.
    if let Some(Value::Array(tools)) = request.get_mut("tools") {
        tools.sort_by_key(is_servers);
    }
    request
}

fn only_text(content: &Value) -> Option<String> {
    let [piece] = content.as_array()?.as_slice() else {
        return None;
    };
    let bare = piece.as_object()?.len() == 2 && piece["type"] != "refusal";
    piece["text"].as_str().filter(|_| bare).map(str::to_owned)
}

fn differences(path: &str, recorded: &Value, ours: &Value, found: &mut BTreeSet<String>) {
    match (recorded, ours) {
        (Value::Object(recorded), Value::Object(ours)) => {
            for (name, value) in recorded {
                let path = format!("{path}.{name}");
                match ours.get(name) {
                    Some(ours) => differences(&path, value, ours, found),
                    None => {
                        found.insert(format!("{path} is left out"));
                    }
                }
            }
            for name in ours.keys().filter(|name| !recorded.contains_key(*name)) {
                found.insert(format!("{path}.{name} is added"));
            }
        }
        (Value::Array(recorded), Value::Array(ours)) if recorded.len() == ours.len() => {
            for (recorded, ours) in recorded.iter().zip(ours) {
                differences(&format!("{path}.*"), recorded, ours, found);
            }
        }
        (Value::Array(_), Value::Array(_)) => {
            found.insert(format!("{path} has another length"));
        }
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
        (recorded, ours) if recorded == ours => {}
        (Value::Null, Value::String(_)) => {
            found.insert(format!("{path} is blank and was filled"));
        }
        (Value::String(blank), Value::String(_)) if blank.trim().is_empty() => {
            found.insert(format!("{path} is blank and was filled"));
        }
        _ => {
            found.insert(format!("{path} has another value"));
        }
    }
}
