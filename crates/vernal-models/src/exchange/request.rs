//! Writing a request's own fields, and those that an application adds.

use std::borrow::Cow;
use std::sync::Arc;

use vernal_core::model::{Capabilities, ChatOptions, ModelError, Prompt};

use super::configuration;
use crate::capabilities::CapabilityTable;
use crate::json::JsonObject;

/// The options of a request: the prompt's over those of the adapter.
pub(crate) fn options_of<'a>(
    prompt: &'a Prompt,
    defaults: Option<&ChatOptions>,
) -> Cow<'a, ChatOptions> {
    over(prompt.options(), defaults)
}

/// Options over those of the adapter.
pub(crate) fn over<'a>(
    options: &'a ChatOptions,
    defaults: Option<&ChatOptions>,
) -> Cow<'a, ChatOptions> {
    match defaults {
        Some(defaults) => Cow::Owned(options.over(defaults)),
        None => Cow::Borrowed(options),
    }
}

/// The model that is asked.
///
/// # Errors
/// Neither the options nor the adapter name one.
pub(crate) fn model_of(
    options: &ChatOptions,
    default: Option<&Arc<str>>,
) -> Result<Arc<str>, ModelError> {
    options.model().or(default).cloned().ok_or_else(|| {
        configuration(
            "no model is named: set `model` on the adapter or in the options of the request",
        )
    })
}

/// What is known of the model that options name, or else the adapter: the application's own rows win
/// over what the adapter says of all its models, and that over the built-in rows.
pub(crate) fn capabilities_of(
    provider: &str,
    model: Option<&str>,
    own: &CapabilityTable,
    otherwise: &Capabilities,
) -> Capabilities {
    let model = model.unwrap_or_default();
    let known = CapabilityTable::built_in().lookup(provider, model);
    own.lookup(provider, model).over(otherwise).over(&known)
}

/// The request's fields while they are written; the options' extra fields take the place of ours.
pub(crate) struct RequestFields<'a> {
    pub(crate) object: JsonObject<'a>,
    pub(crate) options: &'a ChatOptions,
}

impl RequestFields<'_> {
    pub(crate) fn ours(&mut self, name: &str, write: impl FnOnce(&mut String)) {
        if !self.options.extra().contains_key(name) {
            write(self.object.member(name));
        }
    }

    #[cfg(any(
        feature = "anthropic",
        feature = "gemini",
        feature = "ollama",
        feature = "openai"
    ))]
    pub(crate) fn ours_raw(&mut self, name: &str, value: impl std::fmt::Display) {
        if !self.options.extra().contains_key(name) {
            self.object.raw(name, value);
        }
    }

    /// The settings that choose among tokens.
    ///
    /// # Errors
    /// One of them is no finite number.
    #[cfg(any(feature = "anthropic", feature = "openai"))]
    pub(crate) fn sampling(&mut self) -> Result<(), ModelError> {
        for (name, value) in [
            ("temperature", self.options.temperature()),
            ("top_p", self.options.top_p()),
        ] {
            if let Some(number) = value {
                self.ours_raw(name, finite(name, number)?);
            }
        }
        Ok(())
    }

    /// The extra fields; one that is `null` is left out.
    ///
    /// # Errors
    /// One of them is `messages` or `stream`.
    #[cfg(feature = "openai")]
    pub(crate) fn extra(&mut self) -> Result<(), ModelError> {
        self.extra_but(&[])
    }

    /// The extra fields; one that is `null`, or that is written by itself, is left out.
    ///
    /// # Errors
    /// One of them is what the messages or `stream` stand in.
    pub(crate) fn extra_but(&mut self, elsewhere: &[&str]) -> Result<(), ModelError> {
        for (name, value) in self.options.extra() {
            if let Some(refusal) = refusal_of_extra(name) {
                return Err(configuration(&refusal));
            }
            if !value.is_null() && !elsewhere.contains(&name.as_str()) {
                self.object.raw(name, value);
            }
        }
        Ok(())
    }
}

/// Why an extra field cannot be set; `None` where it can.
pub(super) fn refusal_of_extra(name: &str) -> Option<String> {
    match name {
        "messages" | "contents" | "input" => Some(format!(
            "the extra field `{name}` cannot be set: put messages into the prompt"
        )),
        "stream" => Some(
            "the extra field `stream` cannot be set: use `stream` in place of `call`".to_owned(),
        ),
        _ => None,
    }
}

/// The number of an option.
///
/// # Errors
/// It is not finite, and JSON has no word for it.
pub(super) fn finite(option: &str, number: f64) -> Result<f64, ModelError> {
    if number.is_finite() {
        return Ok(number);
    }
    Err(configuration(&format!(
        "the {option} is {number}; it has to be a finite number"
    )))
}
