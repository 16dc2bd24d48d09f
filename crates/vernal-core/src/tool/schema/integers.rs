//! The number types of Rust, which schemars names in `format`.

use serde_json::{Map, Value};

/// A number type of Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberType {
    /// An integer whose least and largest value a schema says.
    Bounded { least: i64, largest: i64 },
    /// A float, or an integer of more than 32 bits. JSON numbers are floats to many a provider and
    /// server, which round what is beyond 2^53, and grammars are made of bounds: the whole range of
    /// 64 bits is an error to some. Such values are checked where they are read.
    Open,
}

/// The number type that a `format` names, if it names one.
pub(super) fn number_type(format: &str) -> Option<NumberType> {
    if matches!(format, "float" | "double") {
        return Some(NumberType::Open);
    }
    let (signed, bits) = match (format.strip_prefix("uint"), format.strip_prefix("int")) {
        (Some(bits), _) => (false, bits),
        (None, Some(bits)) => (true, bits),
        (None, None) => return None,
    };
    let bounded = |least: i64, largest: i64| Some(NumberType::Bounded { least, largest });
    match (signed, bits) {
        (true, "8") => bounded(i8::MIN.into(), i8::MAX.into()),
        (true, "16") => bounded(i16::MIN.into(), i16::MAX.into()),
        (true, "32") => bounded(i32::MIN.into(), i32::MAX.into()),
        (false, "8") => bounded(0, u8::MAX.into()),
        (false, "16") => bounded(0, u16::MAX.into()),
        (false, "32") => bounded(0, u32::MAX.into()),
        (_, "" | "64" | "128") => Some(NumberType::Open),
        _ => None,
    }
}

impl NumberType {
    /// Says in a schema how small and how large a value may be, where it does not say so already.
    pub(super) fn bound(self, members: &mut Map<String, Value>) {
        let Self::Bounded { least, largest } = self else {
            return;
        };
        if !allows_integers(members) {
            return;
        }
        for (keyword, exclusive, bound) in [
            ("minimum", "exclusiveMinimum", least),
            ("maximum", "exclusiveMaximum", largest),
        ] {
            if !members.contains_key(keyword) && !members.contains_key(exclusive) {
                members.insert(keyword.to_owned(), bound.into());
            }
        }
    }
}

fn allows_integers(members: &Map<String, Value>) -> bool {
    let is_number = |name: &Value| matches!(name.as_str(), Some("integer" | "number"));
    match members.get("type") {
        Some(Value::Array(types)) => types.iter().any(is_number),
        Some(name) => is_number(name),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_number_types_are_meant() {
        for format in ["int", "uint", "int64", "uint128", "float", "double"] {
            assert_eq!(number_type(format), Some(NumberType::Open), "{format}");
        }
        for format in ["interval", "integer", "uint24", "int-8", "uri", "date", ""] {
            assert_eq!(number_type(format), None, "{format}");
        }
        let least = i8::MIN.into();
        let largest = i8::MAX.into();
        let byte = NumberType::Bounded { least, largest };
        assert_eq!(number_type("int8"), Some(byte));
    }

    #[test]
    fn what_is_said_already_stays() {
        let bounded = |schema: Value| {
            let Value::Object(mut members) = schema else {
                panic!("no object")
            };
            number_type("uint8").unwrap().bound(&mut members);
            Value::Object(members)
        };
        for (schema, expected) in [
            (
                json!({"type":"integer"}),
                json!({"type":"integer","minimum":0,"maximum":255}),
            ),
            (
                json!({"type":["integer","null"],"minimum":7}),
                json!({"type":["integer","null"],"minimum":7,"maximum":255}),
            ),
            (
                json!({"type":"integer","exclusiveMaximum":9}),
                json!({"type":"integer","minimum":0,"exclusiveMaximum":9}),
            ),
            (json!({"type":"string"}), json!({"type":"string"})),
            (json!({}), json!({})),
        ] {
            assert_eq!(bounded(schema), expected);
        }
    }
}
