//! Checking arguments against a compiled schema, every violation at once.

mod alternatives;
mod array;
mod evaluated;
mod in_place;
mod object;
mod scalar;
mod words;

use std::collections::HashMap;

use super::compile::CompiledSchema;
use super::json::{self, Document, Kind, NodeId, path};
use super::keywords::{Keywords, Schema, SchemaId};
use super::violation::{Violation, Violations};
use evaluated::Evaluated;
use words::quoted;

/// How many violations are listed.
const MAX_VIOLATIONS: usize = 100;
/// How many schemas may be in check at a time, one inside another.
const MAX_NESTED: usize = 800;
/// How many results are remembered.
const MAX_REMEMBERED: usize = 100_000;

impl CompiledSchema {
    /// Checks arguments: one JSON object, or blank for the empty one, that fits the schema.
    ///
    /// # Errors
    /// Every violation with its path, in the order of the arguments (rules ARG-1 to ARG-3, ERR-4).
    /// Checking takes a number of steps that grows with the arguments, but is bounded whatever the
    /// schema is; arguments that would take more are refused for that.
    pub fn check(&self, arguments: &str) -> Result<(), Violations> {
        let document =
            json::arguments(arguments).map_err(|error| Violation::of_all(error.to_string()))?;
        self.check_document(&document)
    }

    /// Checks any JSON value, given as text.
    ///
    /// # Errors
    /// Every violation with its path; text that is no JSON is one violation.
    pub fn check_value(&self, json: &str) -> Result<(), Violations> {
        let document =
            Document::read(json).map_err(|error| Violation::of_all(format!("is {error}")))?;
        self.check_document(&document)
    }

    pub(crate) fn check_document(&self, document: &Document<'_>) -> Result<(), Violations> {
        let mut checker = Checker::new(self, document, steps_for(document));
        for twice in document.repeated() {
            checker.violation(*twice, |_| "is given twice".to_owned());
        }
        checker.value(self.root, NodeId::ROOT);
        checker.finish()
    }

    /// Whether a value fits one of the schemas; takes off the steps that it took.
    pub(super) fn fits(
        &self,
        schema: SchemaId,
        document: &Document<'_>,
        node: NodeId,
        steps: &mut usize,
    ) -> bool {
        let mut checker = Checker::new(self, document, *steps);
        checker.quiet = true;
        checker.value(schema, node);
        *steps = checker.steps;
        !checker.failed && checker.given_up.is_none()
    }
}

/// The steps that checking a document may take.
pub(super) fn steps_for(document: &Document<'_>) -> usize {
    1_000_000 + 8 * document.size(NodeId::ROOT)
}

struct Checker<'a> {
    compiled: &'a CompiledSchema,
    document: &'a Document<'a>,
    /// Whether only the result counts, so that the first violation ends it.
    quiet: bool,
    /// Whether there was a violation while it was quiet.
    failed: bool,
    violations: Vec<Violation>,
    more: usize,
    /// How many violations there were, those included that are not noted.
    seen: usize,
    /// Whether the reasons of an alternative are being collected.
    in_reasons: bool,
    steps: usize,
    nested: usize,
    given_up: Option<&'static str>,
    /// Whether a value fits a schema, for what was asked before.
    known: HashMap<(SchemaId, NodeId), bool>,
    /// What of the value in check some schema has looked at.
    evaluated: Evaluated,
    /// The resources of the schemas in check, outermost first.
    scope: Vec<usize>,
}

/// Whether a schema is for the value that is in check, or for one inside it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Here,
    Inside,
}

impl<'a> Checker<'a> {
    fn new(compiled: &'a CompiledSchema, document: &'a Document<'a>, steps: usize) -> Self {
        Self {
            compiled,
            document,
            quiet: false,
            failed: false,
            violations: Vec::new(),
            more: 0,
            seen: 0,
            in_reasons: false,
            steps,
            nested: 0,
            given_up: None,
            known: HashMap::new(),
            evaluated: Evaluated::default(),
            scope: Vec::new(),
        }
    }

    fn finish(mut self) -> Result<(), Violations> {
        if let Some(why) = self.given_up {
            self.violations.truncate(MAX_VIOLATIONS - 1);
            self.violations.push(Violation::of_all(why.to_owned()));
        }
        match self.violations.is_empty() {
            true => Ok(()),
            false => Err(Violations {
                list: self.violations,
                more: self.more,
            }),
        }
    }

    fn violation(&mut self, at: NodeId, message: impl FnOnce(&Self) -> String) {
        self.violation_at(|document| path::of(document, at), message);
    }

