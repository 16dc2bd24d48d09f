//! What violations are made of: values and names, shown in little space.

use crate::tool::name::nearest;

/// How much of a value is quoted.
const MAX_QUOTED_CHARS: usize = 60;
/// How many bytes a list of names or values has before the rest is counted.
const MAX_LISTED_BYTES: usize = 240;
/// How many names are compared with one that is not known, and how long they may be.
const MAX_COMPARED: usize = 200;
const MAX_COMPARED_BYTES: usize = 64;

pub(super) use crate::tool::schema::value::shortened_to;

/// A value, shortened, to show what came.
pub(super) fn quoted(value: &str) -> std::borrow::Cow<'_, str> {
    shortened_to(value, MAX_QUOTED_CHARS)
}

/// `a, b, c`, or `a, b, … (1000 in all)` of many.
pub(super) fn listed<'v>(values: impl Iterator<Item = &'v str>) -> String {
    let mut text = String::new();
    let mut count = 0;
    let mut left_out = false;
    for value in values {
        count += 1;
        left_out = left_out || text.len() > MAX_LISTED_BYTES;
        if !left_out {
            if count > 1 {
                text.push_str(", ");
            }
            text.push_str(&quoted(value));
        }
    }
    if left_out {
        text.push_str(&format!(", … ({count} in all)"));
    }
    text
}

/// The name that may have been meant by one that is not known.
pub(super) fn meant<'v>(given: &str, known: impl Iterator<Item = &'v str>) -> Option<&'v str> {
    if given.len() > MAX_COMPARED_BYTES {
        return None;
    }
    nearest(
        given,
        known
            .filter(|name| name.len() <= MAX_COMPARED_BYTES)
            .take(MAX_COMPARED),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stay_short() {
        assert_eq!(listed(["a", "b"].into_iter()), "a, b");
        let many: Vec<String> = (0..10_000).map(|n| n.to_string()).collect();
        let text = listed(many.iter().map(String::as_str));
        assert!(text.ends_with(", … (10000 in all)"), "{text}");
        assert!(text.len() < 300);
        assert!(listed(["x".repeat(5000).as_str()].into_iter()).len() < 70);
    }
}
