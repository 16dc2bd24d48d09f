//! Recorded requests, taken apart into our messages and options and written again.
//!
//! The two may differ where a list says so and why: a path in the JSON, with `*` for the place in a
//! list, what is the matter there, and the reason. A difference that is not in the list fails, and so
//! does an entry of the list that no recording needs.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Dialect;

/// The requests of a dialect.
pub(crate) struct Requests<'a> {
    dialect: &'a Dialect,
    /// The listed differences, without their reasons.
    allowed: Vec<&'static str>,
    used: BTreeSet<String>,
    failures: Vec<String>,
}

/// What became of a request.
pub(crate) enum Outcome {
    Equal,
    /// It differs only where it may.
    Listed,
    /// Our messages cannot express it, for this reason.
    Inexpressible(String),
}

impl<'a> Requests<'a> {
    pub(crate) fn new(dialect: &'a Dialect) -> Self {
        let lines = dialect.differences.lines();
        let lines = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
        let difference = |line: &'static str| {
            let (difference, reason) = line.split_once(" -- ").expect("a reason");
            assert!(!reason.trim().is_empty(), "{difference} has no reason");
            difference
        };
        Self {
            dialect,
            allowed: lines.map(difference).collect(),
            used: BTreeSet::new(),
            failures: Vec::new(),
        }
    }

    pub(crate) async fn check(&mut self, name: &str, recorded: &Value) -> Outcome {
        let ours = match (self.dialect.write)(recorded).await {
            Ok(ours) => ours,
            Err(reason) => return Outcome::Inexpressible(reason),
        };
        let normal = self.dialect.normal;
        let mut found = BTreeSet::new();
        differences("", &normal(recorded), &normal(&ours), &mut found);
        if found.is_empty() {
            return Outcome::Equal;
        }
        for difference in found {
            if !self.allowed.contains(&difference.as_str()) {
                self.failures.push(format!("{name}: {difference}"));
            }
            self.used.insert(difference);
        }
        Outcome::Listed
    }

    /// What differs and is not listed, and what is listed and does not differ.
    pub(crate) fn problems(&self) -> Vec<String> {
        let api = self.dialect.name;
        let new = self.failures.iter();
        let mut problems: Vec<_> = new.map(|what| format!("{api}: {what}")).collect();
        let stale = self
            .allowed
            .iter()
            .filter(|known| !self.used.contains(**known));
        problems.extend(stale.map(|known| format!("{api}: listed, but is no more: {known}")));
        problems
    }
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
