use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use schemars::JsonSchema;
use serde_json::Value;

use crate::message::{EncodedOnce, RawArguments};
use crate::tool::schema::{
    CompiledSchema, ParameterSchemas, SchemaError, Violations, input_schema_of,
};
use crate::tool::{ArgumentPolicy, ToolInput};

/// In which form a model answers.
///
/// An adapter writes it where its provider has a field for it; what a provider has none for is left out.
/// [`ChatModel::supports_response_schema`](super::ChatModel::supports_response_schema) tells whether a
/// schema is worth more than words in the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ResponseFormat {
    /// In words.
    #[default]
    Text,
    /// As one JSON object. Some providers want the prompt to ask for JSON too.
    JsonObject,
    /// As JSON that fits a schema.
    JsonSchema(ResponseSchema),
}

/// The JSON schema of an answer: serialised and compiled once, and shared. A copy is one reference
/// count.
///
/// ```
/// use vernal_core::model::ResponseSchema;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Forecast {
///     city: String,
///     degrees: f64,
/// }
///
/// let schema = ResponseSchema::of::<Forecast>()?;
/// assert_eq!(schema.name(), "Forecast");
/// assert!(schema.schema().contains(r#""required":["city","degrees"]"#));
///
/// // Providers want an object: a list stands in a member of one.
/// let list = ResponseSchema::of::<Vec<Forecast>>()?;
/// assert!(list.is_wrapped());
/// # Ok::<(), vernal_core::model::InvalidResponseSchema>(())
/// ```
#[derive(Clone)]
pub struct ResponseSchema(Arc<Inner>);

struct Inner {
    name: String,
    schema: String,
    compiled: CompiledSchema,
    strict: bool,
    wrapped: bool,
    encoded: EncodedOnce,
}

/// The longest name that providers take.
const MAX_NAME: usize = 64;

/// The schemas of types: each is made once in the life of a program (rule SCH-7).
static OF_TYPES: LazyLock<RwLock<HashMap<TypeId, ResponseSchema>>> = LazyLock::new(RwLock::default);

impl ResponseSchema {
    /// The member in which a value stands that is no object.
    pub const WRAPPED: &'static str = "value";

    /// A schema under a name for the provider; other characters than ASCII letters, digits, `_` and
    /// `-` are left out of the name.
    ///
    /// # Errors
    /// The text is no JSON schema, is not for an object, is too large, or refers to what it does not
    /// contain.
    pub fn new(
        name: impl AsRef<str>,
        schema: impl AsRef<str>,
    ) -> Result<Self, InvalidResponseSchema> {
        Self::build(name.as_ref(), schema.as_ref(), false)
    }

    /// The schema of a Rust type; it is made once and then shared. A type whose values are no objects,
    /// such as a list or an enum, stands in the member [`WRAPPED`](Self::WRAPPED) of one.
    ///
    /// # Errors
    /// The type's schema is too large.
    pub fn of<T: JsonSchema + 'static>() -> Result<Self, InvalidResponseSchema> {
        let of_types = OF_TYPES.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = of_types.get(&TypeId::of::<T>()) {
            return Ok(known.clone());
        }
        drop(of_types);
        let own = input_schema_of::<T>();
        let root = serde_json::from_str::<Value>(&own).unwrap_or_default();
        let is_object = root.get("type").and_then(Value::as_str) == Some("object");
        let made = if is_object {
            Self::build(&T::schema_name(), &own, false)?
        } else {
            let wrapped = ParameterSchemas::new().parameter::<T>(Self::WRAPPED, "", true);
            Self::build(&T::schema_name(), &wrapped.finish(), true)?
        };
        let mut of_types = OF_TYPES.write().unwrap_or_else(PoisonError::into_inner);
        Ok(of_types.entry(TypeId::of::<T>()).or_insert(made).clone())
    }

    fn build(name: &str, schema: &str, wrapped: bool) -> Result<Self, InvalidResponseSchema> {
        let (schema, compiled) =
            CompiledSchema::for_tool_input(schema).map_err(|error| InvalidResponseSchema {
                name: name.to_owned(),
                error,
            })?;
        if !compiled.unchecked().is_empty() {
            tracing::warn!(
                name,
                keywords = ?compiled.unchecked(),
                "the schema of the answer has keywords that answers are not checked against"
            );
        }
        Ok(Self(Arc::new(Inner {
            name: ascii_name(name),
            schema,
            compiled,
            strict: true,
            wrapped,
            encoded: EncodedOnce::default(),
        })))
    }

    /// Whether the provider shall hold the model to the schema where it can; by default it shall.
    /// Either way answers are checked here.
    #[must_use]
    pub fn with_strict(self, strict: bool) -> Self {
        let Inner {
            name,
            schema,
            compiled,
            wrapped,
            ..
        } = &*self.0;
        Self(Arc::new(Inner {
            name: name.clone(),
            schema: schema.clone(),
            compiled: compiled.clone(),
            strict,
            wrapped: *wrapped,
            encoded: EncodedOnce::default(),
        }))
    }

    /// The name: 1 to 64 ASCII letters, digits, `_` and `-`.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The schema as text, of an object: the same bytes every time.
    pub fn schema(&self) -> &str {
        &self.0.schema
    }

    /// Whether the provider shall hold the model to the schema.
    pub fn strict(&self) -> bool {
        self.0.strict
    }

    /// Whether the type's values are no objects and stand in [`WRAPPED`](Self::WRAPPED).
    pub fn is_wrapped(&self) -> bool {
        self.0.wrapped
    }

    /// The place where adapters keep the wire form of the schema.
    pub fn encoded(&self) -> &EncodedOnce {
        &self.0.encoded
    }

    /// The JSON object if it fits the schema; values are coerced where nothing is lost (rule ARG-4).
    pub(crate) fn accept(&self, json: &str) -> Result<ToolInput, Violations> {
        let Inner { name, compiled, .. } = &*self.0;
        ArgumentPolicy::default().accept_by(name, compiled, &RawArguments(json.into()))
    }
}

/// The name in the characters that every provider takes.
fn ascii_name(name: &str) -> String {
    let taken = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name: String = name.chars().filter(taken).take(MAX_NAME).collect();
    if name.is_empty() {
        return "answer".to_owned();
    }
    name
}

impl PartialEq for ResponseSchema {
    fn eq(&self, other: &Self) -> bool {
        let key = |schema: &Self| (schema.0.strict, schema.0.wrapped);
        Arc::ptr_eq(&self.0, &other.0)
            || (key(self) == key(other)
                && self.name() == other.name()
                && self.schema() == other.schema())
    }
}

impl Eq for ResponseSchema {}

impl fmt::Debug for ResponseSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseSchema")
            .field("name", &self.0.name)
            .field("schema", &self.0.schema)
            .field("strict", &self.0.strict)
            .finish_non_exhaustive()
    }
}

/// A schema that cannot be that of an answer.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the schema of the answer `{name}` {error}")]
pub struct InvalidResponseSchema {
    name: String,
    #[source]
    error: SchemaError,
}
