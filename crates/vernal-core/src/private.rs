//! What the expansions of `#[tools]` and `#[tool]` are made of. Not for use by hand: it changes
//! without notice.

use std::sync::OnceLock;

use serde::Serialize;
use serde_json::Value;

pub use std::marker::{Send, Sync};
pub use std::sync::Arc;
pub use std::time::Duration;
pub use std::vec::Vec;

use crate::tool::output::Plain;
use crate::tool::parameter::{Unusable, schema_of};
use crate::tool::{
    FromToolContext, IntoToolResult, MethodToolCallback, ToolCallback, ToolDefinition, ToolError,
    ToolFields, ToolFuture, ToolOutput, ToolParameter,
};

pub use crate::tool::parameter::Parameter;
#[cfg(feature = "registry")]
pub use crate::tool::registry::Registration;
pub use crate::tool::{IntoTools, ToolContext, ToolInput, ToolMetadata, ToolSource};
#[cfg(feature = "registry")]
pub use inventory;

/// A parameter that is said to be optional and has no default.
pub fn optional<T>(name: &'static str, description: &'static str) -> Parameter
where
    T: ToolParameter + OptionalParameter,
{
    Parameter::new::<T>(name, description).required(false)
}

/// A parameter that a model may leave out.
#[diagnostic::on_unimplemented(
    message = "a parameter of type `{Self}` cannot be left out",
    label = "nothing says what its value is without an argument",
    note = "make it `Option<{Self}>`, give it a value with `#[param(default = …)]`, or drop \
            `required = false`"
)]
pub trait OptionalParameter {}

impl<T> OptionalParameter for Option<T> {}

/// The default of a parameter, for its schema.
///
/// Whether it serialises is decided where its type is known: the method of the type comes before that of
/// the trait, unless its bound is not met.
pub struct DefaultOf<T>(pub T);

impl<T: Serialize> DefaultOf<T> {
    /// The default as JSON.
    pub fn to_json(&self) -> Option<Value> {
        serde_json::to_value(&self.0).ok()
    }
}

/// Defaults that cannot be said in JSON.
pub trait UnserialisedDefault {
    /// Nothing.
    fn to_json(&self) -> Option<Value>;
}

impl<T> UnserialisedDefault for DefaultOf<T> {
    fn to_json(&self) -> Option<Value> {
        None
    }
}

/// The default that is written as a text.
pub fn text_default<T: TextDefault>(text: &'static str) -> T {
    T::of_text(text)
}

/// A parameter whose default may be written as a text.
#[diagnostic::on_unimplemented(
    message = "a text is no default for a parameter of type `{Self}`",
    label = "the parameter is of type `{Self}`",
    note = "write an expression of that type: `#[param(default = …)]`"
)]
pub trait TextDefault {
    /// The text as the type.
    fn of_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> TextDefault for T {
    fn of_text(text: &'static str) -> Self {
        text.into()
    }
}

/// The definition of a tool, built at most once.
pub struct DefinitionOnce(OnceLock<Option<ToolDefinition>>);

impl DefinitionOnce {
    /// Not built yet.
    #[expect(clippy::new_without_default, reason = "made in statics only")]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The definition, built by the first caller.
    pub fn get(&self, build: impl FnOnce() -> Option<ToolDefinition>) -> Option<ToolDefinition> {
        self.0.get_or_init(build).clone()
    }
}

/// The definition of a tool whose name has been checked.
///
/// A type may have a schema, written by hand, that cannot be used. Its parameter is then described
/// as anything at all and an error is logged: the tool still works, because serde reads, and where
/// it must refuses, the argument. `None` is left for what cannot be described in any way.
pub fn definition(
    name: &'static str,
    description: &str,
    parameters: &[Parameter],
) -> Option<ToolDefinition> {
    let build = |unusable: Unusable| {
        ToolDefinition::builder(name)
            .description(description)
            .input_schema(schema_of(parameters, unusable))
            .build()
    };
    build(Unusable::Kept)
        .or_else(|error| {
            tracing::error!(
                tool = name,
                %error,
                "a parameter's type has a schema that cannot be used; any JSON is accepted for it"
            );
            build(Unusable::Anything)
        })
        .or_else(|_| build(Unusable::AllAnything))
        .inspect_err(|error| tracing::error!(tool = name, %error, "the tool is left out"))
        .ok()
}

/// The tool that runs `invoke` on `object`.
pub fn method<T: Send + Sync + 'static>(
    object: &Arc<T>,
    definition: Option<ToolDefinition>,
    metadata: ToolMetadata,
    invoke: for<'a> fn(&'a T, ToolInput, ToolContext, &'a ToolMetadata) -> ToolFuture<'a>,
) -> Option<Arc<dyn ToolCallback>> {
    let object = object.clone();
    Some(Arc::new(MethodToolCallback::expanded(
        object,
        definition?,
        metadata,
        invoke,
    )))
}

