use std::fmt::Display;

use serde_json::{Map, Value};
use vernal_core::model::{ChatOptions, ModelError};

use super::configuration;
use super::request::finite;
use crate::json::JsonObject;

/// An object of settings within a request; the caller's own fields take the place of ours.
pub(crate) struct InnerFields<'a> {
    object: JsonObject<'a>,
    own: &'a Map<String, Value>,
}

// Anthropic's and OpenAI's dialects have a single field of ours in such an object.
#[cfg_attr(
    not(any(feature = "bedrock", feature = "gemini", feature = "ollama")),
    allow(dead_code)
)]
impl<'a> InnerFields<'a> {
    /// The caller's own fields in the extra field `name`, or `none`.
    ///
    /// # Errors
    /// The extra field is no object.
    pub(crate) fn of(
        options: &'a ChatOptions,
        name: &str,
        none: &'a Map<String, Value>,
    ) -> Result<&'a Map<String, Value>, ModelError> {
        match options.extra().get(name) {
            None | Some(Value::Null) => Ok(none),
            Some(Value::Object(fields)) => Ok(fields),
            Some(other) => Err(configuration(&format!(
                "the extra field `{name}` is `{other}`; it has to be an object"
            ))),
        }
    }

    pub(crate) fn begin(out: &'a mut String, own: &'a Map<String, Value>) -> Self {
        let object = JsonObject::begin(out);
        Self { object, own }
    }

    pub(crate) fn ours(&mut self, name: &str, write: impl FnOnce(&mut String)) {
        if !self.own.contains_key(name) {
            write(self.object.member(name));
        }
    }

    pub(crate) fn raw(&mut self, name: &str, value: impl Display) {
        if !self.own.contains_key(name) {
            self.object.raw(name, value);
        }
    }

    /// A number of an option, where there is one.
    ///
    /// # Errors
    /// See [`finite`].
    pub(crate) fn finite(
        &mut self,
        name: &str,
        (option, number): (&str, Option<f64>),
    ) -> Result<(), ModelError> {
        if let Some(number) = number {
            self.raw(name, finite(option, number)?);
        }
        Ok(())
    }

    /// Writes the caller's own fields, except `null`, and ends the object.
    pub(crate) fn end(mut self) {
        for (name, value) in self.own {
            if !value.is_null() {
                self.object.raw(name, value);
            }
        }
        self.object.end();
    }
}
