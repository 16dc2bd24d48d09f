//! JSON in what a model says, though it was asked for nothing else.

use serde::de::IgnoredAny;

/// How many places are tried at which a value could begin.
const MAX_STARTS: usize = 64;
/// How many values are looked at.
const MAX_VALUES: usize = 8;

/// The JSON values that a text may mean, the likeliest first: the text itself, or else what stands in its
/// code fences and then objects and lists between its words. A value that is cut off, or broken, is not
/// looked into for smaller ones.
pub(super) fn json_in(text: &str) -> Vec<&str> {
    let text = text.trim();
    if is_json(text) {
        return vec![text];
    }
    let mut found: Vec<&str> = in_fences(text).filter(|inside| is_json(inside)).collect();
    for value in between_words(text) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found.truncate(MAX_VALUES);
    found
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// What stands in the code fences of a text, without the name of a language.
fn in_fences(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split("```").skip(1).step_by(2).take(MAX_VALUES);
    pieces.map(|piece| {
        let label = piece
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(piece.len());
        let (label, rest) = piece.split_at(label);
        // A label ends its line, or an object follows it.
        let is_label = rest.starts_with(['\n', '\r', ' ', '{', '[']) && !is_json(label);
        if is_label { rest.trim() } else { piece.trim() }
    })
}

/// The objects and lists that begin somewhere in a text, in order.
fn between_words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    for _ in 0..MAX_STARTS {
        let Some(rest) = text.get(at..) else { break };
        let Some(start) = rest.find(['{', '[']) else {
            break;
        };
        let rest = rest.get(start..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {
                let end = values.byte_offset();
                found.extend(rest.get(..end));
                at += start + end;
            }
            // What stands before the error is part of something broken; all of it, where it is cut off.
            Some(Err(error)) => at += start + offset_of(rest, &error).max(1),
            None => break,
        }
        if found.len() == MAX_VALUES {
            break;
        }
    }
    found
}

/// Where in the text an error is, at a character's boundary.
fn offset_of(text: &str, error: &serde_json::Error) -> usize {
    let mut before = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let before: usize = before.by_ref().map(str::len).sum();
    text.ceil_char_boundary(before + error.column())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_wherever_they_stand() {
        for (text, found) in [
            (r#"{"a":1}"#, vec![r#"{"a":1}"#]),
            ("  [1]\n", vec!["[1]"]),
            ("\"word\"", vec!["\"word\""]),
            ("```json\n{\"a\":1}\n```", vec![r#"{"a":1}"#]),
            ("```{\"a\":1}```", vec![r#"{"a":1}"#]),
            ("```\n42\n```", vec!["42"]),
            ("```true```", vec!["true"]),
            ("Here:\n```JSON\n[1, 2]\n```\nDone.", vec!["[1, 2]"]),
            ("It is {\"a\":1}, I think.", vec![r#"{"a":1}"#]),
            ("[see below] {\"a\":1}", vec![r#"{"a":1}"#]),
            ("first [1] then {\"a\":1}", vec!["[1]", r#"{"a":1}"#]),
            (
                "날씨는 {\"도시\":\"서울\"} 입니다",
                vec!["{\"도시\":\"서울\"}"],
            ),
            ("no JSON", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(json_in(text), found, "{text}");
        }
    }

    #[test]
    fn what_is_cut_off_or_broken_is_not_looked_into() {
        for text in [
            r#"{"a": {"b": 1}"#,
            r#"{"a": [{"b": 1}, {"c": "#,
            r#"{"a": {"b": 1},}"#,
            "{\"가\": {\"나\": 1},\n\n 다}",
            "```json\n{\"a\": {\"b\": 1}",
        ] {
            assert_eq!(json_in(text), Vec::<&str>::new(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_a_text_is_only_json_of_it_is_found(
            text in "([{}\\[\\]\",:`\\\\ \\n0-9a가😀.-]|true|null|```|```json|\"a\":){0,40}"
        ) {
            let found = json_in(&text);
            proptest::prop_assert!(found.len() <= MAX_VALUES);
            for value in found {
                proptest::prop_assert!(text.contains(value) && is_json(value), "{value}");
            }
        }
    }

    #[test]
    fn a_long_text_takes_a_bounded_time() {
        let braces = "{ ".repeat(200_000);
        assert!(json_in(&braces).is_empty());
        let many: String = (0..10_000).map(|n| format!("[{n}] ")).collect();
        assert_eq!(json_in(&many).len(), MAX_VALUES);
        let deep = "[".repeat(500_000);
        assert!(json_in(&deep).is_empty());
    }
}
