//! Reading fields that servers fill with more kinds of values than they should.
//!
//! Each function reads a field for `#[serde(default, deserialize_with = …)]`: a value of another kind
//! than the expected one counts as absent, and text without escapes is borrowed.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A text; numbers and truth values become their text.
pub(crate) fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Cow<'de, str>>, D::Error> {
    from.deserialize_any(Text)
}

/// A whole number; a number with a fraction is cut, text that says a number is read.
pub(crate) fn integer<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    from.deserialize_any(Integer)
}

/// An object.
pub(crate) fn object<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    from.deserialize_any(Object(PhantomData))
}

/// A list of objects; elements that are none are left out.
pub(crate) fn objects<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    from.deserialize_any(Objects(PhantomData))
}

/// An element of a list that is an object, or anything else, which counts as absent.
struct Element<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Element<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        object(from).map(Self)
    }
}

fn skip_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<(), A::Error> {
    while list.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

fn skip_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

/// The kinds of values that a visitor takes for absent; the macro's arguments are the kinds.
macro_rules! absent {
    ($($kind:ident),*) => { $(absent!(@$kind);)* };
    (@null) => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
        fn visit_none<E>(self) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
    };
    (@boolean) => {
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
    };
    (@scalar) => {
        absent!(boolean);
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
    };
    (@list) => {
        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
            skip_list(list).map(|()| Self::Value::default())
        }
    };
    (@map) => {
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            skip_map(map).map(|()| Self::Value::default())
        }
    };
}

struct Text;

impl<'de> Visitor<'de> for Text {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(if value { "true" } else { "false" })))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(value.to_string())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(value.to_string())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(value.to_string())))
    }

    absent!(null, list, map);
}

struct Integer;

impl<'de> Visitor<'de> for Integer {
    type Value = Option<i64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Some(number as i64))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        let whole = text.parse::<i64>().ok();
        let cut = || text.parse::<f64>().ok().filter(|number| number.is_finite());
        Ok(whole.or_else(|| cut().map(|number| number as i64)))
    }

    absent!(null, boolean, list, map);
}

struct Object<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }

    absent!(null, scalar, list);
}

struct Objects<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Objects<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut objects = Vec::new();
        while let Some(Element(element)) = list.next_element()? {
            if let Some(object) = element {
                if objects.is_empty() {
                    objects.reserve_exact(1);
                }
                objects.push(object);
            }
        }
        Ok(objects)
    }

    absent!(null, scalar, map);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Fields<'a> {
        #[serde(borrow, deserialize_with = "text")]
        text: Option<Cow<'a, str>>,
        #[serde(deserialize_with = "integer")]
        number: Option<i64>,
        #[serde(deserialize_with = "object")]
        inner: Option<Inner>,
        #[serde(deserialize_with = "objects")]
        list: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    struct Inner {
        x: u8,
    }

    fn read(json: &str) -> Fields<'_> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn expected_kinds_are_read() {
        let fields =
            read(r#"{"text":"a","number":3,"inner":{"x":1},"list":[{"x":2},{"x":3}],"more":0}"#);
        assert!(matches!(fields.text, Some(Cow::Borrowed("a"))));
        assert_eq!(fields.number, Some(3));
        assert_eq!(fields.inner.unwrap().x, 1);
        assert_eq!(
            fields.list.iter().map(|inner| inner.x).collect::<Vec<_>>(),
            [2, 3]
        );
        assert_eq!(read(r#"{"text":"a\n"}"#).text.unwrap(), "a\n");
    }

    #[test]
    fn other_kinds_count_as_absent() {
        for value in [
            "null",
            "true",
            "1",
            "1.5",
            "-1",
            r#""x""#,
            "[1,[2]]",
            r#"{"y":[1]}"#,
        ] {
            let other = |field: &str| format!(r#"{{"{field}":{value}}}"#);
            if !value.starts_with('{') {
                assert!(read(&other("inner")).inner.is_none());
            }
            assert!(read(&other("list")).list.is_empty());
        }
        assert!(read(r#"{"text":null}"#).text.is_none());
        assert!(read(r#"{"text":["x"],"number":{}}"#).text.is_none());
        assert_eq!(read(r#"{"list":[null,{"x":1},"y"]}"#).list.len(), 1);
    }

    #[test]
    fn numbers_and_texts_stand_for_each_other() {
        assert_eq!(read(r#"{"text":17}"#).text.unwrap(), "17");
        assert_eq!(read(r#"{"text":true}"#).text.unwrap(), "true");
        assert_eq!(read(r#"{"number":"17"}"#).number, Some(17));
        assert_eq!(read(r#"{"number":17.0}"#).number, Some(17));
        assert_eq!(read(r#"{"number":"x"}"#).number, None);
        assert_eq!(read(r#"{"number":"NaN"}"#).number, None);
        assert_eq!(read(r#"{"number":"-Infinity"}"#).number, None);
        assert_eq!(read(r#"{"number":1e99}"#).number, Some(i64::MAX));
    }
}
