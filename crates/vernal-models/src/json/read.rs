//! Reading a JSON string that was passed over as raw text.

use std::borrow::Cow;

use serde_json::value::RawValue;

/// The text of a JSON string; `None` for any other value.
///
/// Borrowed where there are no escapes, else one allocation. Half a surrogate pair, which some servers
/// make by cutting text, becomes U+FFFD and costs no more than itself.
pub(crate) fn string_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inside = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    let Some(first) = inside.find('\\') else {
        return Some(Cow::Borrowed(inside));
    };
    let (plain, mut rest) = inside.split_at(first);
    let mut text = String::with_capacity(inside.len());
    text.push_str(plain);
    while let Some(escape) = rest.strip_prefix('\\') {
        let (character, after) = unescape(escape);
        text.push(character);
        let (plain, next) = after.split_at(after.find('\\').unwrap_or(after.len()));
        text.push_str(plain);
        rest = next;
    }
    Some(Cow::Owned(text))
}

/// The character that an escape stands for, and what follows it.
fn unescape(escape: &str) -> (char, &str) {
    let mut characters = escape.chars();
    let character = match characters.next() {
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => return unescape_unit(characters.as_str()),
        Some(other) => other,
        None => char::REPLACEMENT_CHARACTER,
    };
    (character, characters.as_str())
}

fn unescape_unit(text: &str) -> (char, &str) {
    let Some((first, rest)) = unit(text) else {
        return (char::REPLACEMENT_CHARACTER, text);
    };
    if let Some(character) = char::from_u32(first) {
        return (character, rest);
    }
    let second = rest.strip_prefix("\\u").and_then(unit);
    if let (0xd800..0xdc00, Some((second @ 0xdc00..0xe000, rest))) = (first, second) {
        let scalar = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (
            char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER),
            rest,
        );
    }
    (char::REPLACEMENT_CHARACTER, rest)
}

/// Four hexadecimal digits.
fn unit(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Cow<'_, str>> {
        string_of(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn strings_are_read_as_serde_json_reads_them() {
        for json in [
            r#""""#,
            r#""plain 한글""#,
            r#""\"\\\/\b\f\n\r\t""#,
            r#""a\u0041\u00e9\ud83d\ude00z""#,
            r#""{\"city\":\"서울\"}""#,
            r#""\\u0041""#,
        ] {
            assert_eq!(
                read(json).unwrap(),
                serde_json::from_str::<String>(json).unwrap()
            );
        }
        assert!(matches!(read(r#""plain""#), Some(Cow::Borrowed("plain"))));
    }

    #[test]
    fn half_a_pair_costs_only_itself() {
        assert_eq!(read(r#""a\ud83d!""#).unwrap(), "a\u{fffd}!");
        assert_eq!(read(r#""\ude00""#).unwrap(), "\u{fffd}");
        assert_eq!(read(r#""\ud83d\u0041""#).unwrap(), "\u{fffd}A");
        assert_eq!(read(r#""\ud83d\ud83d\ude00""#).unwrap(), "\u{fffd}😀");
    }

    #[test]
    fn other_values_are_no_strings() {
        for json in ["null", "1", "{}", "[\"a\"]", "true"] {
            assert_eq!(read(json), None);
        }
    }
}
