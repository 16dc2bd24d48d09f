//! Objects.

use super::words::{listed, meant, quoted};
use super::{Checker, Keywords, NodeId, Schema, SchemaId};
use crate::tool::schema::json::{Document, path};

/// How many nested schemas are searched for names.
const MAX_SEARCHED: usize = 32;

impl<'a> Checker<'a> {
    pub(super) fn object(&mut self, k: &'a Keywords, node: NodeId) {
        let document = self.document;
        let count = document.len(node);
        self.size(
            node,
            ("an object of", "members"),
            count,
            k.min_properties,
            k.max_properties,
        );
        for member in document.children(node) {
            if self.is_done() {
                return;
            }
            self.member(k, member);
        }
        self.required(node, &k.required, None);
        for (name, needed) in &k.dependent_required {
            if document.member(node, name).is_some() {
                self.required(node, needed, Some(name));
            }
        }
    }

    fn member(&mut self, k: &'a Keywords, member: NodeId) {
        let name = self.document.name(member);
        self.charge(1 + name.len() / 64);
        if let Some(schema) = k.property_names {
            self.name_of_member(schema, member);
        }
        let mut is_known = k.unknown_patterns;
        if let Some(schema) = k.properties.get(name) {
            self.inside(schema, member);
            is_known = true;
        }
        for (pattern, schema) in &k.patterns {
            if pattern.matches(name) {
                self.inside(*schema, member);
                is_known = true;
            }
        }
        if let Some(schema) = k.additional.filter(|_| !is_known) {
            self.unknown_member(k, schema, member);
            is_known = true;
        }
        if is_known {
            self.note_evaluated(member);
        }
    }

    /// Checks a member that a schema does not know by name.
    pub(super) fn unknown_member(&mut self, k: &'a Keywords, schema: SchemaId, member: NodeId) {
        if !matches!(self.compiled.schemas.get(schema), Some(Schema::Nothing)) {
            return self.inside(schema, member);
        }
        self.violation(member, |this| {
            let known = this.names_in(k);
            let name = this.document.name(member);
            if known.binary_search(&name).is_ok() {
                // It is one of an alternative that the other members rule out.
                return "does not go with the other arguments".to_owned();
            }
            let hint = match meant(name, known.iter().copied()) {
                Some(name) => format!("did you mean `{name}`? "),
                None => String::new(),
            };
            let known = match known.is_empty() {
                true => "none".to_owned(),
                false => listed(known.into_iter()),
            };
            format!("there is no such argument; {hint}known are: {known}")
        });
    }

    /// The names that a schema knows, in alphabetical order.
    fn names_in(&self, k: &'a Keywords) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        let mut waiting = vec![k];
        let mut searched = 0;
        while let Some(next) = waiting.pop().filter(|_| searched < MAX_SEARCHED) {
            searched += 1;
            names.extend(next.properties.iter().map(|(name, _)| name.as_str()));
            // `additionalProperties` sees the names beside it, `unevaluatedProperties` all.
            if k.unevaluated_properties.is_some() {
                waiting.extend(next.in_place().filter_map(
                    |id| match self.compiled.schemas.get(id) {
                        Some(Schema::Keywords(keywords)) => Some(&**keywords),
                        _ => None,
                    },
                ));
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    fn name_of_member(&mut self, schema: SchemaId, member: NodeId) {
        let text = serde_json::Value::from(self.document.name(member)).to_string();
        let Ok(name) = Document::read(text) else {
            return;
        };
        let mut names = Checker::new(self.compiled, &name, self.steps);
        names.value(schema, NodeId::ROOT);
        let (left, given_up) = (names.steps, names.given_up);
        let first = names.violations.into_iter().next();
        self.charge(self.steps.saturating_sub(left));
        self.given_up = self.given_up.or(given_up);
        if let Some(first) = first {
            self.violation(member, |_| {
                format!("the name is not allowed: {}", first.message)
            });
        }
    }

    fn required(&mut self, node: NodeId, names: &'a [String], because_of: Option<&str>) {
        self.charge(names.len());
        for name in names {
            if self.is_done() {
                return;
            }
            if self.document.member(node, name).is_none() {
                let path = |document: &Document<'_>| path::of_member(document, node, name);
                self.violation_at(path, |_| match because_of {
                    Some(other) => format!(
                        "is required because `{}` is given, but missing",
                        quoted(other)
                    ),
                    None => "is required, but missing".to_owned(),
                });
            }
        }
    }
}
