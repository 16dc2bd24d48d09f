//! From text to a [`Document`], in one pass.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde_json::value::RawValue;

use super::document::{Document, Letters, Node, NodeId};
use super::{Kind, path};

/// From how many members on an object's names are sorted.
const SORTED_FROM: usize = 16;

/// Why a text cannot be read.
#[derive(Debug)]
pub(crate) enum NotJson {
    /// It is no JSON, or more than one value.
    Syntax(serde_json::Error),
    /// It is nested deeper than so many levels.
    Deep(usize),
    /// The string at this path has half of a surrogate pair, so it is no text.
    HalfCharacter(String),
    /// It is larger than anything that is read.
    Large,
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => write!(f, "not valid JSON: {error}"),
            Self::Deep(levels) => write!(f, "nested deeper than {levels} levels"),
            Self::HalfCharacter(path) => {
                write!(
                    f,
                    "not valid JSON: the string at {path} has half of a surrogate pair"
                )
            }
            Self::Large => f.write_str("larger than 2 GiB"),
        }
    }
}

pub(super) fn read(text: Cow<'_, str>, max_depth: usize) -> Result<Document<'_>, NotJson> {
    if text.len() > i32::MAX as usize {
        return Err(NotJson::Large);
    }
    // What follows counts on text that is one JSON value.
    serde_json::from_str::<&RawValue>(&text).map_err(NotJson::Syntax)?;
    let document = Document {
        nodes: Vec::with_capacity((text.len() / 8).clamp(4, 1 << 16)),
        text,
        unescaped: String::new(),
        sorted: HashMap::new(),
        repeated: Vec::new(),
    };
    let mut scanner = Scanner {
        document,
        at: 0,
        open: Vec::new(),
        name: None,
        max_depth,
    };
    scanner.run()?;
    Ok(scanner.document)
}

struct Scanner<'t> {
    document: Document<'t>,
    at: usize,
    open: Vec<NodeId>,
    /// The name of the member whose value comes next.
    name: Option<Letters>,
    max_depth: usize,
}

impl Scanner<'_> {
    fn run(&mut self) -> Result<(), NotJson> {
        while let Some(byte) = self.document.text.as_bytes().get(self.at) {
            match byte {
                b'{' => self.begin(Kind::Object)?,
                b'[' => self.begin(Kind::Array)?,
                b'}' | b']' => self.end(),
                b'"' => self.string()?,
                b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => self.at += 1,
                _ => self.word(),
            }
        }
        Ok(())
    }

    fn push(&mut self, kind: Kind, end: usize, content: Letters) -> NodeId {
        let nodes = &mut self.document.nodes;
        let id = NodeId(nodes.len() as u32);
        nodes.push(Node {
            kind,
            start: self.at as u32,
            end: end as u32,
            name: self.name.take().unwrap_or_default(),
            content,
            next: id.0 + 1,
            len: 0,
        });
        if let Some(parent) = self.open.last().and_then(|id| nodes.get_mut(id.0 as usize)) {
            parent.len += 1;
        }
        id
    }

    fn begin(&mut self, kind: Kind) -> Result<(), NotJson> {
        if self.open.len() == self.max_depth {
            return Err(NotJson::Deep(self.max_depth));
        }
        let id = self.push(kind, self.at, Letters::default());
        self.open.push(id);
        self.at += 1;
        Ok(())
    }

    fn end(&mut self) {
        self.at += 1;
        let Some(id) = self.open.pop() else { return };
        let next = self.document.nodes.len() as u32;
        if let Some(node) = self.document.nodes.get_mut(id.0 as usize) {
            node.end = self.at as u32;
            node.next = next;
        }
        if self.document.kind(id) == Kind::Object {
            let (repeated, sorted) = names_of(&self.document, id);
            self.document.repeated.extend(repeated);
            self.document
                .sorted
                .extend(sorted.map(|sorted| (id, sorted)));
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) {
        let rest = self.document.text.get(self.at..).unwrap_or_default();
        let ends = |c: char| matches!(c, ',' | ']' | '}' | ' ' | '\t' | '\n' | '\r');
        let length = rest.find(ends).unwrap_or(rest.len()).max(1);
        let kind = Kind::of(rest);
        self.push(kind, self.at + length, Letters::default());
        self.at += length;
    }

    fn string(&mut self) -> Result<(), NotJson> {
        let start = self.at + 1;
        let (length, escaped) = length_of_string(self.document.text.get(start..));
        let end = start + length;
        let mut letters = Letters {
            start: start as u32,
            end: end as u32,
            unescaped: false,
        };
        let is_name = self.name.is_none()
            && self
                .open
                .last()
                .is_some_and(|id| self.document.kind(*id) == Kind::Object);
        if escaped && self.unescape(&mut letters).is_none() {
            return Err(NotJson::HalfCharacter(self.place(is_name)));
        }
        if is_name {
            self.name = Some(letters);
        } else {
            self.push(Kind::String, end + 1, letters);
        }
        self.at = end + 1;
        Ok(())
    }

    /// Puts what a string with escapes says beside the text.
    fn unescape(&mut self, letters: &mut Letters) -> Option<()> {
        let Document {
            text, unescaped, ..
        } = &mut self.document;
        let start = unescaped.len();
        unescape(
            text.get(letters.start as usize..letters.end as usize)?,
            unescaped,
        )?;
        *letters = Letters {
            start: start as u32,
            end: unescaped.len() as u32,
            unescaped: true,
        };
        Some(())
    }

    /// Where the string is that comes next.
    fn place(&mut self, is_name: bool) -> String {
        if !is_name {
            self.push(Kind::String, self.at, Letters::default());
        }
        let next = self.document.nodes.len() as u32;
        for id in &self.open {
            if let Some(node) = self.document.nodes.get_mut(id.0 as usize) {
                node.next = next;
            }
        }
        let last = self.open.last().copied().filter(|_| is_name);
        path::of(&self.document, last.unwrap_or(NodeId(next - 1)))
    }
}

