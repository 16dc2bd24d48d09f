//! Keywords that apply other schemas to the same value.

use super::words::quoted;
use super::{Checker, Keywords, NodeId, Place, SchemaId};
use crate::tool::schema::keywords::DynamicReference;

impl<'a> Checker<'a> {
    pub(super) fn in_place(&mut self, k: &'a Keywords, node: NodeId) {
        let dynamic = k
            .dynamic_reference
            .as_ref()
            .map(|reference| self.target_of(reference));
        for schema in k
            .reference
            .into_iter()
            .chain(dynamic)
            .chain(k.all_of.iter().copied())
        {
            if self.is_done() {
                return;
            }
            self.value(schema, node);
        }
        self.alternatives(k, node);
        self.not(k, node);
        if let Some(condition) = k.condition.filter(|_| !self.is_done()) {
            let branch = match self.fits(condition, node, Place::Here) {
                true => k.then,
                false => k.otherwise,
            };
            branch
                .into_iter()
                .for_each(|schema| self.value(schema, node));
        }
        for (name, schema) in &k.dependent_schemas {
            if !self.is_done() && self.document.member(node, name).is_some() {
                self.value(*schema, node);
            }
        }
    }

    fn not(&mut self, k: &'a Keywords, node: NodeId) {
        let Some(schema) = k.not.filter(|_| !self.is_done()) else {
            return;
        };
        // What a schema has looked at that must not fit does not count.
        let outer = std::mem::take(&mut self.evaluated);
        let fits = self.fits(schema, node, Place::Here);
        self.evaluated = outer;
        if fits {
            self.violation(node, |this| {
                format!("{} is not allowed here", quoted(this.document.raw(node)))
            });
        }
    }

    /// The schema that the outermost resource in check has under the anchor.
    fn target_of(&self, reference: &DynamicReference) -> SchemaId {
        let anchor = reference.anchor.as_ref();
        let by_resource = anchor.and_then(|anchor| self.compiled.dynamic_anchors.get(anchor));
        let outermost = by_resource
            .and_then(|schemas| self.scope.iter().find_map(|resource| schemas.get(resource)));
        outermost.copied().unwrap_or(reference.target)
    }
}
