mod arguments;
mod bound;
mod builder;
mod shapes;

use std::fmt;
use std::sync::Arc;

use super::{ToolCallback, ToolContext, ToolDefinition, ToolFuture, ToolInput, ToolMetadata};
pub use arguments::MethodParameter;
pub use bound::{BoundMethod, BoundMethodBuilder, MethodToolCallbackError};
pub use builder::{MethodToolCallbackBuilder, NoObject};
pub use shapes::ToolMethod;

/// A tool that is a method of an object, or a function with parameters of its own.
///
/// `#[tools]` makes one for each `#[tool]` method of an `impl` block; the object is shared. For a type
/// that one does not own, [`builder`](Self::builder) makes it by hand (rule DEF-7).
///
/// A method that is not async runs when the call's future is polled for the first time; one that is marked
/// as [`blocking`](ToolMetadata::blocking) is polled away from the async threads.
pub struct MethodToolCallback {
    definition: ToolDefinition,
    metadata: ToolMetadata,
    method: Arc<dyn Invoke>,
}

/// The code of a tool.
///
/// The future does all the work when it is polled, and nothing before. Where the code is not async, the
/// first poll does it and yields the result: so it can be run wherever blocking is allowed.
pub(crate) trait Invoke: Send + Sync + 'static {
    fn invoke<'a>(
        &'a self,
        input: ToolInput,
        context: ToolContext,
        metadata: &'a ToolMetadata,
    ) -> ToolFuture<'a>;
}

/// The code that an attribute's expansion wrote: it reads its arguments from the input itself.
pub(crate) type Expanded<T> =
    for<'a> fn(&'a T, ToolInput, ToolContext, &'a ToolMetadata) -> ToolFuture<'a>;

struct ExpandedMethod<T> {
    object: Arc<T>,
    invoke: Expanded<T>,
}

impl<T: Send + Sync + 'static> Invoke for ExpandedMethod<T> {
    fn invoke<'a>(
        &'a self,
        input: ToolInput,
        context: ToolContext,
        metadata: &'a ToolMetadata,
    ) -> ToolFuture<'a> {
        (self.invoke)(&self.object, input, context, metadata)
    }
}

impl MethodToolCallback {
    /// The tool that runs what an attribute's expansion wrote.
    pub(crate) fn expanded<T: Send + Sync + 'static>(
        object: Arc<T>,
        definition: ToolDefinition,
        metadata: ToolMetadata,
        invoke: Expanded<T>,
    ) -> Self {
        Self {
            definition,
            metadata,
            method: Arc::new(ExpandedMethod { object, invoke }),
        }
    }
}

impl ToolCallback for MethodToolCallback {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn tool_metadata(&self) -> &ToolMetadata {
        &self.metadata
    }

    fn call<'a>(&'a self, input: ToolInput, context: ToolContext) -> ToolFuture<'a> {
        self.method.invoke(input, context, &self.metadata)
    }
}

impl fmt::Debug for MethodToolCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MethodToolCallback")
            .field("definition", &self.definition)
            .finish()
    }
}
