use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;

use super::ToolCallback;
use super::name::{problem_with_name, words_of_name};
use super::schema::{CompiledSchema, SchemaError, input_schema_of};

/// The contract that the model sees: name, description and input schema.
///
/// Immutable and shared: a copy is one reference count. The schema is serialised and compiled for
/// validation once, when the definition is built (rule SCH-7).
#[derive(Clone)]
pub struct ToolDefinition(Arc<Inner>);

struct Inner {
    name: Arc<str>,
    description: String,
    input_schema: String,
    compiled: CompiledSchema,
}

impl ToolDefinition {
    /// A builder for the tool called `name`.
    pub fn builder(name: impl Into<Arc<str>>) -> ToolDefinitionBuilder {
        ToolDefinitionBuilder {
            name: name.into(),
            description: None,
            input_schema: None,
        }
    }

    /// The name, unique among the tools of a request.
    pub fn name(&self) -> &Arc<str> {
        &self.0.name
    }

    /// What the tool does and when to use it.
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// The JSON schema of the input, as text: the same bytes every time.
    pub fn input_schema(&self) -> &str {
        &self.0.input_schema
    }

    /// The schema as it is used to check arguments.
    pub fn compiled_schema(&self) -> &CompiledSchema {
        &self.0.compiled
    }
}

impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition")
            .field("name", &self.0.name)
            .field("description", &self.0.description)
            .field("input_schema", &self.0.input_schema)
            .finish()
    }
}

impl PartialEq for ToolDefinition {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.name() == other.name()
                && self.description() == other.description()
                && self.input_schema() == other.input_schema())
    }
}

/// Builds a [`ToolDefinition`].
#[derive(Debug, Clone)]
#[must_use]
pub struct ToolDefinitionBuilder {
    name: Arc<str>,
    description: Option<String>,
    input_schema: Option<String>,
}

impl ToolDefinitionBuilder {
    /// What the tool does and when to use it. Left out or blank, it is the name as words.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The JSON schema of the input. Left out or blank, the tool takes no input (rule SCH-6).
    pub fn input_schema(mut self, schema: impl Into<String>) -> Self {
        self.input_schema = Some(schema.into());
        self
    }

    /// The input schema of a Rust type.
    pub fn input_type<T: JsonSchema>(self) -> Self {
        self.input_schema(input_schema_of::<T>())
    }

    /// Checks and compiles the definition.
    ///
    /// # Errors
    /// A blank, overlong or unprintable name (rules DEF-1, DEF-2); a schema that is no JSON, is not
    /// for an object, is too large, or refers to what it does not contain (rule SCH-6).
    pub fn build(self) -> Result<ToolDefinition, ToolDefinitionError> {
        if let Some(problem) = problem_with_name(&self.name) {
            return Err(ToolDefinitionError(Problem::Name(problem)));
        }
        let schema = self.input_schema.unwrap_or_default();
        let (input_schema, compiled) = CompiledSchema::for_tool_input(&schema)
            .map_err(|error| ToolDefinitionError(Problem::Schema(self.name.clone(), error)))?;
        if !compiled.unchecked().is_empty() {
            tracing::warn!(
                tool = &*self.name,
                keywords = ?compiled.unchecked(),
                "the input schema has keywords that arguments are not checked against"
            );
        }
        let description = self
            .description
            .filter(|text| !text.trim().is_empty())
            .unwrap_or_else(|| words_of_name(&self.name));
        Ok(ToolDefinition(Arc::new(Inner {
            name: self.name,
            description,
            input_schema,
            compiled,
        })))
    }
}

/// A definition that cannot be a tool's.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ToolDefinitionError(Problem);

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("{0}")]
    Name(String),
    #[error("the input schema of the tool `{0}` {1}")]
    Schema(Arc<str>, #[source] SchemaError),
}

impl ToolDefinitionError {
    /// The name of the tool whose schema is wrong; `None` where the name itself is.
    pub fn tool_name(&self) -> Option<&str> {
        match &self.0 {
            Problem::Name(_) => None,
            Problem::Schema(name, _) => Some(name),
        }
    }
}

/// Definitions of tools that exist already.
pub struct ToolDefinitions;

impl ToolDefinitions {
    /// The definition of a tool.
    pub fn from(tool: &dyn ToolCallback) -> ToolDefinition {
        tool.tool_definition().clone()
    }

    /// A builder that starts from the definition of a tool.
    pub fn builder(tool: &dyn ToolCallback) -> ToolDefinitionBuilder {
        let definition = tool.tool_definition();
        ToolDefinition::builder(definition.name().clone())
            .description(definition.description())
            .input_schema(definition.input_schema())
    }
}
