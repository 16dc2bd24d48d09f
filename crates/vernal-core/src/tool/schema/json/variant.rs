//! Names of members and of variants, read as Rust types.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::Kind;
use super::read::Reader;
use super::read_error::ReadError;

/// The name of a member: a string, or what it spells for a map with other keys.
pub(super) struct Name<'d>(pub(super) &'d str);

macro_rules! deserialize_parsed {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_borrowed_str(self.0),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_borrowed_str(self.0)
    }

    deserialize_parsed! {
        deserialize_bool visit_bool
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_i128 visit_i128
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_u128 visit_u128
        deserialize_f32 visit_f32
        deserialize_f64 visit_f64
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_enum(OneOf {
            name: self.0,
            value: None,
        })
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// One variant of an enum: its name, and what is in it.
pub(super) struct OneOf<'d> {
    pub(super) name: &'d str,
    pub(super) value: Option<Reader<'d>>,
}

impl<'d> EnumAccess<'d> for OneOf<'d> {
    type Error = ReadError;
    type Variant = Content<'d>;

    fn variant_seed<V: DeserializeSeed<'d>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Content<'d>), ReadError> {
        Ok((seed.deserialize(Name(self.name))?, Content(self.value)))
    }
}

/// What is in a variant, if anything.
pub(super) struct Content<'d>(Option<Reader<'d>>);

impl<'d> Content<'d> {
    fn of_kind(&self, kind: Kind, wanted: &str) -> Result<Reader<'d>, ReadError> {
        match self.0 {
            Some(reader) if reader.kind() == kind => Ok(reader),
            Some(reader) => Err(ReadError::custom(format!(
                "expected {wanted}, got {}",
                reader.kind()
            ))),
            None => Err(ReadError::invalid_type(Unexpected::UnitVariant, &wanted)),
        }
    }
}

impl<'d> VariantAccess<'d> for Content<'d> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match self.0 {
            None => Ok(()),
            Some(reader) => serde::Deserialize::deserialize(reader),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'d>>(self, seed: T) -> Result<T::Value, ReadError> {
        match self.0 {
            Some(reader) => {
                let read = seed.deserialize(reader);
                read.map_err(|error| error.at(reader.id))
            }
            None => Err(ReadError::invalid_type(
                Unexpected::UnitVariant,
                &"a variant with a value",
            )),
        }
    }

    fn tuple_variant<V: Visitor<'d>>(self, _len: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.of_kind(Kind::Array, "an array")?.items(visitor)
    }

    fn struct_variant<V: Visitor<'d>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.0 {
            // As for structs, which can be read from their fields in order.
            Some(reader) if reader.kind() == Kind::Array => reader.items(visitor),
            _ => self.of_kind(Kind::Object, "an object")?.members(visitor),
        }
    }
}
