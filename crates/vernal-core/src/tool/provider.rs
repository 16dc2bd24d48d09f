use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::{ToolCallback, ToolSource};

/// A source of tools that is asked anew for each request, for example a remote server.
///
/// It is asked once per `call` or `stream`, just before the first model call; building a client
/// asks nobody (rule TOOLS-2). A [`ToolCallback`] is a provider of itself, but an eager one.
///
/// ```
/// use std::sync::Arc;
/// use futures::future::BoxFuture;
/// use vernal_core::tool::{ToolCallback, ToolCallbackProvider, ToolProviderError};
///
/// struct Plugins { tools: Vec<Arc<dyn ToolCallback>> }
///
/// impl ToolCallbackProvider for Plugins {
///     fn name(&self) -> &str {
///         "plugins"
///     }
///     fn tool_callbacks(&self) -> BoxFuture<'_, Result<Vec<Arc<dyn ToolCallback>>, ToolProviderError>> {
///         Box::pin(async { Ok(self.tools.clone()) })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool or a source of tools",
    label = "this is no tool",
    note = "put `#[tools]` on an `impl` block of the type, `#[tool]` on a function, or build a tool from \
            a closure with `FunctionToolCallback::builder`"
)]
pub trait ToolCallbackProvider: Send + Sync + 'static {
    /// The name by which errors and events speak of the provider.
    fn name(&self) -> &str;

    /// The tools there are now.
    fn tool_callbacks(
        &self,
    ) -> BoxFuture<'_, Result<Vec<Arc<dyn ToolCallback>>, ToolProviderError>>;

    /// How the value is taken when it is handed over as a tool: eagerly only where it is a callback.
    #[doc(hidden)]
    fn into_source(self: Arc<Self>) -> ToolSource
    where
        Self: Sized,
    {
        ToolSource::Provider(self)
    }
}

impl<C: ToolCallback> ToolCallbackProvider for C {
    fn name(&self) -> &str {
        self.tool_definition().name()
    }

    fn tool_callbacks(
        &self,
    ) -> BoxFuture<'_, Result<Vec<Arc<dyn ToolCallback>>, ToolProviderError>> {
        let error = ToolProviderError::new("a single tool is handed over as it is, not listed");
        Box::pin(std::future::ready(Err(error)))
    }

    fn into_source(self: Arc<Self>) -> ToolSource {
        ToolSource::Callback(self)
    }
}

/// Why a provider could not list its tools.
#[derive(Clone)]
pub struct ToolProviderError(Arc<dyn std::error::Error + Send + Sync>);

impl ToolProviderError {
    /// An error with the given cause or text.
    pub fn new(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(cause.into().into())
    }
}

impl fmt::Display for ToolProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for ToolProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolProviderError({:?})", self.0)
    }
}

impl std::error::Error for ToolProviderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}
