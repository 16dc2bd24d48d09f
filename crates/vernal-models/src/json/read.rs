//! Reading JSON strings that were passed over as raw text.
//!
//! A character outside the basic plane is written as two escapes, a surrogate pair, and some servers cut
//! a text between the two. What becomes of such a half depends on what the text is for:
//!
//! - [`string_of`] reads a text that is whole: a half becomes U+FFFD and costs no more than itself.
//! - A [`Seam`] reads a text that comes in pieces: a half waits for the other, in the next piece.
//! - [`json_text_of`] reads a text that is JSON itself, whole or in pieces: a half stays the escape that
//!   it is, which is a character again beside the other half, and an error for whoever reads that JSON
//!   where it stays alone.

use std::borrow::Cow;
#[cfg(feature = "http-client")]
use std::fmt::Write;

use serde_json::value::RawValue;

/// The text of a JSON string; `None` for any other value.
///
/// Borrowed where there are no escapes, else one allocation.
pub(crate) fn string_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    whole_text(raw, push_replacement)
}

/// As [`string_of`], for a text that is JSON itself, or a piece of it.
#[cfg(feature = "http-client")]
pub(crate) fn json_text_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    whole_text(raw, push_escape)
}

fn whole_text(raw: &RawValue, alone: fn(&mut String, u16)) -> Option<Cow<'_, str>> {
    let inside = inside_of(raw)?;
    if !inside.contains('\\') {
        return Some(Cow::Borrowed(inside));
    }
    let mut reader = Reader::new(inside.len(), None, alone);
    reader.read(inside);
    reader.end_half();
    Some(Cow::Owned(reader.text))
}

/// Where a text that comes in pieces goes on: the first half of a surrogate pair at the end of what was
/// read, if there is one.
#[cfg(feature = "http-client")]
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Seam(Option<u16>);

#[cfg(feature = "http-client")]
impl Seam {
    /// The text of the next piece, which is empty where it has but a half; `None` where it is no string.
    ///
    /// Borrowed as by [`string_of`].
    pub(crate) fn read<'a>(&mut self, raw: &'a RawValue) -> Option<Cow<'a, str>> {
        let inside = inside_of(raw)?;
        if inside.is_empty() || self.0.is_none() && !inside.contains('\\') {
            return Some(Cow::Borrowed(inside));
        }
        let mut reader = Reader::new(inside.len(), self.0.take(), push_replacement);
        reader.read(inside);
        self.0 = reader.half;
        Some(Cow::Owned(reader.text))
    }

    /// What is to be added to a text that has ended: U+FFFD for a half that stayed alone, else nothing.
    pub(crate) fn end(&mut self) -> &'static str {
        self.0.take().map_or("", |_| REPLACEMENT)
    }
}

const REPLACEMENT: &str = "\u{fffd}";

/// Whether a value is a string with something in it.
#[cfg(feature = "openai")]
pub(crate) fn is_filled(raw: &RawValue) -> bool {
    inside_of(raw).is_some_and(|inside| !inside.is_empty())
}

/// The inside of a JSON string, with its escapes.
pub(crate) fn inside_of(raw: &RawValue) -> Option<&str> {
    raw.get().strip_prefix('"')?.strip_suffix('"')
}

/// Turns escapes into what they stand for.
struct Reader {
    text: String,
    /// The first half of a pair, which was read last.
    half: Option<u16>,
    /// Writes half of a pair that stays alone.
    alone: fn(&mut String, u16),
}

impl Reader {
    fn new(length: usize, half: Option<u16>, alone: fn(&mut String, u16)) -> Self {
        // What is read is no longer than its escapes, but for the half before it.
        let text = String::with_capacity(length + half.map_or(0, |_| REPLACEMENT.len()));
        Self { text, half, alone }
    }

    fn read(&mut self, inside: &str) {
        let mut rest = inside;
        loop {
            let (plain, escape) = rest.split_at(rest.find('\\').unwrap_or(rest.len()));
            if !plain.is_empty() {
                self.end_half();
                self.text.push_str(plain);
            }
            let Some(escape) = escape.strip_prefix('\\') else {
                return;
            };
            rest = self.escape(escape);
        }
    }

