//! Reasoning: where servers put it, and what they want back of it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::wire::MessageFields;
use crate::json::{JsonObject, Seam, inside_of, is_filled};

/// What the provider data of a reasoning part says: how the part is sent back.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Echo<'a> {
    /// The field that held the part's text.
    #[serde(borrow)]
    pub(super) field: Option<Cow<'a, str>>,
    /// The list of that name, as it came.
    #[serde(borrow)]
    pub(super) reasoning_details: Option<&'a RawValue>,
    /// The chunks of thinking that stood in the content, as they came.
    #[serde(borrow)]
    pub(super) thinking: Option<&'a RawValue>,
    /// The object of that name on the message, as it came.
    #[serde(borrow)]
    pub(super) extra_content: Option<&'a RawValue>,
}

/// Writes what [`Echo`] reads. `None` where there is nothing to send back.
pub(super) fn echo_data(
    field: Option<&str>,
    details: Option<&RawValue>,
    thinking: Option<&RawValue>,
) -> Option<Box<RawValue>> {
    let text = match (field, details, thinking) {
        (None, None, None) => return None,
        (Some(field), None, None) => format!(r#"{{"field":"{field}"}}"#),
        (_, Some(details), _) => format!(r#"{{"reasoning_details":{details}}}"#),
        (_, None, Some(thinking)) => format!(r#"{{"thinking":{thinking}}}"#),
    };
    RawValue::from_string(text).ok()
}

/// The reasoning in a message's own fields, and the name of the field. Where two fields have it, they
/// say the same.
pub(super) fn in_fields<'a>(
    fields: &MessageFields<'a>,
    seam: &mut Seam,
) -> Option<(&'static str, Cow<'a, str>)> {
    let filled = |raw: Option<&'a RawValue>| raw.filter(|raw| is_filled(raw));
    let (name, raw) = match filled(fields.reasoning_content) {
        Some(raw) => ("reasoning_content", raw),
        None => ("reasoning", filled(fields.reasoning)?),
    };
    Some((name, seam.read(raw)?))
}

/// One entry of `reasoning_details`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Detail<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
}

/// The readable text of `reasoning_details`; `None` where that is no list with something in it.
pub(super) fn text_of_details(details: &RawValue, seam: &mut Seam) -> Option<String> {
    let entries: Vec<Detail<'_>> = serde_json::from_str(details.get()).ok()?;
    if entries.is_empty() {
        return None;
    }
    let texts = entries
        .iter()
        .filter_map(|entry| seam.read(entry.text.or(entry.summary)?));
    Some(texts.collect())
}

/// Puts streamed `reasoning_details` together: the pieces of one entry have its index and type.
#[derive(Default)]
pub(super) struct DetailMerger(Vec<Entry>);

/// The fields of an entry by name, as they came.
type Entry = BTreeMap<String, Field>;

enum Field {
    Value(Box<RawValue>),
    /// The inside of a string that grows: what was cut between two escapes is whole again.
    Growing(String),
}

impl DetailMerger {
    pub(super) fn add(&mut self, details: &RawValue) {
        type Fields<'a> = BTreeMap<String, &'a RawValue>;
        let Ok(entries) = serde_json::from_str::<Vec<Fields<'_>>>(details.get()) else {
            return;
        };
        for entry in entries {
            match self.0.iter_mut().rfind(|known| continues(known, &entry)) {
                Some(known) => merge(known, entry),
                None => {
                    let fields = entry.into_iter();
                    let fields = fields.map(|(name, raw)| {
                        let field = Field::of(&name, raw);
                        (name, field)
                    });
                    self.0.push(fields.collect());
                }
            }
        }
    }

    pub(super) fn finish(self) -> Option<Box<RawValue>> {
        if self.0.is_empty() {
            return None;
        }
        let mut out = String::from("[");
        for (position, entry) in self.0.iter().enumerate() {
            if position > 0 {
                out.push(',');
            }
            let mut object = JsonObject::begin(&mut out);
            for (name, field) in entry {
                match field {
                    Field::Value(raw) => object.raw(name, raw),
                    Field::Growing(inside) => object.raw(name, format_args!("\"{inside}\"")),
                }
            }
            object.end();
        }
        out.push(']');
        RawValue::from_string(out).ok()
    }
}

