//! Reading a value of a [`Document`] as a Rust type.
//!
//! serde_json would do, but for three things: its floats may be off by the last bit unless a feature
//! of the whole program says otherwise, it takes `3.0` for no integer although a schema does, and its
//! errors do not say where in the value they are.

use std::sync::LazyLock;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;

use super::read_error::ReadError;
use super::variant::OneOf;
use super::{Decimal, Document, Kind, NodeId};

/// What is expected of a float.
const OUT_OF_RANGE: &str = "expected a number that a float can hold";

/// Whether the program has `arbitrary_precision` of serde_json on: then a `Value` can hold a number that
/// no float can, in a form that only serde_json knows.
static KEEPS_DIGITS: LazyLock<bool> = LazyLock::new(|| {
    let read = serde_json::from_str::<serde_json::Value>("1.10");
    read.map(|value| value.to_string())
        .is_ok_and(|text| text == "1.10")
});

/// Whether a float has the value of a number.
fn is_exact(number: &str) -> bool {
    let float = number.parse::<f64>().ok().filter(|float| float.is_finite());
    float.is_some_and(|float| Decimal::of(&float.to_string()) == Decimal::of(number))
}

/// Reads a value as a Rust type.
pub(crate) fn read<T: DeserializeOwned>(
    document: &Document<'_>,
    id: NodeId,
) -> Result<T, ReadError> {
    // What a type says of a whole value, as `try_from` does, comes without its place.
    T::deserialize(Reader { document, id }).map_err(|error| error.at(id))
}

#[derive(Clone, Copy)]
pub(super) struct Reader<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) id: NodeId,
}

impl<'d> Reader<'d> {
    pub(super) fn kind(&self) -> Kind {
        self.document.kind(self.id)
    }

    fn inner(&self, id: NodeId) -> Self {
        Self { id, ..*self }
    }

    fn any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.kind() {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool => visitor.visit_bool(self.document.raw(self.id) == "true"),
            Kind::Number => self.number(visitor),
            Kind::String => visitor.visit_borrowed_str(self.document.string(self.id)),
            Kind::Array => self.items(visitor),
            Kind::Object => self.members(visitor),
        }
    }

    fn number<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let text = self.document.raw(self.id);
        if text == "-0" {
            return visitor.visit_f64(-0.0);
        }
        if let Ok(number) = text.parse::<u64>() {
            return visitor.visit_u64(number);
        }
        if let Ok(number) = text.parse::<i64>() {
            return visitor.visit_i64(number);
        }
        if *KEEPS_DIGITS && !is_exact(text) {
            let mut theirs = serde_json::Deserializer::from_str(text);
            return theirs.deserialize_any(visitor).map_err(ReadError::custom);
        }
        self.float(visitor)
    }

    /// A number where an integer is wanted, in all its digits.
    fn integer<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if self.kind() != Kind::Number {
            return self.any(visitor);
        }
        let text = self.document.raw(self.id);
        let Some(digits) = Decimal::of(text).integer_digits() else {
            return self.any(visitor);
        };
        if let Ok(number) = digits.parse::<u64>() {
            visitor.visit_u64(number)
        } else if let Ok(number) = digits.parse::<i64>() {
            visitor.visit_i64(number)
        } else if let Ok(number) = digits.parse::<i128>() {
            visitor.visit_i128(number)
        } else if let Ok(number) = digits.parse::<u128>() {
            visitor.visit_u128(number)
        } else {
            Err(ReadError::told("expected an integer of at most 128 bits"))
        }
    }

    fn float<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.document.raw(self.id).parse::<f64>() {
            Ok(number) if number.is_finite() => visitor.visit_f64(number),
            _ => Err(ReadError::told(OUT_OF_RANGE)),
        }
    }

    pub(super) fn items<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let mut inside = Inside::of(self);
        let value = visitor.visit_seq(&mut inside)?;
        match inside.children.next() {
            None => Ok(value),
            Some(_) => {
                let count = self.document.len(self.id);
                Err(ReadError::invalid_length(count, &"fewer elements in array"))
            }
        }
    }

    pub(super) fn members<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_map(Inside::of(self))
    }

    /// Types of serde_json's own, such as `RawValue`, that it reads by a way of its own.
    fn as_serde_json<V: Visitor<'d>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        serde_json::Deserializer::from_str(self.document.raw(self.id))
            .deserialize_newtype_struct(name, visitor)
            .map_err(ReadError::custom)
    }
}

