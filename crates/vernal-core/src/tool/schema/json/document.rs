//! A JSON text as a flat list of its values, each with its place in the text.

use std::borrow::Cow;
use std::collections::HashMap;

use super::scan::{self, NotJson};
use super::{Kind, MAX_DEPTH};

/// A value of a [`Document`]. The values inside it follow it directly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(super) u32);

/// A JSON text that was read once: the text is kept as it is, so that no digit, order or repeated
/// name gets lost.
#[derive(Debug, Clone)]
pub(crate) struct Document<'a> {
    pub(super) text: Cow<'a, str>,
    /// Strings with escapes as they read without them, one behind the other.
    pub(super) unescaped: String,
    pub(super) nodes: Vec<Node>,
    /// The members of large objects, sorted by name.
    pub(super) sorted: HashMap<NodeId, Vec<NodeId>>,
    pub(super) repeated: Vec<NodeId>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The name of a member.
    pub(super) name: Letters,
    /// What a string says.
    pub(super) content: Letters,
    /// The node after this one and all inside it.
    pub(super) next: u32,
    /// How many values are directly inside.
    pub(super) len: u32,
}

/// Where the characters of a string are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Letters {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) unescaped: bool,
}

const NO_NODE: Node = Node {
    kind: Kind::Null,
    start: 0,
    end: 0,
    name: Letters {
        start: 0,
        end: 0,
        unescaped: false,
    },
    content: Letters {
        start: 0,
        end: 0,
        unescaped: false,
    },
    next: 0,
    len: 0,
};

impl NodeId {
    /// The value that the whole text is.
    pub(crate) const ROOT: Self = Self(0);
}

impl<'a> Document<'a> {
    /// Reads a text that is one JSON value of at most [`MAX_DEPTH`] levels.
    pub(crate) fn read(text: impl Into<Cow<'a, str>>) -> Result<Self, NotJson> {
        scan::read(text.into(), MAX_DEPTH)
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0 as usize).unwrap_or(&NO_NODE)
    }

    pub(crate) fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The value as it was written.
    pub(crate) fn raw(&self, id: NodeId) -> &str {
        let node = self.node(id);
        self.text
            .get(node.start as usize..node.end as usize)
            .unwrap_or_default()
    }

    /// Where a value begins in the text.
    pub(crate) fn start(&self, id: NodeId) -> usize {
        self.node(id).start as usize
    }

    /// Where a value ends in the text.
    pub(crate) fn end(&self, id: NodeId) -> usize {
        self.node(id).end as usize
    }

    /// The text between two places.
    pub(crate) fn between(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The text from a place on.
    pub(crate) fn rest(&self, start: usize) -> &str {
        self.text.get(start..).unwrap_or_default()
    }

    /// What a string says; empty for other values.
    pub(crate) fn string(&self, id: NodeId) -> &str {
        self.letters(self.node(id).content)
    }

    /// The name of a member; empty for other values.
    pub(crate) fn name(&self, id: NodeId) -> &str {
        self.letters(self.node(id).name)
    }

    fn letters(&self, letters: Letters) -> &str {
        let text = if letters.unescaped {
            &*self.unescaped
        } else {
            &*self.text
        };
        text.get(letters.start as usize..letters.end as usize)
            .unwrap_or_default()
    }

    /// How many members or items a value has.
    pub(crate) fn len(&self, id: NodeId) -> usize {
        self.node(id).len as usize
    }

    /// How many values there are in and with a value.
    pub(crate) fn size(&self, id: NodeId) -> usize {
        self.node(id).next.saturating_sub(id.0) as usize
    }

    /// Whether a value is another or inside it.
    pub(crate) fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner.0 < self.node(outer).next
    }

    /// The members or items of a value, in order.
    pub(crate) fn children(&self, id: NodeId) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            next: id.0 + 1,
            left: self.node(id).len,
        }
    }

    /// The first member of that name.
    pub(crate) fn member(&self, object: NodeId, name: &str) -> Option<NodeId> {
        if let Some(sorted) = self.sorted.get(&object) {
            let at = sorted.partition_point(|id| self.name(*id) < name);
            return sorted.get(at).copied().filter(|id| self.name(*id) == name);
        }
        let is_object = self.kind(object) == Kind::Object;
        self.children(object)
            .find(|id| is_object && self.name(*id) == name)
    }

    /// The members whose name their object has before (rule ARG-5).
    pub(crate) fn repeated(&self) -> &[NodeId] {
        &self.repeated
    }
}

/// See [`Document::children`].
#[derive(Clone)]
pub(crate) struct Children<'d> {
    nodes: &'d [Node],
    next: u32,
    left: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        self.left = self.left.checked_sub(1)?;
        let id = NodeId(self.next);
        self.next = self.nodes.get(self.next as usize)?.next;
        Some(id)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_order_their_digits_and_their_names() {
        let text = r#" {"b":12345678901234567890123,"a":[1,"\u00e9",{}],"b":-0.0} "#;
        let document = Document::read(text).unwrap();
        let root = NodeId::ROOT;
        let names: Vec<_> = document
            .children(root)
            .map(|id| document.name(id))
            .collect();
        assert_eq!(names, ["b", "a", "b"]);
        let first = document.member(root, "b").unwrap();
        assert_eq!(document.raw(first), "12345678901234567890123");
        let list = document.member(root, "a").unwrap();
        let items: Vec<_> = document.children(list).map(|id| document.raw(id)).collect();
        assert_eq!(items, ["1", r#""\u00e9""#, "{}"]);
        assert_eq!(
            document.string(document.children(list).nth(1).unwrap()),
            "é"
        );
        assert_eq!(document.size(list), 4);
        assert_eq!(document.repeated().len(), 1);
        assert_eq!(document.raw(document.repeated()[0]), "-0.0");
        assert!(document.member(list, "").is_none());
    }

    #[test]
    fn repeated_names_are_found_in_large_objects_at_any_depth_and_through_escapes() {
        let members: Vec<_> = (0..20).map(|i| format!("\"k{i}\":{i}")).collect();
        let text = format!("[{{{},\"\\u006b3\":0}}]", members.join(","));
        let document = Document::read(text).unwrap();
        let names: Vec<_> = document
            .repeated()
            .iter()
            .map(|id| document.name(*id))
            .collect();
        assert_eq!(names, ["k3"]);
        let object = document.children(NodeId::ROOT).next().unwrap();
        assert_eq!(document.raw(document.member(object, "k3").unwrap()), "3");
        assert_eq!(document.raw(document.member(object, "k19").unwrap()), "19");
        assert!(document.member(object, "k20").is_none());
    }
}
