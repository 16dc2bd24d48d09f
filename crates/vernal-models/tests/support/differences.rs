//! How two requests differ, and which differences a list allows.

use std::collections::BTreeSet;

use serde_json::Value;

/// The differences that a list names, without their reasons.
pub fn listed(text: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| {
        line.split_once(" -- ")
            .expect("a difference and its reason")
            .0
    })
}

/// Adds each difference: a path in the JSON, with `*` for the place in a list, and what is the matter.
pub fn differences(path: &str, recorded: &Value, ours: &Value, found: &mut BTreeSet<String>) {
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
