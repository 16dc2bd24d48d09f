//! Equality as JSON has it: `1` is `1.0`, and the order of members does not matter.

use std::hash::{BuildHasher, RandomState};

use super::{Decimal, Document, Kind, NodeId};

/// Whether a value is equal to one of another document.
pub(crate) fn equal(a: &Document<'_>, at: NodeId, b: &Document<'_>, bt: NodeId) -> bool {
    if a.kind(at) != b.kind(bt) || a.len(at) != b.len(bt) {
        return false;
    }
    match a.kind(at) {
        Kind::Null => true,
        Kind::Bool => a.raw(at) == b.raw(bt),
        Kind::Number => a.raw(at) == b.raw(bt) || Decimal::of(a.raw(at)) == Decimal::of(b.raw(bt)),
        Kind::String => a.string(at) == b.string(bt),
        Kind::Array => a
            .children(at)
            .zip(b.children(bt))
            .all(|(x, y)| equal(a, x, b, y)),
        Kind::Object => a.children(at).all(|x| {
            let same = b.member(bt, a.name(x));
            same.is_some_and(|y| equal(a, x, b, y))
        }),
    }
}

/// The position of the first item that occurs again.
pub(crate) fn first_repeated(document: &Document<'_>, array: NodeId) -> Option<usize> {
    let random = RandomState::new();
    let mut items: Vec<(u64, usize, NodeId)> = document
        .children(array)
        .enumerate()
        .map(|(position, id)| (hash(document, id, &random), position, id))
        .collect();
    items.sort_unstable_by_key(|(hash, position, _)| (*hash, *position));
    let groups = items.chunk_by(|a, b| a.0 == b.0);
    let repeated = groups.filter_map(|group| {
        let again = |(at, (_, _, id)): (usize, &(u64, usize, NodeId))| {
            group
                .iter()
                .skip(at + 1)
                .any(|(_, _, later)| equal(document, *id, document, *later))
        };
        let mut numbered = group.iter().enumerate();
        numbered
            .find(|one| again(*one))
            .map(|(_, (_, position, _))| *position)
    });
    repeated.min()
}

/// The same for equal values.
fn hash(document: &Document<'_>, id: NodeId, random: &RandomState) -> u64 {
    let inner = |id| hash(document, id, random);
    match document.kind(id) {
        Kind::Null | Kind::Bool => random.hash_one(document.raw(id)),
        Kind::Number => {
            let key: Vec<u8> = Decimal::of(document.raw(id)).key().collect();
            random.hash_one(key)
        }
        Kind::String => random.hash_one(("string", document.string(id))),
        Kind::Array => document
            .children(id)
            .fold(1, |sum, item| random.hash_one((sum, inner(item)))),
        Kind::Object => document.children(id).fold(2, |sum: u64, member| {
            sum.wrapping_add(random.hash_one((document.name(member), inner(member))))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) -> bool {
        let (a, b) = (Document::read(a).unwrap(), Document::read(b).unwrap());
        equal(&a, NodeId::ROOT, &b, NodeId::ROOT)
    }

    #[test]
    fn equal_is_by_value() {
        for (a, b) in [
            ("1", "1.0"),
            (r#"{"a":1,"b":[2]}"#, r#"{ "b":[2e0], "\u0061":1 }"#),
            ("12345678901234567890123", "12345678901234567890123.0"),
            (r#""é""#, r#""\u00e9""#),
        ] {
            assert!(same(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("12345678901234567890123", "12345678901234567890124"),
            ("0", "false"),
            ("[1,2]", "[2,1]"),
            (r#"{"a":1}"#, r#"{"a":1,"b":1}"#),
            ("[]", "{}"),
            (r#""1""#, "1"),
        ] {
            assert!(!same(a, b), "{a} {b}");
        }
    }

    #[test]
    fn the_first_of_two_equal_items_is_found() {
        for (items, position) in [
            ("[]", None),
            ("[1,2,3]", None),
            ("[3,1,2,1.0,3]", Some(0)),
            (r#"[{"a":1,"b":2},[1],{"b":2,"a":1}]"#, Some(0)),
            (
                r#"[1,true,"1",[1],{"1":1},null,[[1]],[1,1],0,false,"",[],{}]"#,
                None,
            ),
        ] {
            let document = Document::read(items).unwrap();
            assert_eq!(first_repeated(&document, NodeId::ROOT), position, "{items}");
        }
    }
}
