//! An object put together from its beginning and what came after it.

use serde_json::value::RawValue;

use super::{JsonObject, members};

/// The object `start` with other values, given as JSON, for some of its members; a member that it does
/// not have comes after the others.
pub(crate) fn compose(start: &RawValue, values: &[(&str, String)]) -> Option<Box<RawValue>> {
    let members = members(start)?;
    let mut out = String::with_capacity(
        start.get().len()
            + values
                .iter()
                .map(|(_, value)| value.len() + 16)
                .sum::<usize>(),
    );
    let mut object = JsonObject::begin(&mut out);
    for (name, raw) in &members {
        match values.iter().find(|(known, _)| known == name) {
            Some((_, value)) => object.raw(name, value),
            None => object.raw(name, raw),
        }
    }
    for (name, value) in values {
        if !members.iter().any(|(known, _)| known == name) {
            object.raw(name, value);
        }
    }
    object.end();
    RawValue::from_string(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_their_place_or_come_last() {
        let start = RawValue::from_string(r#"{"type":"x","b":"","z":1,"a":[ 2 ]}"#.into()).unwrap();
        let values = [("b", "\"B\"".to_owned()), ("new", "{}".to_owned())];
        let whole = compose(&start, &values).unwrap();
        assert_eq!(
            whole.get(),
            r#"{"type":"x","b":"B","z":1,"a":[ 2 ],"new":{}}"#
        );
        let list = RawValue::from_string("[1]".into()).unwrap();
        assert!(compose(&list, &values).is_none());
    }
}
