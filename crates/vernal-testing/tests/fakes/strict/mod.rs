//! Each rule, broken once.

mod allowed;
mod anthropic;
mod around;
mod bedrock;
mod gemini;
mod limits;
mod ollama;
mod openai_chat;
mod openai_responses;

use serde_json::Value;
use vernal_testing::fake::{FakeApi, FakeServer, Script};

use crate::bodies::good;
use crate::raw::Raw;

/// A change to a good body, and what is said of it. `null` takes the place out; a place that ends in
/// `/-` is added to a list.
type Row = (&'static str, Value, &'static str);

fn changed(mut body: Value, pointer: &str, value: &Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let place = body
        .pointer_mut(parent)
        .unwrap_or_else(|| panic!("{parent}"));
    match place {
        Value::Array(items) if name == "-" => items.push(value.clone()),
        Value::Array(items) if value.is_null() => drop(items.remove(name.parse().unwrap())),
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value.clone(),
        Value::Object(members) if value.is_null() => drop(members.remove(name).unwrap()),
        Value::Object(members) => drop(members.insert(name.to_owned(), value.clone())),
        other => panic!("{other}"),
    }
    body
}

/// The message in an API's error body.
fn message_of(api: FakeApi, body: &Value) -> &str {
    let message = match api {
        FakeApi::Ollama => &body["error"],
        FakeApi::Bedrock => &body["message"],
        _ => &body["error"]["message"],
    };
    message.as_str().unwrap()
}

fn check(api: FakeApi, rows: &[Row]) {
    let server = FakeServer::start(api, Script::new().says("Good.").again());
    let (status, _) = Raw::new(api, &good(api)).json(&server);
    assert_eq!((status, server.violations()), (200, Vec::new()), "{api}");
    let mut wrong = Vec::new();
    for (pointer, value, said) in rows {
        let body = changed(good(api), pointer, value);
        let (status, body) = Raw::new(api, &body).json(&server);
        if status != 400 || message_of(api, &body).is_empty() {
            wrong.push(format!("{pointer}: {status} {body}"));
            continue;
        }
        let found = server.requests().pop().unwrap().violations;
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        if !found.iter().any(|found| found.starts_with(said)) {
            wrong.push(format!("{pointer}: {found:?}, not {said:?}"));
        }
        assert_eq!(message_of(api, &body), found[0]);
    }
    assert!(wrong.is_empty(), "{api}:\n{}", wrong.join("\n"));
}
