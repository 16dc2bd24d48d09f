//! JSON whose members keep the order in which they were written: the order of parameters means something.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A JSON value with ordered members.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ordered {
    Object(Vec<(String, Ordered)>),
    Array(Vec<Ordered>),
    Other(Value),
}

impl Ordered {
    /// Reads JSON text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The member of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        self.members()
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }

    /// The members of an object.
    pub(crate) fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self {
            members
        } else {
            &[]
        }
    }

    /// The items of an array.
    pub(crate) fn items(&self) -> &[Self] {
        if let Self::Array(items) = self {
            items
        } else {
            &[]
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::Other(Value::String(text)) = self {
            Some(text)
        } else {
            None
        }
    }

    pub(crate) fn as_f64(&self) -> Option<f64> {
        if let Self::Other(Value::Number(number)) = self {
            number.as_f64()
        } else {
            None
        }
    }

    /// What a JSON pointer points at.
    pub(crate) fn pointer(&self, pointer: &str) -> Option<&Self> {
        let mut at = self;
        for step in pointer.split('/').skip(1) {
            let name = step.replace("~1", "/").replace("~0", "~");
            at = match at {
                Self::Array(items) => items.get(name.parse::<usize>().ok()?)?,
                _ => at.get(&name)?,
            };
        }
        Some(at)
    }

    /// The value without its order.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Object(members) => {
                let members = members
                    .iter()
                    .map(|(name, value)| (name.clone(), value.to_value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
            Self::Array(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Self::Other(value) => value.clone(),
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Ordered;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any JSON value")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Ordered, E> {
                Ok(Ordered::Other(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Ordered, E> {
                Ok(Ordered::Other(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Ordered, E> {
                Ok(Ordered::Other(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Ordered, E> {
                Ok(Ordered::Other(value.into()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Ordered, E> {
                Ok(Ordered::Other(value.into()))
            }

            fn visit_unit<E>(self) -> Result<Ordered, E> {
                Ok(Ordered::Other(Value::Null))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Ordered, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Ordered::Array(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Ordered::Object(members))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_pointers_lead_somewhere() {
        let json = Ordered::parse(r#"{"b":[1,{"x/y":true}],"a":null}"#).unwrap();
        let names: Vec<_> = json
            .members()
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(
            json.pointer("/b/1/x~1y"),
            Some(&Ordered::Other(true.into()))
        );
        assert_eq!(json.pointer("/b/7"), None);
        assert_eq!(
            json.to_value(),
            serde_json::json!({"b":[1,{"x/y":true}],"a":null})
        );
        assert!(Ordered::parse("{").is_none());
    }
}
