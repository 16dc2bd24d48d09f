use std::borrow::Cow;
use std::sync::Arc;

use super::schema::json::{self, Document};
use super::schema::{CompiledSchema, Violation, Violations};
use super::{ToolDefinition, ToolInput};
use crate::message::RawArguments;

/// What is done to arguments before they are checked against a tool's schema (rules ARG-2, ARG-4).
///
/// ```
/// use vernal_core::message::ToolCall;
/// use vernal_core::tool::{ArgumentPolicy, ToolDefinition};
///
/// let days = ToolDefinition::builder("forecast")
///     .input_schema(r#"{"properties":{"days":{"type":"integer"}},"required":["days"]}"#)
///     .build()?;
/// let call = ToolCall::new("1", "forecast", "```json\n{\"days\":\"3\"}\n```");
///
/// assert!(ArgumentPolicy::default().accept(&days, &call.arguments).is_err());
/// let lenient = ArgumentPolicy::default().repair_code_fences(true);
/// assert_eq!(lenient.accept(&days, &call.arguments).unwrap().as_str(), r#"{"days":3}"#);
/// # Ok::<(), vernal_core::tool::ToolDefinitionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentPolicy {
    coerce: bool,
    code_fences: bool,
    double_encoding: bool,
    max_bytes: usize,
}

impl Default for ArgumentPolicy {
    fn default() -> Self {
        Self {
            coerce: true,
            code_fences: false,
            double_encoding: false,
            max_bytes: Self::DEFAULT_MAX_BYTES,
        }
    }
}

impl ArgumentPolicy {
    /// The longest arguments that are read, unless configured: 1 MiB.
    pub const DEFAULT_MAX_BYTES: usize = 1024 * 1024;

    /// Whether a value of the wrong type is read as what it spells where nothing is lost: `"3"` for an
    /// integer, a number for a string, an object inside a string, `null` for a member that may be absent.
    /// On by default; each change is logged.
    #[must_use]
    pub fn coerce(mut self, coerce: bool) -> Self {
        self.coerce = coerce;
        self
    }

    /// Whether a Markdown fence around the whole arguments is taken away, also one inside of double
    /// encoding if that is repaired too. Off by default.
    #[must_use]
    pub fn repair_code_fences(mut self, repair: bool) -> Self {
        self.code_fences = repair;
        self
    }

    /// Whether arguments that are one JSON string are read as what the string holds. Off by default.
    #[must_use]
    pub fn repair_double_encoding(mut self, repair: bool) -> Self {
        self.double_encoding = repair;
        self
    }

    /// The longest arguments that are read, in bytes.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// The input that a tool may be given, from what a model wrote.
    ///
    /// # Errors
    /// Every way in which the arguments do not fit the tool's schema.
    pub fn accept(
        &self,
        definition: &ToolDefinition,
        arguments: &RawArguments,
    ) -> Result<ToolInput, Violations> {
        self.accept_by(definition.name(), definition.compiled_schema(), arguments)
    }

    /// As [`accept`](Self::accept), by the schema of something that is called `name`.
    pub(crate) fn accept_by(
        &self,
        name: &str,
        schema: &CompiledSchema,
        arguments: &RawArguments,
    ) -> Result<ToolInput, Violations> {
        let raw = arguments.as_str();
        if raw.len() > self.max_bytes {
            let (size, max) = (raw.len(), self.max_bytes);
            let message = format!("the arguments have {size} bytes; at most {max} are read");
            return Err(Violation::of_all(message).into());
        }
        let text = self.repaired(raw);
        let document =
            json::arguments(&text).map_err(|error| Violation::of_all(error.to_string()))?;
        match schema.check_document(&document) {
            // The model's text is shared where it was not changed.
            Ok(()) => Ok(ToolInput::from_checked(match &text {
                Cow::Borrowed(text) if text.len() == raw.len() => arguments.0.clone(),
                text => Arc::from(&**text),
            })),
            Err(violations) => self.coerced(schema, name, &document, violations),
        }
    }

    /// The input with what could be coerced; where it still does not fit, what is wrong with the rest.
    fn coerced(
        &self,
        schema: &CompiledSchema,
        name: &str,
        document: &Document<'_>,
        violations: Violations,
    ) -> Result<ToolInput, Violations> {
        let Some(coerced) = self.coerce.then(|| schema.coerce(document)).flatten() else {
            return Err(violations);
        };
        schema.check(&coerced.text)?;
        // The paths tell what was changed; the values stay out of the log.
        tracing::debug!(tool = name, paths = ?coerced.paths, "arguments were coerced");
        Ok(ToolInput::from_checked(coerced.text.into()))
    }

    fn repaired<'a>(&self, raw: &'a str) -> Cow<'a, str> {
        let text = if self.code_fences {
            without_fence(raw)
        } else {
            raw
        };
        if self.double_encoding
            && let Ok(inner) = serde_json::from_str::<String>(text)
        {
            let inside = if self.code_fences {
                without_fence(&inner)
            } else {
                &inner
            };
            return Cow::Owned(inside.to_owned());
        }
        Cow::Borrowed(text)
    }
}

/// What stands between a fence such as <code>```json</code> and its end, or the text itself if it
/// has no fence, or nothing in it.
fn without_fence(text: &str) -> &str {
    let inside = text
        .trim()
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    let Some(inside) = inside else { return text };
    // A label is a word; what follows it is on the next line or is an object.
    let label_end = inside
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(inside.len());
    let (label, after) = inside.split_at(label_end);
    let has_label = !label.is_empty() && after.starts_with(|c: char| c.is_whitespace() || c == '{');
    let content = if has_label {
        after.trim()
    } else {
        inside.trim()
    };
    if content.is_empty() { text } else { content }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_taken_away_and_nothing_else() {
        for fenced in [
            "```json\n{}\n```",
            "```\n{}\n```",
            "```{}```",
            "```json{}```",
            "  ```JSON5 {}\n```\n",
        ] {
            assert_eq!(without_fence(fenced), "{}", "{fenced}");
        }
        for (fenced, inside) in [
            ("```123```", "123"),
            ("```null```", "null"),
            ("```true x```", "x"),
        ] {
            assert_eq!(without_fence(fenced), inside, "{fenced}");
        }
        for text in [
            "{}",
            "``````",
            "```json\n```",
            "```json\n{}",
            "```json\n{}\n``` done",
            "Here: ```{}```",
        ] {
            assert_eq!(without_fence(text), text, "{text}");
        }
    }
}
