//! Arrays.

use super::{Checker, Keywords, NodeId, Place};
use crate::tool::schema::json;

impl<'a> Checker<'a> {
    pub(super) fn array(&mut self, k: &'a Keywords, node: NodeId) {
        let document = self.document;
        let count = document.len(node);
        self.size(
            node,
            ("an array of", "items"),
            count,
            k.min_items,
            k.max_items,
        );
        if !k.prefix_items.is_empty() || k.items.is_some() {
            for (position, item) in document.children(node).enumerate() {
                let schema = k.prefix_items.get(position).copied().or(k.items);
                let Some(schema) = schema.filter(|_| !self.is_done()) else {
                    break;
                };
                self.inside(schema, item);
                self.note_evaluated(item);
            }
        }
        self.contains(k, node);
        if k.unique_items && count > 1 {
            self.charge(document.size(node));
            if let Some(position) = json::first_repeated(document, node) {
                self.violation(node, |_| {
                    format!("expected different items, but item {position} occurs again")
                });
            }
        }
    }

    fn contains(&mut self, k: &'a Keywords, node: NodeId) {
        let Some(schema) = k.contains.filter(|_| !self.is_done()) else {
            return;
        };
        let mut matching = 0;
        for item in self.document.children(node) {
            if self.fits(schema, item, Place::Inside) {
                matching += 1;
                self.note_evaluated(item);
            }
        }
        let min = Some(k.min_contains.unwrap_or(1));
        self.size(
            node,
            ("an array with", "matching items"),
            matching,
            min,
            k.max_contains,
        );
    }
}
