mod shapes;

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use super::method::Invoke;
use super::output::Fallible;
use super::{
    ToolCallResultConverter, ToolCallback, ToolContext, ToolDefinition, ToolDefinitionBuilder,
    ToolDefinitionError, ToolFuture, ToolInput, ToolMetadata, ToolMetadataBuilder, ToolParameters,
};
pub use shapes::ToolFunction;

/// A tool that is a function or a closure.
///
/// | the function | |
/// |---|---|
/// | `\|\| …` | takes nothing |
/// | `\|input: Input\| …` | takes one struct, with a field for each parameter |
/// | `\|input: Input, context: ToolContext\| …` | and what the application gives its tools |
/// | `\|context: ToolContext\| …` | takes that alone |
///
/// Each may be async, and return nothing, a value, or a `Result` of either. In place of the
/// [`ToolContext`] stands anything that comes [from it](super::FromToolContext), such as
/// [`Context<Tenant>`](super::Context). It is taken by value: it is cheap to clone, and a closure over a
/// reference could not be stored.
///
/// ```
/// use vernal_core::tool::{FunctionToolCallback, ToolContext};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Lookup { id: u64 }
///
/// let tool = FunctionToolCallback::builder("getCustomer", |lookup: Lookup, context: ToolContext| {
///     let tenant = context.get_str("tenant_id").unwrap_or("none").to_owned();
///     async move { format!("customer {} of {tenant}", lookup.id) }
/// })
/// .description("Retrieve customer information")
/// .build()?;
/// # Ok::<(), vernal_core::tool::ToolDefinitionError>(())
/// ```
///
/// An async closure cannot use what it captured by reference, as its calls run at the same time: write
/// `move |input: Input| { let client = client.clone(); async move { … } }`.
///
/// A function that blocks its thread is not async and is marked as
/// [`blocking`](ToolMetadata::blocking): it runs when the call's future is polled for the first time,
/// which the loop then does away from the async threads. (An async one that is marked so is awaited there.)
///
/// ```
/// use vernal_core::tool::{FunctionToolCallback, ToolMetadata};
///
/// let count = FunctionToolCallback::builder("countFiles", || -> Result<usize, std::io::Error> {
///     Ok(std::fs::read_dir(".")?.count())
/// })
/// .tool_metadata(ToolMetadata::builder().blocking(true).read_only(true).build())
/// .build()?;
/// # Ok::<(), vernal_core::tool::ToolDefinitionError>(())
/// ```
pub struct FunctionToolCallback {
    definition: ToolDefinition,
    metadata: ToolMetadata,
    function: Arc<dyn Invoke>,
}

impl FunctionToolCallback {
    /// A builder for the tool called `name` that runs `function`; the schema is that of its
    /// argument.
    pub fn builder<F, Shape, Kind>(
        name: impl Into<Arc<str>>,
        function: F,
    ) -> FunctionToolCallbackBuilder<F::Output, Kind>
    where
        F: ToolFunction<Shape, Kind>,
        Shape: 'static,
        Kind: 'static,
    {
        FunctionToolCallbackBuilder {
            parts: FunctionToolCallbackParts {
                definition: F::describe(ToolDefinition::builder(name)),
                metadata: ToolMetadata::default(),
                function: Arc::new(Shaped {
                    function,
                    shape: PhantomData::<fn(Shape, Kind)>,
                }),
            },
            kind: PhantomData,
        }
    }
}

/// A function whose shape is known.
struct Shaped<F, M> {
    function: F,
    shape: PhantomData<M>,
}

impl<F, Shape, Kind> Invoke for Shaped<F, fn(Shape, Kind)>
where
    F: ToolFunction<Shape, Kind>,
    Shape: 'static,
    Kind: 'static,
{
    fn invoke<'a>(
        &'a self,
        input: ToolInput,
        context: ToolContext,
        metadata: &'a ToolMetadata,
    ) -> ToolFuture<'a> {
        self.function.invoke(input, context, metadata)
    }
}

