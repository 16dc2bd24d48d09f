//! Putting schemas that all hold into one.

use vernal_core::model::LossOutcome;

use super::node::{Members, Node};
use super::walk::Lowering;

/// How many schemas are put into one.
const MOST: usize = 64;

impl Lowering<'_> {
    /// The schema with the members of its `allOf` in it; `None` where it has none, or where they stay.
    /// What they refer to stands open until the schema is written.
    pub(super) fn merged(&mut self, members: &Members) -> Option<Members> {
        if !self.rules.merges_all_of {
            return None;
        }
        let mut followed = Vec::new();
        let merged = self.with_all_of(members, &mut followed);
        self.open.append(&mut followed);
        merged
    }

    /// The schema with the members of its `allOf` in it; `None` where it has none.
    pub(super) fn with_all_of(
        &mut self,
        members: &Members,
        followed: &mut Vec<String>,
    ) -> Option<Members> {
        members.get("allOf")?;
        let mut merged = members.clone();
        let mut left = MOST;
        while let Some(all) = merged.remove("allOf").filter(|_| left > 0) {
            for schema in all.items() {
                left = left.saturating_sub(1);
                if let Some(schema) = self.resolved(schema, followed) {
                    self.merge(&mut merged, &schema);
                }
            }
        }
        // All the members are known here now.
        let has_choice = ["anyOf", "oneOf", "if"].iter().any(|name| merged.has(name));
        if !has_choice
            && merged
                .get("unevaluatedProperties")
                .is_some_and(Node::is_false)
        {
            merged.remove("unevaluatedProperties");
            merged.set("additionalProperties", Node::bool(false));
        }
        Some(merged)
    }

    /// A schema without its own reference; `None` for one that is no object. What was referred to is
    /// added to `followed`.
    pub(super) fn resolved(
        &mut self,
        schema: &Node,
        followed: &mut Vec<String>,
    ) -> Option<Members> {
        let mut resolved = schema.as_object()?.clone();
        for _ in 0..MOST {
            let Some(Node::Text(to)) = resolved.remove("$ref") else {
                return Some(resolved);
            };
            let is_open = self.open.contains(&to);
            match self.target(&to).filter(|_| !is_open) {
                Some(Node::Object(target)) => self.merge(&mut resolved, target),
                Some(_) => {}
                None => {
                    self.unfit("$ref");
                    self.lose("$ref", LossOutcome::Loosened);
                }
            }
            followed.push(to);
        }
        Some(resolved)
    }

    /// A schema whose `allOf` is one reference, which older makers of schemas write where there are
    /// words beside it, as that reference.
    pub(super) fn with_single_reference(&self, members: &Members) -> Option<Members> {
        let [Node::Object(only)] = members.get("allOf")?.items() else {
            return None;
        };
        let ([(name, to)], false) = (only.0.as_slice(), members.has("$ref")) else {
            return None;
        };
        if !self.rules.merges_all_of || name != "$ref" {
            return None;
        }
        let mut plain = members.clone();
        plain.remove("allOf");
        plain.set("$ref", to.clone());
        Some(plain)
    }

    /// Adds to a schema what another says of the same value; the words of the first win.
    pub(super) fn merge(&mut self, into: &mut Members, from: &Members) {
        for (name, value) in &from.0 {
            let Some(own) = into.get(name).filter(|own| *own != value).cloned() else {
                into.set(name, value.clone());
                continue;
            };
            match name.as_str() {
                "properties" | "$defs" | "definitions" => {
                    let both = both_members(&own, value);
                    into.set(name, both);
                }
                "required" => {
                    let mut names = own.items().to_vec();
                    names.extend(
                        value
                            .items()
                            .iter()
                            .filter(|n| !own.items().contains(n))
                            .cloned(),
                    );
                    into.set(name, Node::Array(names));
                }
                "allOf" => {
                    let both = [own.items(), value.items()].concat();
                    into.set(name, Node::Array(both));
                }
                "anyOf" | "oneOf" => {
                    // One of them stays, the other is asked for beside it.
                    let mut other = Members::default();
                    other.set(name, value.clone());
                    if self.rules.merges_all_of || self.rules.strict.is_some() {
                        self.unfit(name);
                        self.lose(name, LossOutcome::Dropped);
                    } else {
                        let mut all = into.get("allOf").map_or(&[][..], Node::items).to_vec();
                        all.push(Node::Object(other));
                        into.set("allOf", Node::Array(all));
                    }
                }
                "type" => {
                    let types = narrower(into, from);
                    into.set(name, types);
                }
                "additionalProperties" if value.is_false() || own.is_true() => {
                    into.set(name, value.clone());
                }
                "description" | "title" | "default" | "examples" | "$schema" | "$id"
                | "$comment" => {
                    self.unsaid(name);
                }
                "additionalProperties" | "unevaluatedProperties" => {}
                _ => self.lose(name, LossOutcome::Dropped),
            }
        }
    }
}

/// The members of both; a schema for the same member in both holds twice.
fn both_members(one: &Node, other: &Node) -> Node {
    let mut both = one.as_object().cloned().unwrap_or_default();
    for (name, schema) in other.as_object().map_or(&[][..], |members| &members.0) {
        match both.get(name).filter(|own| *own != schema).cloned() {
            None => both.set(name, schema.clone()),
            Some(own) => {
                let mut all = Members::default();
                all.set("allOf", Node::Array(vec![own, schema.clone()]));
                both.set(name, Node::Object(all));
            }
        }
    }
    Node::Object(both)
}

/// The kinds that both allow; those of the first where they share none.
fn narrower(one: &Members, other: &Members) -> Node {
    let (ones, others) = (one.types(), other.types());
    let is_in = |kind: &str, kinds: &[&str]| {
        kinds.contains(&kind) || (kind == "integer" && kinds.contains(&"number"))
    };
    let mut shared: Vec<&str> = ones.iter().filter(|k| is_in(k, &others)).copied().collect();
    for kind in others.iter().filter(|kind| is_in(kind, &ones)) {
        if !shared.contains(kind) {
            shared.push(kind);
        }
    }
    match shared.as_slice() {
        [] => one
            .get("type")
            .cloned()
            .unwrap_or_else(|| Node::text("object")),
        [only] => Node::text(*only),
        several => Node::texts(several.iter().copied()),
    }
}
