//! What references mean.

use vernal_core::model::LossOutcome;

use super::node::{Members, Node};
use super::rules::{References, Strict, is_annotation};
use super::walk::Lowering;

impl<'a> Lowering<'a> {
    /// A schema with a `$ref`.
    pub(super) fn reference(&mut self, members: &Members, to: &str) -> Node {
        if self.rules.no_recursion && self.circular.has(to) {
            self.unfit("$ref");
        }
        if self.rules.references == References::Alone
            && is_definition(to)
            && self.target(to).is_some()
            && let Some(kept) = self.kept(members, to)
        {
            return kept;
        }
        let mut own = members.clone();
        own.remove("$ref");
        let target = self.target(to);
        let is_open = self.open.iter().any(|open| open == to);
        match target.filter(|_| !is_open) {
            Some(Node::Object(target)) => {
                self.open.push(to.to_owned());
                self.merge(&mut own, target);
                // What it leads to may be a reference too.
                let lowered = self.schema(&Node::Object(own));
                self.open.pop();
                lowered
            }
            Some(boolean) if own.0.is_empty() => self.schema(&boolean.clone()),
            _ => {
                self.unfit("$ref");
                self.lose("$ref", LossOutcome::Loosened);
                self.keywords(&own)
            }
        }
    }

    /// The reference itself, where the words beside it can stand around it.
    fn kept(&mut self, members: &Members, to: &str) -> Option<Node> {
        let mut alone = Members::default();
        alone.set("$ref", Node::text(to));
        let is_little = |name: &str| name == "default" || is_annotation(name);
        let others = members.0.iter().filter(|(name, _)| name != "$ref");
        let (little, beside): (Vec<_>, Vec<_>) = others.partition(|(name, _)| is_little(name));
        match beside.as_slice() {
            [] => {
                little.iter().for_each(|(name, _)| self.unsaid(name));
                Some(Node::Object(alone))
            }
            [(name, words)] if name == "description" => {
                little.iter().for_each(|(name, _)| self.unsaid(name));
                let around = match self.rules.strict {
                    // A choice counts there, even one of one.
                    Some(Strict::Optional) => "allOf",
                    _ => "anyOf",
                };
                let mut outer = Members::default();
                outer.set(around, Node::Array(vec![Node::Object(alone)]));
                outer.set(name, words.clone());
                Some(Node::Object(outer))
            }
            _ => None,
        }
    }

    /// What a reference leads to within the schema.
    pub(super) fn target(&self, to: &str) -> Option<&'a Node> {
        let fragment = to.strip_prefix('#')?;
        let mut found = self.root;
        if fragment.is_empty() {
            return Some(found);
        }
        let Some(path) = fragment.strip_prefix('/') else {
            return anchored(self.root, fragment, 0);
        };
        for step in path.split('/') {
            let step = decoded(step).replace("~1", "/").replace("~0", "~");
            found = match found {
                Node::Object(members) => members.get(&step)?,
                Node::Array(items) => items.get(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(found)
    }
}

/// Whether a reference leads to the root or to a definition there.
fn is_definition(to: &str) -> bool {
    let name = to
        .strip_prefix("#/$defs/")
        .or_else(|| to.strip_prefix("#/definitions/"));
    to == "#" || name.is_some_and(|name| !name.contains('/'))
}

fn anchored<'a>(node: &'a Node, anchor: &str, depth: usize) -> Option<&'a Node> {
    if depth > 64 {
        return None;
    }
    match node {
        Node::Object(members) => {
            let own = members.get("$anchor").and_then(Node::as_str);
            if own == Some(anchor) {
                return Some(node);
            }
            let mut inner = members.0.iter();
            inner.find_map(|(_, inner)| anchored(inner, anchor, depth + 1))
        }
        Node::Array(items) => items
            .iter()
            .find_map(|item| anchored(item, anchor, depth + 1)),
        _ => None,
    }
}

/// A piece of a URL's fragment without its percent signs.
fn decoded(piece: &str) -> String {
    if !piece.contains('%') {
        return piece.to_owned();
    }
    let mut bytes = Vec::with_capacity(piece.len());
    let mut rest = piece.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let byte = tail.get(..2).filter(|_| *first == b'%').and_then(hex);
        bytes.push(byte.unwrap_or(*first));
        rest = match byte {
            Some(_) => tail.get(2..).unwrap_or_default(),
            None => tail,
        };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| piece.to_owned())
}
