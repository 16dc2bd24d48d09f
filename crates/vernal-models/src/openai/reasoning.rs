//! Reasoning: where servers put it, and what they want back of it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::wire::MessageFields;
use crate::json::string_of;

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
pub(super) fn in_fields<'a>(fields: &MessageFields<'a>) -> Option<(&'static str, Cow<'a, str>)> {
    let filled = |raw: Option<&'a RawValue>| string_of(raw?).filter(|text| !text.is_empty());
    if let Some(text) = filled(fields.reasoning_content) {
        return Some(("reasoning_content", text));
    }
    filled(fields.reasoning).map(|text| ("reasoning", text))
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
pub(super) fn text_of_details(details: &RawValue) -> Option<String> {
    let entries: Vec<Detail<'_>> = serde_json::from_str(details.get()).ok()?;
    if entries.is_empty() {
        return None;
    }
    let texts = entries
        .iter()
        .filter_map(|entry| string_of(entry.text.or(entry.summary)?));
    Some(texts.collect())
}

/// Puts streamed `reasoning_details` together: the pieces of one entry have its index and type.
#[derive(Default)]
pub(super) struct DetailMerger(Vec<Map<String, Value>>);

impl DetailMerger {
    pub(super) fn add(&mut self, details: &RawValue) {
        let Ok(entries) = serde_json::from_str::<Vec<Map<String, Value>>>(details.get()) else {
            return;
        };
        for entry in entries {
            match self.0.iter_mut().rfind(|known| continues(known, &entry)) {
                Some(known) => merge(known, entry),
                None => self.0.push(entry),
            }
        }
    }

    pub(super) fn finish(self) -> Option<Box<RawValue>> {
        if self.0.is_empty() {
            None
        } else {
            to_raw_value(&self.0).ok()
        }
    }
}

fn continues(known: &Map<String, Value>, entry: &Map<String, Value>) -> bool {
    let same = |name: &str| known.get(name) == entry.get(name);
    // What is encrypted is whole, unless its index says otherwise.
    let encrypted = entry
        .get("type")
        .is_some_and(|kind| kind == "reasoning.encrypted");
    let indexed = entry.get("index").is_some_and(Value::is_number);
    same("type") && same("index") && (indexed || !encrypted)
}

fn merge(known: &mut Map<String, Value>, entry: Map<String, Value>) {
    for (name, value) in entry {
        let grows = matches!(name.as_str(), "text" | "summary" | "data");
        match (known.get_mut(&name), value) {
            (_, Value::Null) => {}
            (Some(Value::String(text)), Value::String(more)) if grows => text.push_str(&more),
            (_, value) => {
                known.insert(name, value);
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
        let merged: Value = serde_json::from_str(merger.finish().unwrap().get()).unwrap();
        assert_eq!(merged[0]["text"], "Let me see.");
        assert_eq!(merged[0]["signature"], "sig");
        assert_eq!(merged[1]["data"], "a");
        assert_eq!(merged.as_array().unwrap().len(), 3);
    }

    #[test]
    fn the_text_of_details_is_text_and_summary() {
        let details = raw(r#"[{"text":"a"},{"summary":"b"},{"data":"x"}]"#);
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
