//! Schemas within themselves.

use std::collections::{BTreeMap, BTreeSet};

use super::node::Node;
use super::walk::Lowering;

/// How many references and how many schemas are looked at.
const MOST_REFERENCES: usize = 1000;
const MOST_NODES: usize = 100_000;

/// The references that lead back to where they stand.
#[derive(Debug, Default)]
pub(super) enum Recursion<'a> {
    /// At least one of each circle.
    Known(BTreeSet<&'a str>),
    /// There are too many to tell.
    #[default]
    Unknown,
}

impl Recursion<'_> {
    pub(super) fn has(&self, reference: &str) -> bool {
        match self {
            Self::Known(references) => references.contains(reference),
            Self::Unknown => true,
        }
    }
}

impl<'a> Lowering<'a> {
    pub(super) fn recursion(&self) -> Recursion<'a> {
        let mut nodes = 0;
        let Some(ahead) = references_in(self.root, &mut nodes) else {
            return Recursion::Unknown;
        };
        let mut circular = BTreeSet::new();
        // Whether all that a reference leads to was followed.
        let mut followed: BTreeMap<&str, bool> = BTreeMap::new();
        let mut open = vec![("", ahead)];
        while let Some((name, ahead)) = open.last_mut() {
            let Some(next) = ahead.pop() else {
                followed.insert(name, true);
                open.pop();
                continue;
            };
            match followed.get(next) {
                Some(true) => {}
                Some(false) => {
                    circular.insert(next);
                }
                None if followed.len() == MOST_REFERENCES => return Recursion::Unknown,
                None => {
                    followed.insert(next, false);
                    let inner = match self.target(next) {
                        Some(target) => references_in(target, &mut nodes),
                        None => Some(Vec::new()),
                    };
                    let Some(inner) = inner else {
                        return Recursion::Unknown;
                    };
                    open.push((next, inner));
                }
            }
        }
        Recursion::Known(circular)
    }
}

/// All references in a schema, or `None` where too much was looked at.
fn references_in<'a>(schema: &'a Node, nodes: &mut usize) -> Option<Vec<&'a str>> {
    let mut found = Vec::new();
    let mut ahead = vec![schema];
    while let Some(node) = ahead.pop() {
        *nodes += 1;
        if *nodes > MOST_NODES {
            return None;
        }
        match node {
            Node::Object(members) => {
                found.extend(members.get("$ref").and_then(Node::as_str));
                ahead.extend(members.0.iter().map(|(_, inner)| inner));
            }
            Node::Array(items) => ahead.extend(items),
            Node::Text(_) | Node::Raw(_) => {}
        }
    }
    Some(found)
}
