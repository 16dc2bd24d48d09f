//! One call that is being collected.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{ArgumentsDelta, ToolCallDelta};

/// A call that has a name.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) index: Option<i64>,
    pub(super) id: Option<Arc<str>>,
    pub(super) name: Arc<str>,
    pub(super) arguments: String,
    pub(super) provider_data: Option<Box<RawValue>>,
}

#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) index: Option<i64>,
    pub(super) id: Option<Arc<str>>,
    pub(super) arguments: String,
    pub(super) provider_data: Option<Box<RawValue>>,
}

impl Held {
    pub(super) fn take(&mut self, delta: &ToolCallDelta<'_>) {
        self.index = self.index.or(delta.index);
        if self.id.is_none() {
            self.id = delta.id.map(Arc::from);
        }
        match delta.arguments {
            ArgumentsDelta::None => {}
            ArgumentsDelta::Fragment(text) => self.arguments.push_str(text),
            ArgumentsDelta::Whole(value) => value.get().clone_into(&mut self.arguments),
        }
        keep_first(&mut self.provider_data, delta.provider_data);
    }
}

impl Open {
    pub(super) fn take_identity(&mut self, id: Option<&str>, name: Option<&str>, fragments: bool) {
        if self.id.is_none() {
            self.id = id.map(Arc::from);
        }
        if let Some(name) = name.filter(|name| fragments && *self.name != **name) {
            self.name = format!("{}{name}", self.name).into();
        }
    }

    /// Takes a piece of the arguments and says from where on they are new.
    pub(super) fn take_arguments(&mut self, arguments: ArgumentsDelta<'_>) -> usize {
        let length = self.arguments.len();
        match arguments {
            // What says everything once more, at the end of a stream, is no news (rule 10).
            _ if self.is_repeated_by(&arguments) => length,
            ArgumentsDelta::None => length,
            ArgumentsDelta::Fragment(text) => {
                self.arguments.push_str(text);
                length
            }
            ArgumentsDelta::Whole(value) => {
                value.get().clone_into(&mut self.arguments);
                0
            }
        }
    }

    /// Whether the arguments are a whole object, or a string, which may hold one. The text is parsed
    /// only where its last byte allows it, for this is asked once for each fragment.
    pub(super) fn is_complete(&self) -> bool {
        let text = self.arguments.trim();
        let enclosed = text.starts_with('{') && text.ends_with('}')
            || text.len() > 1 && text.starts_with('"') && text.ends_with('"');
        enclosed && serde_json::from_str::<&RawValue>(text).is_ok()
    }

    pub(super) fn is_repeated_by(&self, arguments: &ArgumentsDelta<'_>) -> bool {
        let text = match arguments {
            ArgumentsDelta::None => return false,
            ArgumentsDelta::Fragment(text) => text.trim(),
            ArgumentsDelta::Whole(value) => value.get(),
        };
        if text.len() < 2 || !text.starts_with(['{', '"']) || !self.is_complete() {
            return false;
        }
        if text == self.arguments {
            return true;
        }
        let said = value_of(text);
        said.is_some() && said == value_of(&self.arguments)
    }
}

/// The JSON value of a text, taken out of a string that holds one.
fn value_of(text: &str) -> Option<serde_json::Value> {
    match serde_json::from_str(text).ok()? {
        serde_json::Value::String(inner) => serde_json::from_str(&inner).ok(),
        value => Some(value),
    }
}

pub(super) fn keep_first(place: &mut Option<Box<RawValue>>, data: Option<&RawValue>) {
    if let Some(data) = data {
        place.get_or_insert_with(|| data.to_owned());
    }
}
