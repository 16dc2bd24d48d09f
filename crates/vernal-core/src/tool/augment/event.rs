use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::tool::{ToolDefinition, ToolError, ToolInput};

/// What a consumer of augmented arguments gets, before the tool runs.
#[derive(Debug, Clone)]
pub struct AugmentedArgumentEvent<T> {
    tool_definition: ToolDefinition,
    raw_input: ToolInput,
    arguments: T,
}

impl<T> AugmentedArgumentEvent<T> {
    pub(super) fn new(tool_definition: ToolDefinition, raw_input: ToolInput, arguments: T) -> Self {
        Self {
            tool_definition,
            raw_input,
            arguments,
        }
    }

    /// The tool as the model sees it, with the added fields.
    pub fn tool_definition(&self) -> &ToolDefinition {
        &self.tool_definition
    }

    /// Everything the model filled in.
    pub fn raw_input(&self) -> &ToolInput {
        &self.raw_input
    }

    /// The added fields.
    pub fn arguments(&self) -> &T {
        &self.arguments
    }

    /// The added fields.
    pub fn into_arguments(self) -> T {
        self.arguments
    }
}

/// What a consumer may return: nothing, or a `Result` whose error is the tool's (rule AUG-2).
#[diagnostic::on_unimplemented(
    message = "a consumer of augmented arguments cannot return `{Self}`",
    note = "return nothing, or a `Result<(), E>` whose error converts into a `ToolError`; one that is \
            async is given to `async_argument_consumer`"
)]
pub trait Consumed {
    /// Whether the tool may run.
    ///
    /// # Errors
    /// What the tool fails with instead.
    fn into_consumed(self) -> Result<(), ToolError>;
}

impl Consumed for () {
    fn into_consumed(self) -> Result<(), ToolError> {
        Ok(())
    }
}

impl<E: Into<ToolError>> Consumed for Result<(), E> {
    fn into_consumed(self) -> Result<(), ToolError> {
        self.map_err(Into::into)
    }
}

/// What is done with augmented arguments; copies share it.
pub(super) struct Consumer<T>(Option<Arc<Consume<T>>>);

type Consume<T> =
    dyn Fn(AugmentedArgumentEvent<T>) -> BoxFuture<'static, Result<(), ToolError>> + Send + Sync;

impl<T: 'static> Consumer<T> {
    pub(super) fn none() -> Self {
        Self(None)
    }

    pub(super) fn of_sync<R: Consumed>(
        consume: impl Fn(AugmentedArgumentEvent<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        Self(Some(Arc::new(move |event| {
            Box::pin(std::future::ready(consume(event).into_consumed()))
        })))
    }

    pub(super) fn of_async<F>(
        consume: impl Fn(AugmentedArgumentEvent<T>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), ToolError>> + Send + 'static,
    {
        Self(Some(Arc::new(move |event| Box::pin(consume(event)))))
    }

    /// Hands the event over, if somebody wants it; `event` is made only then.
    pub(super) async fn consume(
        &self,
        event: impl FnOnce() -> AugmentedArgumentEvent<T>,
    ) -> Result<(), ToolError> {
        match &self.0 {
            Some(consume) => consume(event()).await,
            None => Ok(()),
        }
    }
}

impl<T> Clone for Consumer<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> fmt::Debug for Consumer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Consumer(some)"
        } else {
            "Consumer(none)"
        })
    }
}
