//! One block of an answer's content, as borrowed fields that may all be missing.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::lenient::text;
use crate::json::string_of;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    pub(super) kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) thinking: Option<&'a RawValue>,
    #[serde(borrow)]
    signature: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    citations: Option<&'a RawValue>,
    #[serde(borrow)]
    caller: Option<&'a RawValue>,
}

/// Who makes a call; nearly always the model itself.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Caller<'a> {
    #[serde(rename = "type", borrow, deserialize_with = "text")]
    kind: Option<Cow<'a, str>>,
}

impl<'a> Block<'a> {
    /// Reads a block; what is no object has no kind.
    pub(super) fn of(raw: &'a RawValue) -> Self {
        if raw.get().starts_with('{') {
            serde_json::from_str(raw.get()).unwrap_or_default()
        } else {
            Self::default()
        }
    }

    pub(super) fn text(&self) -> Cow<'a, str> {
        self.text.and_then(string_of).unwrap_or_default()
    }

    pub(super) fn thinking(&self) -> Cow<'a, str> {
        self.thinking.and_then(string_of).unwrap_or_default()
    }

    pub(super) fn signature(&self) -> Cow<'a, str> {
        self.signature.and_then(string_of).unwrap_or_default()
    }

    /// The citations, where there are any.
    pub(super) fn citations(&self) -> Vec<&'a RawValue> {
        let list = self.citations.map(RawValue::get).unwrap_or_default();
        serde_json::from_str(list).unwrap_or_default()
    }

    /// The input of a call, where one was said: `{}` and `null` say nothing.
    pub(super) fn input(&self) -> Option<&'a RawValue> {
        self.input.filter(|input| {
            let bare: String = input.get().split_whitespace().collect();
            !matches!(&*bare, "{}" | "null" | "\"\"")
        })
    }

    /// What a call has to be sent back with, beside what every call has.
    pub(super) fn call_data(&self) -> Option<Box<RawValue>> {
        let caller = self.caller.filter(|caller| caller.get().starts_with('{'))?;
        let kind = serde_json::from_str::<Caller<'_>>(caller.get())
            .ok()?
            .kind?;
        if kind == "direct" {
            return None;
        }
        RawValue::from_string(format!(r#"{{"caller":{caller}}}"#)).ok()
    }
}
