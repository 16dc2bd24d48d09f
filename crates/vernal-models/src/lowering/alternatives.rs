//! Alternatives of which exactly one fits, for those who know only such of which some do.

use vernal_core::model::LossOutcome;

use super::node::{Members, Node};
use super::walk::Lowering;

impl Lowering<'_> {
    pub(super) fn one_of(&mut self, out: &mut Members, told: &mut Vec<String>, schemas: &[Node]) {
        let name = if self.rules.one_of_as_any_of {
            "anyOf"
        } else {
            "oneOf"
        };
        if name == "anyOf" && out.has("anyOf") {
            self.unfit("oneOf");
            return self.leave(told, "oneOf", &Node::Array(schemas.to_vec()));
        }
        let lowered = self.list("oneOf", schemas);
        out.set(name, lowered);
        if name == "anyOf" && !are_apart(schemas) {
            self.lose("oneOf", LossOutcome::Loosened);
        }
    }
}

/// Whether no value fits two of the schemas, as far as can be seen: different kinds, or objects that
/// a constant tells apart.
fn are_apart(schemas: &[Node]) -> bool {
    let kind = |schema: &Node| {
        let kind = schema.get("type").and_then(Node::as_str)?;
        // A whole number is a number.
        Some(if kind == "integer" {
            "number".to_owned()
        } else {
            kind.to_owned()
        })
    };
    let values = |schema: &Node| match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(vec![value.to_string()]),
        (None, Some(values)) => Some(values.items().iter().map(ToString::to_string).collect()),
        (None, None) => None,
    };
    let pair_is_apart = |one: &Node, other: &Node| {
        if let (Some(one), Some(other)) = (values(one), values(other)) {
            return !one.iter().any(|value| other.contains(value));
        }
        if let (Some(one), Some(other)) = (kind(one), kind(other))
            && one != other
        {
            return true;
        }
        let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else {
            return false;
        };
        one.properties().iter().any(|(name, schema)| {
            let there = other.properties().iter().find(|(known, _)| known == name);
            let both = one.required().contains(&name.as_str())
                && other.required().contains(&name.as_str());
            match (values(schema), there.and_then(|(_, schema)| values(schema))) {
                (Some(one), Some(other)) => both && !one.iter().any(|value| other.contains(value)),
                _ => false,
            }
        })
    };
    schemas.iter().enumerate().all(|(at, one)| {
        let mut before = schemas.iter().take(at);
        before.all(|other| pair_is_apart(one, other))
    })
}
