//! The parts of a schema document that can be referred to: resources with an `$id`, and anchors.

use std::collections::HashMap;

use super::json::{Document, Kind, NodeId};
use super::uri;

/// Every resource of a document; the first is the document itself.
pub(super) struct Resources(Vec<Resource>);

/// A schema that has an address of its own, and what it contains up to the next such one.
struct Resource {
    root: NodeId,
    uri: String,
    anchors: HashMap<String, Anchor>,
}

#[derive(Clone, Copy)]
struct Anchor {
    node: NodeId,
    dynamic: bool,
}

/// What a reference leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) node: NodeId,
    /// The `$dynamicAnchor` by which it was found.
    pub(super) dynamic_anchor: Option<String>,
}

/// Why a reference leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nowhere {
    /// It leads out of the document.
    Outside,
    /// The document has no such place.
    Missing,
}

impl Resources {
    pub(super) fn of(document: &Document<'_>) -> Self {
        let root = Resource {
            root: NodeId::ROOT,
            uri: String::new(),
            anchors: HashMap::new(),
        };
        let mut found = Self(vec![root]);
        let text = document.raw(NodeId::ROOT);
        if ["$id", "$anchor", "$dynamicAnchor", "\\u"]
            .iter()
            .any(|name| text.contains(name))
        {
            found.collect(document);
        }
        found
    }

    fn collect(&mut self, document: &Document<'_>) {
        let mut waiting = vec![(NodeId::ROOT, 0)];
        while let Some((node, within)) = waiting.pop() {
            let resource = self.enter(document, node, within);
            for_each_subschema(document, node, &mut |inner| waiting.push((inner, resource)));
        }
        self.0.sort_by_key(|resource| resource.root);
    }

    /// Notes what a schema says about itself; returns the resource that it is in.
    fn enter(&mut self, document: &Document<'_>, node: NodeId, within: usize) -> usize {
        let text = |name: &str| {
            let value = document.member(node, name)?;
            (document.kind(value) == Kind::String).then(|| document.string(value))
        };
        let mut resource = within;
        let id = text("$id").unwrap_or_default();
        let (address, fragment) = uri::split_fragment(id);
        if !address.is_empty() {
            let base = self
                .0
                .get(within)
                .map(|outer| outer.uri.as_str())
                .unwrap_or_default();
            let uri = uri::resolved(base, address);
            if node == NodeId::ROOT {
                self.0.iter_mut().for_each(|root| root.uri = uri.clone());
            } else {
                self.0.push(Resource {
                    root: node,
                    uri,
                    anchors: HashMap::new(),
                });
                resource = self.0.len() - 1;
            }
        }
        // An `$id` that is just a fragment is how older drafts write an anchor.
        let old = Some(fragment).filter(|name| !name.is_empty());
        let anchors = [
            (text("$anchor"), false),
            (text("$dynamicAnchor"), true),
            (old, false),
        ];
        if let Some(resource) = self.0.get_mut(resource) {
            for (name, dynamic) in anchors {
                if let Some(name) = name {
                    resource
                        .anchors
                        .entry(name.to_owned())
                        .or_insert(Anchor { node, dynamic });
                }
            }
        }
        resource
    }

    /// The number of resources.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The resource that a schema is in.
    pub(super) fn around(&self, document: &Document<'_>, node: NodeId) -> usize {
        let after = self.0.partition_point(|resource| resource.root <= node);
        let outer = self.0.get(..after).unwrap_or_default();
        outer
            .iter()
            .rposition(|resource| document.contains(resource.root, node))
            .unwrap_or(0)
    }

    /// Every `$dynamicAnchor`, with its resource.
    pub(super) fn dynamic_anchors(&self) -> impl Iterator<Item = (usize, &str, NodeId)> {
        self.0.iter().enumerate().flat_map(|(at, resource)| {
            let dynamic = resource.anchors.iter().filter(|(_, anchor)| anchor.dynamic);
            dynamic.map(move |(name, anchor)| (at, name.as_str(), anchor.node))
        })
    }

