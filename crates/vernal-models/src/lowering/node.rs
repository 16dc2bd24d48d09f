//! JSON as a tree that keeps the order of members and the digits of numbers.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::{JsonObject, push_string, string_of};

/// How deep a tree is read; what lies deeper is kept as it was written.
const DEEPEST: usize = 100;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Object(Members),
    Array(Vec<Node>),
    Text(String),
    /// Any other value, as it was written.
    Raw(String),
}

/// The members of an object, in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Members(pub(super) Vec<(String, Node)>);

impl Node {
    /// The value of a JSON text.
    pub(super) fn read(text: &str) -> Option<Self> {
        let raw: &RawValue = serde_json::from_str(text).ok()?;
        Some(Self::of(raw, 0))
    }

    fn of(raw: &RawValue, depth: usize) -> Self {
        let text = raw.get();
        let whole = || Self::Raw(text.to_owned());
        if let Some(text) = string_of(raw) {
            return Self::Text(text.into_owned());
        }
        if depth == DEEPEST {
            return whole();
        }
        if text.starts_with('[') {
            let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
            let items = items.into_iter().map(|item| Self::of(item, depth + 1));
            return Self::Array(items.collect());
        }
        match serde_json::from_str::<RawMembers<'_>>(text) {
            Ok(RawMembers(members)) => {
                let mut object = Members::default();
                for (name, value) in members {
                    object.set(&name, Self::of(value, depth + 1));
                }
                Self::Object(object)
            }
            Err(_) => whole(),
        }
    }

    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn bool(value: bool) -> Self {
        Self::Raw(value.to_string())
    }

    /// A list of texts.
    pub(super) fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Array(texts.into_iter().map(Self::text).collect())
    }

    /// The schema that any value fits.
    pub(super) fn anything() -> Self {
        Self::Object(Members::default())
    }

    pub(super) fn is_true(&self) -> bool {
        matches!(self, Self::Raw(text) if text == "true")
    }

    pub(super) fn is_false(&self) -> bool {
        matches!(self, Self::Raw(text) if text == "false")
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Raw(text) if text == "null")
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_object(&self) -> Option<&Members> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The items of a list; no items for anything else.
    pub(super) fn items(&self) -> &[Node] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The number, where it is a whole one.
    pub(super) fn as_count(&self) -> Option<usize> {
        match self {
            Self::Raw(text) => text.parse().ok(),
            _ => None,
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        self.as_object()?.get(name)
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Object(members) => {
                let mut object = JsonObject::begin(out);
                for (name, value) in &members.0 {
                    value.write(object.member(name));
                }
                object.end();
            }
            Self::Array(items) => {
                out.push('[');
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Text(text) => push_string(out, text),
            Self::Raw(text) => out.push_str(text),
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(&mut out);
        f.write_str(&out)
    }
}

impl Members {
    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        let mut members = self.0.iter();
        members
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Puts a value in the place of the one with that name, or at the end.
    pub(super) fn set(&mut self, name: &str, value: Node) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, place)) => *place = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<Node> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// The names in `required`.
    pub(super) fn required(&self) -> Vec<&str> {
        let required = self.get("required").map_or(&[][..], Node::items);
        required.iter().filter_map(Node::as_str).collect()
    }

    /// The members of `properties`.
    pub(super) fn properties(&self) -> &[(String, Node)] {
        let properties = self.get("properties").and_then(Node::as_object);
        properties.map_or(&[], |members| &members.0)
    }

    /// Whether `type` says that this kind is allowed.
    pub(super) fn has_type(&self, kind: &str) -> bool {
        self.types().contains(&kind)
    }

    /// What `type` says.
    pub(super) fn types(&self) -> Vec<&str> {
        match self.get("type") {
            Some(Node::Text(kind)) => vec![kind],
            Some(kinds) => kinds.items().iter().filter_map(Node::as_str).collect(),
            None => Vec::new(),
        }
    }
}

struct RawMembers<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for RawMembers<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = RawMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    members.push((Cow::Owned(name), value));
                }
                Ok(RawMembers(members))
            }
        }

        from.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_as_it_was() {
        for text in [
            r#"{"b":1.50,"a":[{"z":null,"y":"\"한글\\n"},12345678901234567890123,true],"c":{}}"#,
            "[]",
            r#""text""#,
            "-0.0e5",
        ] {
            assert_eq!(Node::read(text).unwrap().to_string(), text);
        }
        assert!(Node::read("{").is_none());
    }

    #[test]
    fn deep_values_are_kept() {
        let text = format!("{}1{}", "[".repeat(3000), "]".repeat(3000));
        let read = Node::read(&text);
        assert!(read.is_none_or(|node| node.to_string() == text));
    }
}