impl Field {
    fn of(name: &str, raw: &RawValue) -> Self {
        let grows = matches!(name, "text" | "summary" | "data");
        match inside_of(raw).filter(|_| grows) {
            Some(inside) => Self::Growing(inside.to_owned()),
            None => Self::Value(raw.to_owned()),
        }
    }
}

fn continues(known: &Entry, entry: &BTreeMap<String, &RawValue>) -> bool {
    let same = |name: &str| match (known.get(name), entry.get(name)) {
        (Some(Field::Value(known)), Some(raw)) => known.get() == raw.get(),
        (known, raw) => known.is_none() && raw.is_none(),
    };
    // What is encrypted is whole, unless its index says otherwise.
    let said = |name: &str| entry.get(name).map(|raw| raw.get()).unwrap_or_default();
    let encrypted = said("type") == "\"reasoning.encrypted\"";
    let indexed = said("index").starts_with(|c: char| c == '-' || c.is_ascii_digit());
    same("type") && same("index") && (indexed || !encrypted)
}

fn merge(known: &mut Entry, entry: BTreeMap<String, &RawValue>) {
    for (name, raw) in entry {
        match (known.get_mut(&name), inside_of(raw)) {
            _ if raw.get() == "null" => {}
            (Some(Field::Growing(inside)), Some(more)) => inside.push_str(more),
            _ => {
                let field = Field::of(&name, raw);
                known.insert(name, field);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> &RawValue {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn details_of_one_index_are_one_entry() {
        let mut merger = DetailMerger::default();
        for piece in [
            r#"[{"type":"reasoning.text","text":"Let me ","format":"f","index":0}]"#,
            r#"[{"type":"reasoning.text","text":"see.","format":"f","index":0}]"#,
            r#"[{"type":"reasoning.text","signature":"sig","text":null,"index":0}]"#,
            r#"[{"type":"reasoning.encrypted","data":"a","id":"1"}]"#,
            r#"[{"type":"reasoning.encrypted","data":"b","id":"2"}]"#,
        ] {
            merger.add(raw(piece));
        }
        let merged: serde_json::Value =
            serde_json::from_str(merger.finish().unwrap().get()).unwrap();
        assert_eq!(merged[0]["text"], "Let me see.");
        assert_eq!(merged[0]["signature"], "sig");
        assert_eq!(merged[1]["data"], "a");
        assert_eq!(merged.as_array().unwrap().len(), 3);
    }

    #[test]
    fn details_go_back_as_they_came() {
        let mut merger = DetailMerger::default();
        for piece in [
            r#"[{"type":"reasoning.text","text":"a\ud83d","index":0,"id":null}]"#,
            r#"[{"type":"reasoning.text","text":"\ude00\u00e9","index":0,"id":"x"}]"#,
        ] {
            merger.add(raw(piece));
        }
        let merged = merger.finish().unwrap();
        assert_eq!(
            merged.get(),
            r#"[{"id":"x","index":0,"text":"a\ud83d\ude00\u00e9","type":"reasoning.text"}]"#
        );
        let entries: serde_json::Value = serde_json::from_str(merged.get()).unwrap();
        assert_eq!(entries[0]["text"], "a😀é");
    }

    #[test]
    fn the_text_of_details_is_text_and_summary() {
        let details = raw(r#"[{"text":"a"},{"summary":"b"},{"data":"x"}]"#);
        let text_of_details = |raw| text_of_details(raw, &mut Seam::default());
        assert_eq!(text_of_details(details).unwrap(), "ab");
        assert_eq!(text_of_details(raw(r#"[{"data":"x"}]"#)).unwrap(), "");
        for none in ["[]", "null", "1", "\"x\""] {
            assert_eq!(text_of_details(raw(none)), None);
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let field = echo_data(Some("reasoning_content"), None, None).unwrap();
        assert_eq!(field.get(), r#"{"field":"reasoning_content"}"#);
        let details = echo_data(Some("reasoning"), Some(raw("[1]")), None).unwrap();
        let echo: Echo<'_> = serde_json::from_str(details.get()).unwrap();
        assert_eq!(echo.reasoning_details.unwrap().get(), "[1]");
        assert!(echo.field.is_none() && echo.thinking.is_none());
        assert!(echo_data(None, None, None).is_none());
    }
}
