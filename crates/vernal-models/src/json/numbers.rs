//! Numbers that are none in JSON: `NaN`, `Infinity` and `-Infinity`, which some servers write all the same,
//! mostly where nobody looks.

use std::cell::OnceCell;

use serde::Deserialize;

/// Reads JSON. Where that fails for the sake of numbers that are none, each of them counts as a string
/// of the same letters: nothing where a field is passed over, and no number where one is read.
///
/// `mended` is the place for such a text, which what is read may borrow from.
///
/// # Errors
/// The text is no JSON beside such numbers.
pub(crate) fn from_text<'a, T: Deserialize<'a>>(
    text: &'a str,
    mended: &'a OnceCell<String>,
) -> Result<T, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match in_quotes(text) {
        Some(quoted) => serde_json::from_str(mended.get_or_init(|| quoted)),
        None => Err(error),
    })
}

/// The text with numbers that are none in quotes; `None` where it has none of these.
fn in_quotes(text: &str) -> Option<String> {
    let mut quoted = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| matches!(c, '"' | '-') || c.is_ascii_alphabetic()) {
        let (before, from) = rest.split_at(at);
        quoted.push_str(before);
        let length = length_of_string(from).unwrap_or_else(|| length_of_word(from));
        let (token, after) = from.split_at_checked(length)?;
        if matches!(token, "NaN" | "Infinity" | "-Infinity") {
            quoted.extend(["\"", token, "\""]);
        } else {
            quoted.push_str(token);
        }
        rest = after;
    }
    quoted.push_str(rest);
    (quoted.len() > text.len()).then_some(quoted)
}

/// How long the string is that the text begins with, with its quotes; one without an end is all of it.
fn length_of_string(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('"')?;
    let mut escaped = false;
    let end = inside.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    Some(end.map_or(text.len(), |end| end + 2))
}

/// How long the word is that the text begins with: at least a character.
fn length_of_word(text: &str) -> usize {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_');
    text.find(|c| !goes_on(c)).unwrap_or(text.len()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_stand_in_quotes() {
        for (text, expected) in [
            (
                r#"{"a":NaN,"b":[-Infinity,Infinity, NaN],"c":"NaN \" -Infinity"}"#,
                Some(r#"{"a":"NaN","b":["-Infinity","Infinity", "NaN"],"c":"NaN \" -Infinity"}"#),
            ),
            (r#"{"a":"NaN","b":-1,"c":-1e-3}"#, None),
            (r#"{"a":NaNs,"b":xNaN}"#, None),
            ("NaN", Some("\"NaN\"")),
            ("-", None),
            ("\"NaN", None),
            ("\"\\", None),
            ("", None),
        ] {
            assert_eq!(in_quotes(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn only_what_is_no_json_is_mended() {
        let mended = OnceCell::new();
        let read: Vec<&str> = from_text(r#"["NaN"]"#, &mended).unwrap();
        assert_eq!(read, ["NaN"]);
        assert!(mended.get().is_none());
        let read: Vec<&str> = from_text("[NaN]", &mended).unwrap();
        assert_eq!(read, ["NaN"]);
        let mended = OnceCell::new();
        assert!(from_text::<Vec<&str>>("[NaN", &mended).is_err());
    }
}
