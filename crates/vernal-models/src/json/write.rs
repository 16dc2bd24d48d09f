//! Writing JSON text into a buffer that is there already.

use std::fmt::{Display, Write};

/// Writes `text` as a JSON string.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest
        .bytes()
        .position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))
    {
        let (plain, from) = rest.split_at(at);
        let (escaped, after) = from.split_at(1);
        out.push_str(plain);
        push_escaped(out, escaped);
        rest = after;
    }
    out.push_str(rest);
    out.push('"');
}

fn push_escaped(out: &mut String, character: &str) {
    match character {
        "\"" => out.push_str("\\\""),
        "\\" => out.push_str("\\\\"),
        "\n" => out.push_str("\\n"),
        "\r" => out.push_str("\\r"),
        "\t" => out.push_str("\\t"),
        "\u{8}" => out.push_str("\\b"),
        "\u{c}" => out.push_str("\\f"),
        other => push_display(
            out,
            format_args!("\\u{:04x}", other.bytes().next().unwrap_or(0)),
        ),
    }
}

fn push_display(out: &mut String, value: impl Display) {
    // Writing into a string cannot fail.
    let _ = write!(out, "{value}");
}

/// Writes a list of texts.
#[cfg(feature = "http-client")]
pub(crate) fn push_strings(out: &mut String, texts: &[String]) {
    out.push('[');
    for (position, text) in texts.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        push_string(out, text);
    }
    out.push(']');
}

/// An object that is being written: puts the commas.
pub(crate) struct JsonObject<'a> {
    out: &'a mut String,
    empty: bool,
}

impl<'a> JsonObject<'a> {
    /// Begins an object.
    pub(crate) fn begin(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    /// Writes a member's name and gives the place for its value.
    pub(crate) fn member(&mut self, name: &str) -> &mut String {
        if !std::mem::take(&mut self.empty) {
            self.out.push(',');
        }
        push_string(self.out, name);
        self.out.push(':');
        self.out
    }

    /// A member whose value is a string.
    #[cfg(feature = "http-client")]
    pub(crate) fn string(&mut self, name: &str, value: &str) {
        push_string(self.member(name), value);
    }

    /// A member whose value is JSON text already, or a number or `true` or `false`.
    #[cfg(feature = "http-client")]
    pub(crate) fn raw(&mut self, name: &str, value: impl Display) {
        push_display(self.member(name), value);
    }

    /// Ends the object.
    pub(crate) fn end(self) {
        self.out.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_written_as_serde_json_writes_them() {
        for text in [
            "",
            "plain",
            "\"\\\n\r\t\u{8}\u{c}\u{0}\u{1f}\u{7f}",
            "한글 \u{2028} é 😀",
            "a\"b\\\\c\"",
        ] {
            let mut out = String::new();
            push_string(&mut out, text);
            assert_eq!(out, serde_json::to_string(text).unwrap());
        }
    }

    #[cfg(feature = "http-client")]
    #[test]
    fn objects_have_their_commas() {
        let mut out = String::new();
        let mut object = JsonObject::begin(&mut out);
        object.string("a", "x");
        object.raw("b", 1.5);
        object.raw("c", "[1]");
        JsonObject::begin(object.member("d")).end();
        object.end();
        assert_eq!(out, r#"{"a":"x","b":1.5,"c":[1],"d":{}}"#);
    }
}
