use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{ToolError, ToolMetadata, ToolResult};
use crate::message::{Media, ToolContent};

/// What a tool gives back, in the form in which the model reads it.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct ToolOutput(Vec<ToolContent>);

impl ToolOutput {
    /// A text, passed on as it is.
    pub fn from_text(text: impl Into<Arc<str>>) -> Self {
        Self(vec![ToolContent::Text(text.into())])
    }

    /// A value, converted by the default rules (rule RES-1): `()` is `Done`, a string is itself,
    /// a `ToolOutput` is itself, everything else is compact JSON (`None` is `null`).
    ///
    /// A string is a `String`, `&'static str`, `Cow<'static, str>`, `Box<str>`, `Arc<str>` or `Arc<String>`,
    /// and what is in an `Option<String>`; in another type, such as a newtype, it is JSON, with its quotes.
    ///
    /// # Errors
    /// The value does not serialise, for example a map whose keys are no strings.
    pub fn from_value<T: Serialize + 'static>(mut value: T) -> Result<Self, ToolError> {
        match (&mut value as &mut dyn Any).downcast_mut::<Self>() {
            Some(output) => Ok(std::mem::take(output)),
            None => Self::from_value_ref(&value),
        }
    }

    /// As [`from_value`](Self::from_value), for a value that is kept.
    pub(super) fn from_value_ref<T: Serialize + 'static>(value: &T) -> Result<Self, ToolError> {
        let any: &dyn Any = value;
        if any.is::<()>() {
            return Ok(Self::from_text("Done"));
        }
        if let Some(output) = any.downcast_ref::<Self>() {
            return Ok(output.clone());
        }
        if let Some(text) = any.downcast_ref::<String>() {
            return Ok(Self::from_text(text.as_str()));
        }
        if let Some(text) = any.downcast_ref::<&'static str>() {
            return Ok(Self::from_text(*text));
        }
        if let Some(text) = any.downcast_ref::<Arc<str>>() {
            return Ok(Self::from_text(text.clone()));
        }
        if let Some(text) = other_string(any) {
            return Ok(Self::from_text(text));
        }
        let json = serde_json::to_string(value)
            .map_err(|error| ToolError::model(format!("the result cannot be written: {error}")))?;
        Ok(Self::from_text(json))
    }

    /// JSON as it is written.
    pub fn from_json(json: Box<RawValue>) -> Self {
        Self(vec![ToolContent::Json(json)])
    }

    /// An image, a sound or a file.
    pub fn from_media(media: Media) -> Self {
        Self(vec![ToolContent::Media(media)])
    }

    /// Several pieces, in order.
    pub fn from_parts(parts: impl IntoIterator<Item = ToolContent>) -> Self {
        Self(parts.into_iter().collect())
    }

    /// The pieces, in order.
    pub fn parts(&self) -> &[ToolContent] {
        &self.0
    }

    /// The pieces, in order.
    pub fn into_parts(self) -> Vec<ToolContent> {
        self.0
    }

    /// The content as one text; media become a note that names their type.
    pub fn text(&self) -> Cow<'_, str> {
        ToolContent::joined(&self.0)
    }
}

/// What is in the less usual types of a string.
fn other_string(any: &dyn Any) -> Option<&str> {
    if let Some(text) = any.downcast_ref::<Cow<'static, str>>() {
        return Some(text);
    }
    if let Some(text) = any.downcast_ref::<Box<str>>() {
        return Some(text);
    }
    if let Some(text) = any.downcast_ref::<Arc<String>>() {
        return Some(text);
    }
    any.downcast_ref::<Option<String>>()?.as_deref()
}

/// A value that a tool function may return: anything that serialises, or a `Result` of it whose
/// error converts into a [`ToolError`].
///
/// `Marker` only tells the two apart; it is never named. Where a `Result` would serialise as a whole,
/// the builders and attributes take it apart all the same.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "this does not serialise to JSON",
    note = "return a type that derives `serde::Serialize`, a `ToolOutput`, or a `Result` of one"
)]
pub trait IntoToolResult<Marker> {
    /// The value as the model reads it: by the converter in the tool's metadata, which sees it with
    /// its type (rule RES-3), else by the default rules (rule RES-1).
    ///
    /// # Errors
    /// The function's own error, the converter's (rule ERR-7), or a value that does not serialise.
    fn into_tool_result(self, metadata: &ToolMetadata) -> Result<ToolOutput, ToolError>;
}

/// Marks values that cannot fail.
#[derive(Debug)]
pub enum Plain {}

/// Marks results.
#[derive(Debug)]
pub enum Fallible {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + 'static> IntoToolResult<Plain> for T {
    fn into_tool_result(self, metadata: &ToolMetadata) -> Result<ToolOutput, ToolError> {
        match metadata.result_converter() {
            Some(converter) => converter.convert(ToolResult::new(&self)),
            None => ToolOutput::from_value(self),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + 'static, E: Into<ToolError>> IntoToolResult<Fallible> for Result<T, E> {
    fn into_tool_result(self, metadata: &ToolMetadata) -> Result<ToolOutput, ToolError> {
        self.map_err(Into::into)?.into_tool_result(metadata)
    }
}
