use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::StructuredOutputValidationAdvisor;
use super::reading::{Readable, is_readable};
use crate::Error;
use crate::model::{InvalidResponseSchema, ResponseSchema};

/// How a model is asked for an answer that fits a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum StructuredOutputMode {
    /// Natively where the model says that its provider has that, else in words.
    #[default]
    Auto,
    /// Natively, whatever the model says: for a server that can do more than its adapter knows.
    Native,
    /// In words, in the system message.
    Instruction,
}

/// Builds a [`StructuredOutputValidationAdvisor`].
#[derive(Debug, Clone)]
#[must_use]
pub struct StructuredOutputValidationAdvisorBuilder {
    schema: Result<ResponseSchema, InvalidResponseSchema>,
    is_readable: Option<Readable>,
    max_corrections: u32,
    mode: StructuredOutputMode,
    order: i32,
}

impl StructuredOutputValidationAdvisorBuilder {
    /// For answers that can be read as a `T`.
    pub(crate) fn for_type<T: DeserializeOwned + JsonSchema + 'static>() -> Self {
        Self::with(ResponseSchema::of::<T>(), Some(is_readable::<T>))
    }

    pub(super) fn for_schema(schema: ResponseSchema) -> Self {
        Self::with(Ok(schema), None)
    }

    fn with(
        schema: Result<ResponseSchema, InvalidResponseSchema>,
        is_readable: Option<Readable>,
    ) -> Self {
        Self {
            schema,
            is_readable,
            max_corrections: StructuredOutputValidationAdvisor::DEFAULT_MAX_CORRECTIONS,
            mode: StructuredOutputMode::Auto,
            order: StructuredOutputValidationAdvisor::DEFAULT_ORDER,
        }
    }

    /// How often the model is told what is wrong with its answer and asked again; with 0, never.
    pub fn max_corrections(mut self, corrections: u32) -> Self {
        self.max_corrections = corrections;
        self
    }

    /// How the model is asked.
    pub fn mode(mut self, mode: StructuredOutputMode) -> Self {
        self.mode = mode;
        self
    }

    /// Where the advisor stands; it has to be inside of the tool loop.
    pub fn advisor_order(mut self, order: i32) -> Self {
        self.order = order;
        self
    }

    /// The advisor.
    ///
    /// # Errors
    /// The type's schema cannot be that of an answer.
    pub fn build(self) -> Result<StructuredOutputValidationAdvisor, Error> {
        let schema = self.schema;
        let schema = schema.map_err(|error| Error::setup(error.to_string()))?;
        Ok(StructuredOutputValidationAdvisor {
            schema,
            is_readable: self.is_readable,
            max_corrections: self.max_corrections,
            mode: self.mode,
            order: self.order,
        })
    }
}