impl ToolCallback for FunctionToolCallback {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn tool_metadata(&self) -> &ToolMetadata {
        &self.metadata
    }

    fn call<'a>(&'a self, input: ToolInput, context: ToolContext) -> ToolFuture<'a> {
        self.function.invoke(input, context, &self.metadata)
    }
}

impl fmt::Debug for FunctionToolCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionToolCallback")
            .field("definition", &self.definition)
            .finish()
    }
}

/// Builds a [`FunctionToolCallback`].
///
/// `Out` is what the function returns, and `Kind` whether that is a `Result` to be taken apart. They are
/// never named: a `Result` always is, also one that would serialise as a whole, such as
/// `Result<T, String>`.
#[must_use]
pub struct FunctionToolCallbackBuilder<Out, Kind> {
    parts: FunctionToolCallbackParts,
    kind: PhantomData<fn() -> (Out, Kind)>,
}

impl<Out, Kind> FunctionToolCallbackBuilder<Out, Kind> {
    /// What the tool does and when to use it. Left out, it is the name as words.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.parts.definition = self.parts.definition.description(description);
        self
    }

    /// Takes the schema of `T` instead of that of the function's argument.
    pub fn input_type<T: ToolParameters>(mut self) -> Self {
        self.parts.definition = self.parts.definition.input_type::<T>();
        self
    }

    /// Takes this schema instead of that of the function's argument.
    pub fn input_schema(mut self, schema: impl Into<String>) -> Self {
        self.parts.definition = self.parts.definition.input_schema(schema);
        self
    }

    /// How the tool is handled; what was said of that before is forgotten.
    pub fn tool_metadata(mut self, metadata: ToolMetadata) -> Self {
        self.parts.metadata = metadata;
        self
    }

    /// What turns the function's result into what the model reads; it becomes part of the metadata
    /// (rule RES-3).
    ///
    /// ```
    /// use vernal_core::tool::{FunctionToolCallback, ToolOutput, ToolResult};
    ///
    /// let tool = FunctionToolCallback::builder("temperature", || 21.5)
    ///     .result_converter(|result: ToolResult<'_>| {
    ///         Ok(ToolOutput::from_text(format!("{} °C", result.to_json()?)))
    ///     })
    ///     .build()?;
    /// # Ok::<(), vernal_core::tool::ToolDefinitionError>(())
    /// ```
    pub fn result_converter(mut self, converter: impl ToolCallResultConverter) -> Self {
        let metadata = ToolMetadataBuilder::from(self.parts.metadata);
        self.parts.metadata = metadata.result_converter(converter).build();
        self
    }
}

/// The function returns a `Result`.
///
/// Methods of the type itself come before those that it derefs to, and that is what decides where both
/// kinds would do.
impl<T, E> FunctionToolCallbackBuilder<Result<T, E>, Fallible> {
    /// The tool.
    ///
    /// # Errors
    /// The definition is not valid; see [`ToolDefinitionBuilder::build`].
    pub fn build(self) -> Result<FunctionToolCallback, ToolDefinitionError> {
        self.parts.build()
    }
}

impl<Out, Kind> Deref for FunctionToolCallbackBuilder<Out, Kind> {
    type Target = FunctionToolCallbackParts;

    fn deref(&self) -> &FunctionToolCallbackParts {
        &self.parts
    }
}

/// What a [`FunctionToolCallback`] is made of, whatever its function returns.
pub struct FunctionToolCallbackParts {
    definition: ToolDefinitionBuilder,
    metadata: ToolMetadata,
    function: Arc<dyn Invoke>,
}

impl FunctionToolCallbackParts {
    /// The tool.
    ///
    /// # Errors
    /// The definition is not valid; see [`ToolDefinitionBuilder::build`].
    pub fn build(&self) -> Result<FunctionToolCallback, ToolDefinitionError> {
        Ok(FunctionToolCallback {
            definition: self.definition.clone().build()?,
            metadata: self.metadata.clone(),
            function: self.function.clone(),
        })
    }
}
