use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::ToolError;
use super::schema::json::{self, Document, NodeId};

/// The arguments of a call as one JSON object: the only form in which a tool takes them.
///
/// What a model wrote is a [`RawArguments`](crate::message::RawArguments); the loop turns it into
/// this after it has been checked against the tool's schema (rule ARG-3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolInput(Arc<str>);

/// Text that is not one JSON object.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct ToolInputError(String);

impl ToolInput {
    /// Reads text as the input of a tool: one JSON object with no name twice; blank text and `null`
    /// are the empty object (rules ARG-1, ARG-2).
    ///
    /// # Errors
    /// The text is not JSON, has something after the value, is no object, is nested deeper than 100
    /// levels, or names a field twice, at any depth.
    pub fn parse(text: &str) -> Result<Self, ToolInputError> {
        json::unique_arguments(text).map_err(|error| ToolInputError(error.to_string()))?;
        Ok(Self::from_checked(text.into()))
    }

    /// Input whose text has passed the schema's check.
    pub(crate) fn from_checked(text: Arc<str>) -> Self {
        if json::is_blank(&text) {
            Self("{}".into())
        } else {
            Self(text)
        }
    }

    /// The JSON object as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads the whole input as a Rust type: integers with all their digits, floats to the last bit
    /// (rule ARG-5).
    ///
    /// # Errors
    /// The input does not fit the type: it counts as [invalid arguments](ToolError::invalid_arguments), and
    /// the model reads which field, what was expected, and what came (rule ERR-4).
    pub fn parse_as<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        let document = self.document()?;
        json::read(&document, NodeId::ROOT)
            .map_err(|error| ToolError::invalid_arguments(error.violation(&document).to_string()))
    }

    /// The fields of the object, to be read one by one.
    ///
    /// # Errors
    /// None for input that [`parse`](Self::parse) or the loop made.
    pub fn fields(&self) -> Result<ToolFields<'_>, ToolError> {
        self.document().map(ToolFields)
    }

    fn document(&self) -> Result<Document<'_>, ToolError> {
        json::arguments(&self.0).map_err(|error| ToolError::invalid_arguments(error.to_string()))
    }
}

/// The fields of a [`ToolInput`].
#[derive(Debug)]
pub struct ToolFields<'a>(Document<'a>);

impl ToolFields<'_> {
    /// The field as it was written, if it is there.
    pub fn raw(&self, name: &str) -> Option<&RawValue> {
        self.0
            .member(NodeId::ROOT, name)
            .and_then(|field| self.raw_value(field))
    }

    /// Reads the field as a Rust type; a missing one is read as `null`, so that it is `None` for an
    /// `Option`. Integers keep their digits, floats their value (rule ARG-5).
    ///
    /// A `serde_json::Value` is what that crate makes of a number: one that neither 64 bits nor a float can
    /// hold is rounded. [`raw`](Self::raw) and [`ToolInput::as_str`] have all the digits.
    ///
    /// # Errors
    /// The field is missing or does not fit the type: it counts as
    /// [invalid arguments](ToolError::invalid_arguments), and the model reads which, what was expected, and
    /// what came (rule ERR-4).
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, ToolError> {
        let Some(field) = self.0.member(NodeId::ROOT, name) else {
            return serde_json::from_str("null").map_err(|_| {
                let path = json::path::of_member(&self.0, NodeId::ROOT, name);
                ToolError::invalid_arguments(format!("{path}: is required, but missing"))
            });
        };
        json::read(&self.0, field)
            .map_err(|error| ToolError::invalid_arguments(error.violation(&self.0).to_string()))
    }

    /// The fields, in the order in which they were written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        let fields = self.0.children(NodeId::ROOT);
        fields.filter_map(|field| Some((self.0.name(field), self.raw_value(field)?)))
    }

    fn raw_value(&self, field: NodeId) -> Option<&RawValue> {
        serde_json::from_str(self.0.raw(field)).ok()
    }
}
