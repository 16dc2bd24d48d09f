//! A method of which everything is said: checked, and made a tool.

use std::collections::HashSet;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use super::arguments::Described;
use super::{Invoke, MethodToolCallback};
use crate::tool::output::Fallible;
use crate::tool::parameter::{Parameter, Unusable, schema_of};
use crate::tool::schema::json::Object;
use crate::tool::{ToolDefinition, ToolDefinitionBuilder, ToolDefinitionError, ToolMetadata};

/// What was said of the tool, beside its method.
pub(super) struct Plan {
    pub(super) definition: ToolDefinitionBuilder,
    pub(super) schema: Option<String>,
    pub(super) given: Option<ToolDefinition>,
    pub(super) metadata: ToolMetadata,
}

/// Builds a [`MethodToolCallback`] of which everything is said.
///
/// `Out` is what the method returns, and `Kind` whether that is a `Result` to be taken apart. They are
/// never named: a `Result` always is, also one that would serialise as a whole.
#[must_use]
pub struct BoundMethodBuilder<Out, Kind> {
    parts: BoundMethod,
    kind: PhantomData<fn() -> (Out, Kind)>,
}

impl<Out, Kind> BoundMethodBuilder<Out, Kind> {
    pub(super) fn new(parts: BoundMethod) -> Self {
        Self {
            parts,
            kind: PhantomData,
        }
    }
}

/// The method returns a `Result`; see [`FunctionToolCallbackBuilder`](crate::tool::FunctionToolCallbackBuilder).
impl<T, E> BoundMethodBuilder<Result<T, E>, Fallible> {
    /// The tool.
    ///
    /// # Errors
    /// The definition is not valid, or what was said of the parameters does not fit together.
    pub fn build(self) -> Result<MethodToolCallback, MethodToolCallbackError> {
        self.parts.build()
    }
}

impl<Out, Kind> Deref for BoundMethodBuilder<Out, Kind> {
    type Target = BoundMethod;

    fn deref(&self) -> &BoundMethod {
        &self.parts
    }
}

/// What a [`MethodToolCallback`] is made of, whatever its method returns.
pub struct BoundMethod {
    plan: Plan,
    described: Described,
    method: Arc<dyn Invoke>,
}

impl BoundMethod {
    pub(super) fn new(plan: Plan, described: Described, method: Arc<dyn Invoke>) -> Self {
        Self {
            plan,
            described,
            method,
        }
    }

    /// The tool.
    ///
    /// # Errors
    /// The definition is not valid, or what was said of the parameters does not fit together.
    pub fn build(&self) -> Result<MethodToolCallback, MethodToolCallbackError> {
        let definition = match &self.plan.given {
            Some(definition) => definition.clone(),
            None => self
                .definition()
                .map_err(|error| MethodToolCallbackError(error.into()))?,
        };
        if let Some(problem) = self.problem(&definition) {
            let tool_name = definition.name().clone();
            return Err(MethodToolCallbackError(Problem::Parameters {
                tool_name,
                problem,
            }));
        }
        Ok(MethodToolCallback {
            definition,
            metadata: self.plan.metadata.clone(),
            method: self.method.clone(),
        })
    }

    fn definition(&self) -> Result<ToolDefinition, ToolDefinitionError> {
        let builder = self.plan.definition.clone();
        match (&self.plan.schema, self.described.whole) {
            (Some(schema), _) => builder.input_schema(schema.as_str()).build(),
            (None, Some(describe)) => describe(builder).build(),
            (None, None) => {
                let schema = schema_of(&self.described.parameters, Unusable::Kept);
                builder.input_schema(schema).build()
            }
        }
    }

    fn problem(&self, definition: &ToolDefinition) -> Option<String> {
        let parameters = &self.described.parameters;
        if let Some(problem) = self.described.problems.first() {
            return Some(problem.clone());
        }
        if self.described.whole.is_some() && !parameters.is_empty() {
            return Some(
                "it has single parameters and an input: say either `.parameter::<T>(…)` or \
                 `.input::<T>()`"
                    .to_owned(),
            );
        }
        problem_with_names(parameters).or_else(|| missing_property(parameters, definition))
    }
}

fn problem_with_names(parameters: &[Parameter]) -> Option<String> {
    let mut names = HashSet::new();
    parameters.iter().map(Parameter::name).find_map(|name| {
        if name.trim().is_empty() || name.chars().any(char::is_control) {
            return Some(format!(
                "{name:?} is no name for its parameter: take one that can be read"
            ));
        }
        (!names.insert(name)).then(|| format!("two of its parameters are called `{name}`"))
    })
}

/// A hand-written schema may lack what the method takes; the model could never give it.
fn missing_property(parameters: &[Parameter], definition: &ToolDefinition) -> Option<String> {
    let schema: Object<'_> = serde_json::from_str(definition.input_schema()).ok()?;
    let properties = schema
        .get("properties")
        .map_or("{}", |properties| properties.get());
    let properties: Object<'_> = serde_json::from_str(properties).ok()?;
    let missing = parameters
        .iter()
        .find(|parameter| properties.get(parameter.name()).is_none())?;
    let name = missing.name();
    Some(format!(
        "its input schema has no property for its parameter `{name}`: add one"
    ))
}

/// A method that cannot be a tool as it was described.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct MethodToolCallbackError(Problem);

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error(transparent)]
    Definition(#[from] ToolDefinitionError),
    #[error("the method tool `{tool_name}` cannot be built: {problem}")]
    Parameters {
        tool_name: Arc<str>,
        problem: String,
    },
}

impl MethodToolCallbackError {
    /// The name of the tool; `None` where the name itself is wrong.
    pub fn tool_name(&self) -> Option<&str> {
        match &self.0 {
            Problem::Definition(error) => error.tool_name(),
            Problem::Parameters { tool_name, .. } => Some(tool_name),
        }
    }
}