    /// What a reference in the schema at `from` leads to.
    pub(super) fn find(
        &self,
        document: &Document<'_>,
        from: NodeId,
        reference: &str,
    ) -> Result<Target, Nowhere> {
        let here = self
            .0
            .get(self.around(document, from))
            .ok_or(Nowhere::Missing)?;
        let (address, fragment) = uri::split_fragment(reference);
        let resource = match address {
            "" => here,
            address => {
                let uri = uri::resolved(&here.uri, address);
                let known = self.0.iter().find(|resource| resource.uri == uri);
                known.ok_or(Nowhere::Outside)?
            }
        };
        let fragment = percent_decoded(fragment);
        if fragment.is_empty() {
            return Ok(Target {
                node: resource.root,
                dynamic_anchor: None,
            });
        }
        if fragment.starts_with('/') {
            let node = at_pointer(document, resource.root, &fragment).ok_or(Nowhere::Missing)?;
            return Ok(Target {
                node,
                dynamic_anchor: None,
            });
        }
        let anchor = resource.anchors.get(&fragment).ok_or(Nowhere::Missing)?;
        Ok(Target {
            node: anchor.node,
            dynamic_anchor: anchor.dynamic.then_some(fragment),
        })
    }
}

fn at_pointer(document: &Document<'_>, root: NodeId, pointer: &str) -> Option<NodeId> {
    pointer.split('/').skip(1).try_fold(root, |node, step| {
        let step = step.replace("~1", "/").replace("~0", "~");
        match document.kind(node) {
            Kind::Array => document.children(node).nth(step.parse().ok()?),
            _ => document.member(node, &step),
        }
    })
}

/// Visits the schemas directly inside a schema, and nothing else: a property named `properties` is
/// a name, not a keyword.
fn for_each_subschema(document: &Document<'_>, schema: NodeId, visit: &mut dyn FnMut(NodeId)) {
    if document.kind(schema) != Kind::Object {
        return;
    }
    for member in document.children(schema) {
        match document.name(member) {
            "additionalProperties"
            | "propertyNames"
            | "contains"
            | "not"
            | "if"
            | "then"
            | "else"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "additionalItems" => visit(member),
            "items" if document.kind(member) != Kind::Array => visit(member),
            "allOf" | "anyOf" | "oneOf" | "prefixItems" | "items" | "properties"
            | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
            | "dependencies" => {
                document.children(member).for_each(&mut *visit);
            }
            _ => {}
        }
    }
}

/// A pointer or anchor out of a URI fragment.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let decoded = match (first, tail) {
            (b'%', [high, low, ..]) => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|hex| u8::from_str_radix(hex, 16).ok()),
            _ => None,
        };
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() {
            tail.get(2..).unwrap_or_default()
        } else {
            tail
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r##"{"$id":"http://x/root.json","$defs":{
        "a":{"$id":"sub/a.json","$anchor":"here","$defs":{"b":{"$dynamicAnchor":"node"}}},
        "c":{"enum":[{"$id":"http://x/not"}],"x%y":{"const":1}},
        "old":{"$id":"#legacy"}}}"##;

    fn found(from: &str, reference: &str) -> Result<String, Nowhere> {
        let document = Document::read(SCHEMA).unwrap();
        let resources = Resources::of(&document);
        let from = at_pointer(&document, NodeId::ROOT, from).unwrap();
        let target = resources.find(&document, from, reference)?;
        Ok(super::super::json::path::pointer(&document, target.node))
    }

    #[test]
    fn references_are_resolved_where_they_are() {
        for (from, reference, expected) in [
            ("", "#", "#"),
            ("", "#/$defs/c", "#/$defs/c"),
            ("", "http://x/root.json#/$defs/c/x%25y", "#/$defs/c/x%y"),
            ("", "sub/a.json", "#/$defs/a"),
            ("", "/sub/a.json#here", "#/$defs/a"),
            ("", "#legacy", "#/$defs/old"),
            ("/$defs/a/$defs/b", "#", "#/$defs/a"),
            ("/$defs/a/$defs/b", "#here", "#/$defs/a"),
            ("/$defs/a", "a.json#node", "#/$defs/a/$defs/b"),
            ("/$defs/a", "../root.json#/$defs/c", "#/$defs/c"),
        ] {
            assert_eq!(
                found(from, reference).as_deref(),
                Ok(expected),
                "{from} {reference}"
            );
        }
        for (from, reference, why) in [
            ("", "#here", Nowhere::Missing),
            ("", "#/$defs/d", Nowhere::Missing),
            ("", "http://x/not", Nowhere::Outside),
            ("/$defs/a", "root.json", Nowhere::Outside),
            ("", "file:///etc/passwd", Nowhere::Outside),
        ] {
            assert_eq!(found(from, reference), Err(why), "{from} {reference}");
        }
    }
}
