//! Recorded requests, taken apart into our messages and options and written again.
//!
//! The two may differ where a list says so and why: a path in the JSON, with `*` for the place in a
//! list, what is the matter there, and the reason. A difference that is not in the list fails, and so
//! does an entry of the list that no recording needs.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Dialect;
use crate::support::differences::{differences, listed};

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
        Self {
            dialect,
            allowed: listed(dialect.differences).collect(),
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