/// The members of an object whose name it has before, and all of them by name if they are many.
fn names_of(document: &Document<'_>, object: NodeId) -> (Vec<NodeId>, Option<Vec<NodeId>>) {
    let name = |id: NodeId| document.name(id);
    if document.len(object) < SORTED_FROM {
        let twice = |id: &NodeId| {
            let mut before = document.children(object).take_while(|other| other < id);
            before.any(|other| name(other) == name(*id))
        };
        return (document.children(object).filter(twice).collect(), None);
    }
    let mut sorted: Vec<NodeId> = document.children(object).collect();
    sorted.sort_by(|a, b| name(*a).cmp(name(*b)));
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    let mut repeated: Vec<NodeId> = pairs
        .filter(|(a, b)| name(**a) == name(**b))
        .map(|(_, b)| *b)
        .collect();
    repeated.sort_unstable();
    (repeated, Some(sorted))
}

/// How long a string is whose first character is given, and whether it has escapes.
fn length_of_string(text: Option<&str>) -> (usize, bool) {
    let bytes = text.unwrap_or_default().as_bytes();
    let mut length = 0;
    let mut escaped = false;
    while let Some(byte) = bytes.get(length).filter(|byte| **byte != b'"') {
        let escape = *byte == b'\\';
        escaped |= escape;
        length += if escape { 2 } else { 1 };
    }
    (length, escaped)
}

/// Appends what an escaped string stands for; `None` if it has half of a surrogate pair.
fn unescape(mut rest: &str, into: &mut String) -> Option<()> {
    while let Some((plain, escape)) = rest.split_once('\\') {
        into.push_str(plain);
        let mut chars = escape.chars();
        let c = chars.next()?;
        rest = chars.as_str();
        into.push(match c {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = hex(&mut rest)?;
                if (0xD800..0xDC00).contains(&first) {
                    rest = rest.strip_prefix("\\u")?;
                    let second = hex(&mut rest)?
                        .checked_sub(0xDC00)
                        .filter(|low| *low < 0x400)?;
                    char::from_u32(0x10000 + ((first - 0xD800) << 10) + second)?
                } else {
                    char::from_u32(first)?
                }
            }
            other => other,
        });
    }
    into.push_str(rest);
    Some(())
}

fn hex(rest: &mut &str) -> Option<u32> {
    let (digits, after) = rest.split_at_checked(4)?;
    *rest = after;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text.into(), 3).unwrap_err().to_string()
    }

    #[test]
    fn what_serde_json_refuses_is_refused() {
        for text in [
            "",
            "nul",
            "01",
            "1.",
            "{}x",
            "{,}",
            "[1,]",
            "\"\u{1}\"",
            "{\"a\" 1}",
            "\u{feff}{}",
        ] {
            assert!(error(text).starts_with("not valid JSON: "), "{text:?}");
        }
    }

    #[test]
    fn strings_say_what_serde_json_reads() {
        let strings = r#"["\"\\\/\b\f\n\r\t","\u00e9\ud83d\ude00x","é😀","\\u0041","a\\",""]"#;
        let expected: Vec<String> = serde_json::from_str(strings).unwrap();
        let document = read(strings.into(), 3).unwrap();
        let found: Vec<_> = document
            .children(NodeId::ROOT)
            .map(|id| document.string(id))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn half_a_surrogate_pair_is_no_text() {
        for string in [
            r"\ud800",
            r"\ud800x",
            r"\udc00",
            r"\ud800\ud800",
            r"\ud800\u0041",
        ] {
            assert!(serde_json::from_str::<String>(&format!("\"{string}\"")).is_err());
            let text = format!(r#"{{"a":[1,"{string}"]}}"#);
            let at = "the string at $.a[1] has half of a surrogate pair";
            assert_eq!(error(&text), format!("not valid JSON: {at}"));
            let name = format!(r#"{{"b":{{"{string}":1}}}}"#);
            assert!(error(&name).contains("at $.b has half"), "{}", error(&name));
        }
    }

    #[test]
    fn depth_is_bounded() {
        assert!(read("[[[1]]]".into(), 3).is_ok());
        assert_eq!(error("[[[[]]]]"), "nested deeper than 3 levels");
        assert!(error(&"[{\"a\":".repeat(50_000)).contains("JSON"));
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(error(&deep), "nested deeper than 3 levels");
    }
}
