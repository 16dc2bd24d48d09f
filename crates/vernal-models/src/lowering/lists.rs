//! Lists whose first items have schemas of their own.

use vernal_core::model::LossOutcome;

use super::node::{Members, Node};
use super::walk::{LONGEST_TOLD, Lowering};

impl Lowering<'_> {
    /// The first items of a list, each with a schema of its own.
    pub(super) fn tuple(
        &mut self,
        out: &mut Members,
        told: &mut Vec<String>,
        beside: &Members,
        (name, schemas): (&str, &[Node]),
    ) {
        let mut lowered = self.list(name, schemas);
        if self.sends("prefixItems") {
            out.set(name, lowered);
            return self.ignored("prefixItems");
        }
        self.lose(name, LossOutcome::Loosened);
        let most = beside.get("maxItems").and_then(Node::as_count);
        let is_full = most.is_some_and(|most| most <= schemas.len());
        let more = if name == "items" {
            beside.get("additionalItems")
        } else {
            beside.get("items")
        };
        let more = match more {
            Some(more) if more.is_false() => None,
            _ if is_full => None,
            Some(more) => Some(self.within("items", more)),
            None => Some(self.within("items", &Node::anything())),
        };
        if let Node::Array(items) = &mut lowered {
            items.extend(more);
        }
        out.set("items", any_of(lowered.items()));
        let texts: Vec<String> = schemas.iter().map(ToString::to_string).collect();
        let in_order = format!("in this order: [{}]", texts.join(", "));
        if self.rules.tells && in_order.len() <= LONGEST_TOLD && !in_order.contains("\"$ref\"") {
            told.push(in_order);
        }
    }
}

/// A schema that fits what any of these does, each named once.
fn any_of(schemas: &[Node]) -> Node {
    let mut kinds: Vec<Node> = Vec::new();
    for schema in schemas {
        if schema.as_object().is_some_and(|schema| schema.0.is_empty()) {
            return Node::anything();
        }
        if !kinds.contains(schema) {
            kinds.push(schema.clone());
        }
    }
    match kinds.as_slice() {
        [] => Node::anything(),
        [only] => only.clone(),
        _ => {
            let mut any = Members::default();
            any.set("anyOf", Node::Array(kinds));
            Node::Object(any)
        }
    }
}