/// Appends a tool, if there is one.
pub fn hand_over(tool: Option<Arc<dyn ToolCallback>>, into: &mut Vec<ToolSource>) {
    into.extend(tool.map(ToolSource::Callback));
}

/// The tool of a free function: the same one however often it is handed over (rule TOOLS-4).
pub struct FunctionOnce(OnceLock<Option<Arc<dyn ToolCallback>>>);

impl FunctionOnce {
    /// Not built yet.
    #[expect(clippy::new_without_default, reason = "made in statics only")]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The tool, built by the first caller.
    pub fn get(
        &self,
        build: impl FnOnce() -> Option<Arc<dyn ToolCallback>>,
    ) -> Option<Arc<dyn ToolCallback>> {
        self.0.get_or_init(build).clone()
    }
}

/// A call as a future that can be sent to another thread.
pub fn boxed<'a, F>(call: F) -> ToolFuture<'a>
where
    F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'a,
{
    Box::pin(call)
}

/// Reads one argument.
pub fn read<T: ToolParameter>(fields: &ToolFields<'_>, name: &str) -> Result<T, ToolError> {
    fields.read(name)
}

/// Reads one argument that may be left out.
pub fn read_or<T: ToolParameter>(
    fields: &ToolFields<'_>,
    name: &str,
    default: fn() -> T,
) -> Result<T, ToolError> {
    match fields.raw(name) {
        Some(_) => fields.read(name),
        None => Ok(default()),
    }
}

/// What the application gives.
pub fn inject<T: FromToolContext>(context: &ToolContext) -> Result<T, ToolError> {
    T::from_tool_context(context)
}

/// What a function returned.
///
/// Whether it is a `Result` is decided by its type and before its bounds are looked at: the method
/// of the type comes before that of the trait. So a `Result` that would serialise as a whole is
/// still taken apart, and an alias is as good as the name.
pub struct Returned<T>(pub T);

impl<T, E> Returned<Result<T, E>> {
    /// The converted value, or the converted error.
    pub fn into_output(self, metadata: &ToolMetadata) -> Result<ToolOutput, ToolError>
    where
        T: IntoToolResult<Plain>,
        E: ToolFailure,
    {
        self.0
            .map_err(ToolFailure::into_tool_error)?
            .into_tool_result(metadata)
    }
}

/// Values that cannot fail.
pub trait ReturnedValue<T> {
    /// The converted value.
    fn into_output(self, metadata: &ToolMetadata) -> Result<ToolOutput, ToolError>
    where
        T: IntoToolResult<Plain>;
}

impl<T> ReturnedValue<T> for Returned<T> {
    fn into_output(self, metadata: &ToolMetadata) -> Result<ToolOutput, ToolError>
    where
        T: IntoToolResult<Plain>,
    {
        self.0.into_tool_result(metadata)
    }
}

/// The error of a tool function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "this does not convert into a `ToolError`",
    note = "return an error that implements `std::error::Error`, `Send` and `Sync`, a text, or a \
            `ToolError`"
)]
pub trait ToolFailure {
    /// The error as the loop takes it.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> ToolFailure for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

/// Stands beside every `IntoTools` that a `#[tools]` block writes, for the sake of its name: of two blocks
/// on one type the compiler says that the implementations of this trait conflict.
pub trait OneToolsBlockPerType {}

/// The object that is registered where nothing says how to make it.
pub fn registered_by_default<T: RegisteredByDefault>() -> T {
    T::registered()
}

/// A type of which an object can be made to be registered.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be registered: nothing says how to make one",
    label = "this has no `Default`",
    note = "implement `Default` for it, or write `#[tools(register = …)]` with an expression that makes it"
)]
pub trait RegisteredByDefault {
    /// One object.
    fn registered() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> RegisteredByDefault for T {
    fn registered() -> Self {
        Self::default()
    }
}

/// Registers what an expansion hands over.
#[cfg(feature = "registry")]
#[doc(hidden)]
#[macro_export]
macro_rules! __vernal_register {
    ($collect:expr) => {
        $crate::__private::inventory::submit! {
            $crate::__private::Registration::new(
                ::core::module_path!(),
                ::core::line!(),
                ::core::column!(),
                $collect,
            )
        }
    };
}

/// Says what is missing.
#[cfg(not(feature = "registry"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __vernal_register {
    ($collect:expr) => {
        ::core::compile_error!(
            "`register` needs the feature `registry` of the crate `vernal` or `vernal-core`"
        );
    };
}

pub use crate::__vernal_register as register;
