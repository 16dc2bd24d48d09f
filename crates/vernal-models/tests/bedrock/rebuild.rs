//! A recorded request, taken apart into our messages and options and written again.
//!
//! The two may differ where `differences.txt` says so and why: a path in the JSON, with `*` for the
//! place in a list, and what is the matter there. A difference that is not in the list fails, and so
//! does an entry of the list that no recording needs. The path that is asked has no such list.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use vernal_core::model::ChatModel;
use vernal_models::bedrock::BedrockCache;

use crate::model::builder;
use crate::support::canned::Canned;
use crate::support::differences::{differences, listed};
use crate::support::view::collect;
use crate::take_apart::{marks_tools, system_tools, take_apart, tool_fields};

const ALLOWED: &str = include_str!("differences.txt");
const HELLO: &str = r#"{"output":{"message":{"content":[]}},"stopReason":"end_turn"}"#;
const SCHEMA_TEXT: &str = "/outputConfig/textFormat/structure/jsonSchema/schema";

/// What became of the recorded requests.
#[derive(Default)]
pub(crate) struct Requests {
    same: usize,
    /// Those that differ only where they may.
    different: usize,
    /// Those that our messages cannot express, by reason.
    inexpressible: BTreeMap<String, usize>,
    used: BTreeSet<String>,
    failures: Vec<String>,
}

impl Requests {
    /// Writes the request anew and gives its body, where our messages can say it.
    pub(crate) async fn check(
        &mut self,
        name: &str,
        path: &str,
        recorded: &Value,
    ) -> Option<Value> {
        let prompt = match take_apart(recorded) {
            Ok(prompt) => prompt,
            Err(reason) => {
                *self.inexpressible.entry(reason).or_default() += 1;
                return None;
            }
        };
        let (base, model, method) = pieces_of(path);
        let canned = Canned::new(HELLO);
        let mut cache = BedrockCache::NONE;
        cache.tools = marks_tools(recorded);
        let mut builder = builder(&canned)
            .base_url(format!("http://127.0.0.1:1{base}"))
            .model(model)
            .cache(cache);
        for tool in system_tools(recorded) {
            builder = builder.system_tool(tool);
        }
        for (tool, field, value) in tool_fields(recorded) {
            builder = builder.tool_field(tool, field, value);
        }
        let model = builder.build().unwrap();
        if method == "converse-stream" {
            collect(model.stream(prompt)).await.1.unwrap();
        } else {
            model.call(prompt).await.unwrap();
        }
        let asked = canned.paths.lock().unwrap().last().unwrap().clone();
        if asked != path {
            self.failures.push(format!("{name}: {path} is {asked}"));
        }
        let ours: Value = serde_json::from_str(&canned.last_sent()).unwrap();
        let mut found = BTreeSet::new();
        differences("", &normal(recorded), &normal(&ours), &mut found);
        if found.is_empty() {
            self.same += 1;
        } else {
            self.different += 1;
        }
        for difference in found {
            if !listed(ALLOWED).any(|known| known == difference) {
                self.failures.push(format!("{name}: {difference}"));
            }
            self.used.insert(difference);
        }
        Some(ours)
    }

    pub(crate) fn report(&self) {
        let rebuilt = self.same + self.different;
        println!(
            "requests: {rebuilt} rebuilt, {} of them equal, {} with listed differences",
            self.same, self.different
        );
        for (reason, count) in &self.inexpressible {
            println!("  not expressed: {count} {reason}");
        }
        for failure in &self.failures {
            println!("  not listed: {failure}");
        }
        let stale: Vec<_> = listed(ALLOWED)
            .filter(|known| !self.used.contains(*known))
            .collect();
        assert!(self.failures.is_empty(), "requests differ in new ways");
        assert!(
            stale.is_empty(),
            "differences.txt lists what is no more: {stale:?}"
        );
        assert!(rebuilt > 100, "only {rebuilt} requests were rebuilt");
    }
}

/// What stands before `/model`, the model's id, and the method.
fn pieces_of(path: &str) -> (&str, String, &str) {
    let (base, rest) = path.split_once("/model/").unwrap();
    let (model, method) = rest.split_once('/').unwrap();
    let model = model.replace("%3A", ":").replace("%2F", "/");
    (base, model, method)
}

/// A request without what says nothing.
fn normal(request: &Value) -> Value {
    let mut request = request.clone();
    let fields = request.as_object_mut().unwrap();
    for (name, nothing) in [("inferenceConfig", json!({})), ("system", json!([]))] {
        if fields.get(name) == Some(&nothing) {
            fields.remove(name);
        }
    }
    if request["toolConfig"]["toolChoice"] == json!({"auto": {}}) {
        let config = request["toolConfig"].as_object_mut().unwrap();
        config.remove("toolChoice");
    }
    // A schema that stands in a text is compared as what it says.
    if let Some(text) = request.pointer_mut(SCHEMA_TEXT) {
        *text = serde_json::from_str(text.as_str().unwrap()).unwrap();
    }
    if request["toolConfig"].is_null() {
        request.as_object_mut().unwrap().remove("toolConfig");
    }
    request
}