macro_rules! deserialize {
    ($method:ident by $how:ident) => {
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            self.$how(visitor).map_err(|error| error.at(self.id))
        }
    };
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = ReadError;

    deserialize!(deserialize_any by any);
    deserialize!(deserialize_i8 by integer);
    deserialize!(deserialize_i16 by integer);
    deserialize!(deserialize_i32 by integer);
    deserialize!(deserialize_i64 by integer);
    deserialize!(deserialize_i128 by integer);
    deserialize!(deserialize_u8 by integer);
    deserialize!(deserialize_u16 by integer);
    deserialize!(deserialize_u32 by integer);
    deserialize!(deserialize_u64 by integer);
    deserialize!(deserialize_u128 by integer);

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let read = match self.kind() {
            // Rounded once, from all the digits.
            Kind::Number => match self.document.raw(self.id).parse::<f32>() {
                Ok(number) if number.is_finite() => visitor.visit_f32(number),
                _ => Err(ReadError::told(OUT_OF_RANGE)),
            },
            _ => self.any(visitor),
        };
        read.map_err(|error: ReadError| error.at(self.id))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let read = match self.kind() {
            Kind::Number => self.float(visitor),
            _ => self.any(visitor),
        };
        read.map_err(|error| error.at(self.id))
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.any(visitor).map_err(|error| error.at(self.id))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.kind() {
            Kind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let read = match name.starts_with("$serde_json::private::") {
            true => self.as_serde_json(name, visitor),
            false => visitor.visit_newtype_struct(self),
        };
        read.map_err(|error| error.at(self.id))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let mut members = self.document.children(self.id);
        let one = match (self.kind(), members.next(), members.next()) {
            (Kind::String, ..) => Ok(OneOf {
                name: self.document.string(self.id),
                value: None,
            }),
            (Kind::Object, Some(value), None) => Ok(OneOf {
                name: self.document.name(value),
                value: Some(self.inner(value)),
            }),
            (Kind::Object, ..) => Err(ReadError::invalid_value(
                Unexpected::Map,
                &"an object with a single member",
            )),
            _ => Err(ReadError::told("expected a string or an object")),
        };
        one.and_then(|one| visitor.visit_enum(one))
            .map_err(|error| error.at(self.id))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match (self.id, self.kind()) {
            // Arguments are an object, also those of a tool that takes nothing.
            (NodeId::ROOT, Kind::Object) => visitor.visit_unit(),
            _ => self.any(visitor).map_err(|error| error.at(self.id)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool char str string byte_buf seq tuple tuple_struct map struct identifier
    }
}

/// The items or members that are still to be read.
struct Inside<'d> {
    reader: Reader<'d>,
    children: super::document::Children<'d>,
    /// The member whose name was read.
    member: Option<NodeId>,
}

impl<'d> Inside<'d> {
    fn of(reader: Reader<'d>) -> Self {
        Self {
            reader,
            children: reader.document.children(reader.id),
            member: None,
        }
    }
}

impl<'d> SeqAccess<'d> for &mut Inside<'d> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'d>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ReadError> {
        let Some(item) = self.children.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(self.reader.inner(item));
        read.map(Some).map_err(|error| error.at(item))
    }

    fn size_hint(&self) -> Option<usize> {
        self.children.size_hint().1
    }
}

impl<'d> MapAccess<'d> for Inside<'d> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'d>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ReadError> {
        self.member = self.children.next();
        let name = self
            .member
            .map(|id| super::variant::Name(self.reader.document.name(id)));
        let read = name.map(|name| seed.deserialize(name)).transpose();
        read.map_err(|error| error.at(self.member.unwrap_or(self.reader.id)))
    }

    fn next_value_seed<T: DeserializeSeed<'d>>(&mut self, seed: T) -> Result<T::Value, ReadError> {
        match self.member {
            Some(member) => {
                let read = seed.deserialize(self.reader.inner(member));
                read.map_err(|error| error.at(member))
            }
            None => Err(ReadError::custom("a value was read before its name")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.children.size_hint().1
    }
}
