//! What of a value some schema has looked at, for `unevaluatedItems` and `unevaluatedProperties`.

use super::{Checker, Keywords, Kind, NodeId};

/// The members or items of one value that were evaluated.
#[derive(Debug, Default)]
pub(super) struct Evaluated(Vec<NodeId>);

impl Evaluated {
    pub(super) fn size(&self) -> usize {
        self.0.len()
    }

    pub(super) fn extend(&mut self, other: Self) {
        match self.0.is_empty() {
            true => *self = other,
            false => self.0.extend(other.0),
        }
    }
}

impl<'a> Checker<'a> {
    pub(super) fn note_evaluated(&mut self, inside: NodeId) {
        if self.compiled.has_unevaluated {
            self.evaluated.0.push(inside);
        }
    }

    pub(super) fn unevaluated(&mut self, k: &'a Keywords, node: NodeId) {
        let schema = match self.document.kind(node) {
            Kind::Object => k.unevaluated_properties,
            Kind::Array => k.unevaluated_items,
            _ => None,
        };
        let Some(schema) = schema else { return };
        let mut seen = std::mem::take(&mut self.evaluated.0);
        self.charge(seen.len() / 4);
        seen.sort_unstable();
        for inside in self.document.children(node) {
            if self.is_done() {
                return;
            }
            if seen.binary_search(&inside).is_err() {
                match self.document.kind(node) {
                    Kind::Object => self.unknown_member(k, schema, inside),
                    _ => self.inside(schema, inside),
                }
            }
        }
        self.evaluated.0.extend(self.document.children(node));
    }
}