    fn violation_at(
        &mut self,
        path: impl FnOnce(&Document<'_>) -> String,
        message: impl FnOnce(&Self) -> String,
    ) {
        if self.given_up.is_some() {
            return;
        }
        if self.quiet {
            self.failed = true;
            return;
        }
        self.seen += 1;
        if self.violations.len() >= self.room() {
            self.more += 1;
        } else {
            let violation = Violation::new(path(self.document), message(self));
            // Schemas that overlap say the same of one value.
            if !self.violations.contains(&violation) {
                self.violations.push(violation);
            }
        }
    }

    /// How many violations are noted; of the reasons of an alternative, the first.
    fn room(&self) -> usize {
        if self.in_reasons { 1 } else { MAX_VIOLATIONS }
    }

    /// A number that has grown if there was a violation.
    fn count(&self) -> usize {
        self.seen + usize::from(self.failed)
    }

    /// Whether nothing more needs to be looked at.
    fn is_done(&self) -> bool {
        self.failed || self.given_up.is_some()
    }

    /// Takes off steps.
    fn charge(&mut self, steps: usize) {
        self.steps = self.steps.saturating_sub(steps);
        if self.steps == 0 {
            self.given_up.get_or_insert(
                "checking this takes too many steps; make the arguments smaller or simpler",
            );
        }
    }

    /// Whether a value fits a schema; nothing is noted but what was evaluated.
    fn fits(&mut self, schema: SchemaId, node: NodeId, place: Place) -> bool {
        let inner = matches!(self.document.kind(node), Kind::Object | Kind::Array);
        let evaluates = place == Place::Here && self.compiled.has_unevaluated;
        let remember = inner && !evaluates && self.compiled.dynamic_anchors.is_empty();
        if remember && let Some(fits) = self.known.get(&(schema, node)) {
            return *fits;
        }
        let quiet = std::mem::replace(&mut self.quiet, true);
        let failed = std::mem::replace(&mut self.failed, false);
        match place {
            Place::Here => self.value(schema, node),
            Place::Inside => self.inside(schema, node),
        }
        let fits = !self.failed;
        (self.quiet, self.failed) = (quiet, failed);
        if remember && self.given_up.is_none() && self.known.len() < MAX_REMEMBERED {
            self.known.insert((schema, node), fits);
        }
        fits
    }

    /// Checks a value inside the one that is in check.
    fn inside(&mut self, schema: SchemaId, node: NodeId) {
        let outer = std::mem::take(&mut self.evaluated);
        self.value(schema, node);
        self.evaluated = outer;
    }

    /// Checks the value that is in check against a schema.
    fn value(&mut self, schema: SchemaId, node: NodeId) {
        self.charge(1);
        if self.nested == MAX_NESTED {
            self.given_up.get_or_insert(
                "checking this is nested too deep; make the arguments less deeply nested",
            );
        }
        if self.given_up.is_some() {
            return;
        }
        self.nested += 1;
        match self.compiled.schemas.get(schema) {
            None | Some(Schema::Anything) => {}
            Some(Schema::Nothing) => self.violation(node, |this| {
                format!(
                    "no value is allowed here, got {}",
                    quoted(this.document.raw(node))
                )
            }),
            Some(Schema::Keywords(keywords)) => self.in_scope(keywords, node),
        }
        self.nested -= 1;
    }

    fn in_scope(&mut self, k: &'a Keywords, node: NodeId) {
        if !self.compiled.has_unevaluated && self.compiled.dynamic_anchors.is_empty() {
            return self.keywords(k, node);
        }
        let entered = self.scope.last() != Some(&k.resource);
        if entered {
            self.scope.push(k.resource);
        }
        let before = self.count();
        let outer = std::mem::take(&mut self.evaluated);
        self.keywords(k, node);
        let own = std::mem::replace(&mut self.evaluated, outer);
        if self.count() == before {
            self.charge(own.size() / 8);
            self.evaluated.extend(own);
        }
        if entered {
            self.scope.pop();
        }
    }

    fn keywords(&mut self, k: &'a Keywords, node: NodeId) {
        if !self.type_fits(k, node) {
            return;
        }
        let before = self.count();
        self.listed_values(k, node);
        match self.document.kind(node) {
            Kind::Number => self.number(k, node),
            Kind::String => self.string(k, node),
            Kind::Array => self.array(k, node),
            Kind::Object => self.object(k, node),
            Kind::Null | Kind::Bool => {}
        }
        self.in_place(k, node);
        if self.compiled.has_unevaluated && self.count() == before {
            self.unevaluated(k, node);
        }
    }
}