    /// Reads an escape and gives what follows it.
    fn escape<'t>(&mut self, escape: &'t str) -> &'t str {
        let mut characters = escape.chars();
        let character = match characters.next() {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => match unit(characters.as_str()) {
                Some((unit, rest)) => {
                    self.unit(unit);
                    return rest;
                }
                None => char::REPLACEMENT_CHARACTER,
            },
            Some(other) => other,
            None => char::REPLACEMENT_CHARACTER,
        };
        self.end_half();
        self.text.push(character);
        characters.as_str()
    }

    fn unit(&mut self, unit: u16) {
        match (self.half.take(), unit) {
            (Some(first), 0xdc00..0xe000) => {
                let pair = char::decode_utf16([first, unit]).next();
                let character = pair.and_then(Result::ok);
                self.text
                    .push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (before, unit) => {
                self.half = before;
                self.end_half();
                match char::from_u32(unit.into()) {
                    Some(character) => self.text.push(character),
                    None if unit < 0xdc00 => self.half = Some(unit),
                    None => (self.alone)(&mut self.text, unit),
                }
            }
        }
    }

    fn end_half(&mut self) {
        if let Some(half) = self.half.take() {
            (self.alone)(&mut self.text, half);
        }
    }
}

fn push_replacement(text: &mut String, _: u16) {
    text.push_str(REPLACEMENT);
}

#[cfg(feature = "http-client")]
fn push_escape(text: &mut String, half: u16) {
    // Writing into a string cannot fail.
    let _ = write!(text, "\\u{half:04x}");
}

/// Four hexadecimal digits.
fn unit(text: &str) -> Option<(u16, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    Some((u16::from_str_radix(digits, 16).ok()?, rest))
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
    fn a_pair_that_was_cut_is_a_character_again() {
        let joined = |pieces: &[&str]| {
            let mut seam = Seam::default();
            let mut text = String::new();
            for piece in pieces {
                text += &seam.read(serde_json::from_str(piece).unwrap()).unwrap();
            }
            text + seam.end()
        };
        for (pieces, expected) in [
            (&[r#""a\ud83d""#, r#""\ude00b""#][..], "a😀b"),
            (&[r#""\ud83d""#, r#""""#, r#""\ude00""#], "😀"),
            (&[r#""\ud83d""#, r#""b""#], "\u{fffd}b"),
            (&[r#""\ud83d""#, r#""\n\ude00""#], "\u{fffd}\n\u{fffd}"),
            (&[r#""\ud83d""#, r#""\ud83d\ude00""#], "\u{fffd}😀"),
            (&[r#""\ude00""#, r#""\ud83d""#], "\u{fffd}\u{fffd}"),
            (&[r#""a""#, r#""\ud83d\ude00""#, r#""b""#], "a😀b"),
        ] {
            assert_eq!(joined(pieces), expected, "{pieces:?}");
        }
        let mut seam = Seam::default();
        let plain = serde_json::from_str(r#""plain""#).unwrap();
        assert!(matches!(seam.read(plain), Some(Cow::Borrowed("plain"))));
        assert!(seam.read(serde_json::from_str("1").unwrap()).is_none());
    }

    #[test]
    fn in_json_a_half_stays_an_escape() {
        let read =
            |json: &str| json_text_of(serde_json::from_str(json).unwrap()).map(Cow::into_owned);
        let pieces = [r#""{\"a\":\"\ud83d""#, r#""\ude00 \ud83d\ude00\"}""#];
        let joined: String = pieces.into_iter().filter_map(read).collect();
        assert_eq!(joined, r#"{"a":"\ud83d\ude00 😀"}"#);
        let value: serde_json::Value = serde_json::from_str(&joined).unwrap();
        assert_eq!(value["a"], "😀 😀");
        assert_eq!(read(r#""\"\ude00x""#).unwrap(), r#""\ude00x"#);
        assert_eq!(read("{}"), None);
    }

    #[test]
    fn other_values_are_no_strings() {
        for json in ["null", "1", "{}", "[\"a\"]", "true"] {
            assert_eq!(read(json), None);
        }
    }
}
