//! The shapes that a tool's function may have.

use std::marker::PhantomData;

use crate::tool::{
    FromToolContext, IntoToolResult, ToolContext, ToolDefinitionBuilder, ToolError, ToolFuture,
    ToolInput, ToolMetadata, ToolParameters,
};

/// A function or closure that can be a tool; see [`FunctionToolCallback`](super::FunctionToolCallback).
///
/// `Shape` and `Kind` only tell apart what it takes and what it returns; they are never named.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's function",
    label = "this takes or gives what a tool cannot",
    note = "write `|| …`, `|input: MyInput| …`, `|input: MyInput, context: ToolContext| …` or \
            `|context: ToolContext| …`, with the input's type written out and deriving \
            `serde::Deserialize` and `schemars::JsonSchema`, and return a value that serialises, a \
            `Result` of one, or a future of either"
)]
pub trait ToolFunction<Shape, Kind>: Send + Sync + 'static {
    /// What it returns, or its future yields.
    type Output;

    /// Adds the input schema.
    #[doc(hidden)]
    fn describe(definition: ToolDefinitionBuilder) -> ToolDefinitionBuilder;

    /// Reads the input and runs, once the future is polled.
    #[doc(hidden)]
    fn invoke<'a>(
        &'a self,
        input: ToolInput,
        context: ToolContext,
        metadata: &'a ToolMetadata,
    ) -> ToolFuture<'a>;
}

/// Marks functions that return their value.
pub struct Returns<Args>(PhantomData<Args>);

/// Marks functions that return a future of their value.
pub struct Awaits<Args>(PhantomData<Args>);

/// Marks what the model gives.
pub struct Given<A>(PhantomData<A>);

/// Marks what the application gives.
pub struct Injected<C>(PhantomData<C>);

/// Both kinds of one argument list; `read` turns the input and the context into the arguments.
macro_rules! tool_function {
    (
        [$($generic:ident: $bound:path),*], [$($mark:ty),*], ($($name:ident: $type:ty),*),
        $describe:expr, $read:expr
    ) => {
        impl<Func, Out, Kind, $($generic: $bound),*>
            ToolFunction<Returns<($($mark,)*)>, Kind> for Func
        where
            Func: Fn($($type),*) -> Out + Send + Sync + 'static,
            Out: IntoToolResult<Kind>,
        {
            type Output = Out;

            fn describe(definition: ToolDefinitionBuilder) -> ToolDefinitionBuilder {
                ($describe)(definition)
            }

            fn invoke<'a>(
                &'a self,
                input: ToolInput,
                context: ToolContext,
                metadata: &'a ToolMetadata,
            ) -> ToolFuture<'a> {
                Box::pin(async move {
                    let ($($name,)*): ($($type,)*) = read(&input, &context, $read)?;
                    self($($name),*).into_tool_result(metadata)
                })
            }
        }

        impl<Func, Fut, Kind, $($generic: $bound),*>
            ToolFunction<Awaits<($($mark,)*)>, Kind> for Func
        where
            Func: Fn($($type),*) -> Fut + Send + Sync + 'static,
            Fut: Future + Send + 'static,
            Fut::Output: IntoToolResult<Kind>,
        {
            type Output = Fut::Output;

            fn describe(definition: ToolDefinitionBuilder) -> ToolDefinitionBuilder {
                ($describe)(definition)
            }

            fn invoke<'a>(
                &'a self,
                input: ToolInput,
                context: ToolContext,
                metadata: &'a ToolMetadata,
            ) -> ToolFuture<'a> {
                Box::pin(async move {
                    let running = {
                        let ($($name,)*): ($($type,)*) = read(&input, &context, $read)?;
                        self($($name),*)
                    };
                    running.await.into_tool_result(metadata)
                })
            }
        }
    };
}

fn read<Args>(
    input: &ToolInput,
    context: &ToolContext,
    read: impl FnOnce(&ToolInput, &ToolContext) -> Result<Args, ToolError>,
) -> Result<Args, ToolError> {
    read(input, context)
}

tool_function!([], [], (), |definition| definition, |_, _| Ok(()));
tool_function!(
    [A: ToolParameters],
    [Given<A>],
    (argument: A),
    ToolDefinitionBuilder::input_type::<A>,
    |input, _| Ok((input.parse_as()?,))
);
tool_function!(
    [A: ToolParameters, C: FromToolContext],
    [Given<A>, Injected<C>],
    (argument: A, injected: C),
    ToolDefinitionBuilder::input_type::<A>,
    |input, context| Ok((input.parse_as()?, C::from_tool_context(context)?))
);
tool_function!(
    [C: FromToolContext],
    [Injected<C>],
    (injected: C),
    |definition| definition,
    |_, context| Ok((C::from_tool_context(context)?,))
);
