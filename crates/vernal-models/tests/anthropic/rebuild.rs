//! A recorded request, taken apart into our messages and options and written again.
//!
//! The two may differ where `differences.txt` says so and why: a path in the JSON, with `*` for the
//! place in a list, and what is the matter there. A difference that is not in the list fails, and so
//! does an entry of the list that no recording needs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use vernal_core::model::ChatModel;

use crate::model::builder;
use crate::support::canned::Canned;
use crate::support::differences::{differences, listed};
use crate::support::view::collect;
use crate::take_apart::{is_servers, take_apart, tool_fields};

const ALLOWED: &str = include_str!("differences.txt");

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
    pub(crate) async fn check(&mut self, name: &str, recorded: &Value) {
        let (prompt, server_tools) = match take_apart(recorded) {
            Ok(taken) => taken,
            Err(reason) => {
                *self.inexpressible.entry(reason).or_default() += 1;
                return;
            }
        };
        let canned = Canned::new(r#"{"type":"message","content":[]}"#);
        let mut builder = builder(&canned);
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
        let ours: Value = serde_json::from_str(&canned.last_sent()).unwrap();
        let mut found = BTreeSet::new();
        differences("", &normal(recorded), &normal(&ours), &mut found);
        if found.is_empty() {
            self.same += 1;
            return;
        }
        self.different += 1;
        for difference in found {
            if !listed(ALLOWED).any(|known| known == difference) {
                self.failures.push(format!("{name}: {difference}"));
            }
            self.used.insert(difference);
        }
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
        assert!(rebuilt > 300, "only {rebuilt} requests were rebuilt");
    }
}

/// A request with one spelling for what may be spelled in two ways.
fn normal(request: &Value) -> Value {
    let mut request = request.clone();
    let as_list = |content: &mut Value| {
        if let Value::String(text) = content {
            *content = json!([{"type": "text", "text": text}]);
        }
    };
    let says_nothing = [
        ("stream", json!(false)),
        ("tool_choice", json!({"type": "auto"})),
    ];
    for (name, default) in says_nothing {
        if request.get(name) == Some(&default) {
            request.as_object_mut().unwrap().remove(name);
        }
    }
    if request.get("system").is_some() {
        as_list(&mut request["system"]);
    }
    for message in request["messages"].as_array_mut().unwrap() {
        as_list(&mut message["content"]);
        for block in message["content"].as_array_mut().unwrap() {
            if block["type"] != "tool_result" {
                continue;
            }
            if block["is_error"] == false {
                block.as_object_mut().unwrap().remove("is_error");
            }
            let joined = block.get("content").and_then(joined_text);
            if let Some(text) = joined {
                block["content"] = text.into();
            }
        }
    }
    // Our tools come first.
    if let Some(Value::Array(tools)) = request.get_mut("tools") {
        tools.sort_by_key(is_servers);
    }
    request
}

/// The text of a result that holds nothing else.
fn joined_text(content: &Value) -> Option<String> {
    let texts = content
        .as_array()?
        .iter()
        .map(|block| block["text"].as_str());
    Some(texts.collect::<Option<Vec<_>>>()?.join("\n"))
}
