use std::sync::Arc;

use super::{IntoTools, ToolCallback, ToolCallbackProvider, ToolProviderError, ToolSource};

/// Tools that a request can do without: a provider among them that cannot list its tools does not fail
/// the request (rule TOOLS-8).
///
/// Its tools are then absent, a warning is logged, and a stream begins with
/// [`ToolProviderUnavailable`](crate::advisor::ChatEvent::ToolProviderUnavailable). Single tools are as they
/// are without this.
///
/// ```
/// # use vernal_core::client::ChatClient;
/// # use vernal_core::model::ChatModel;
/// # use vernal_core::tool::ToolCallbackProvider;
/// use vernal_core::tool::OptionalTools;
///
/// # fn example(model: impl ChatModel, weather_server: impl ToolCallbackProvider) -> Result<(), vernal_core::Error> {
/// let client = ChatClient::builder(model).default_tools(OptionalTools(weather_server)).build()?;
/// # let _ = client;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct OptionalTools<T>(pub T);

impl<T: IntoTools> IntoTools for OptionalTools<T> {
    fn collect_tools(self, into: &mut Vec<ToolSource>) {
        into.extend(self.0.into_tools().into_iter().map(|source| match source {
            ToolSource::Provider(provider) => ToolSource::OptionalProvider(provider),
            other => other,
        }));
    }
}

impl OptionalTools<()> {
    /// What an optional provider lists; a failure is logged.
    pub(crate) async fn list(
        provider: &dyn ToolCallbackProvider,
    ) -> Result<Vec<Arc<dyn ToolCallback>>, ToolProviderError> {
        provider.tool_callbacks().await.inspect_err(|error| {
            tracing::warn!(
                provider = provider.name(),
                %error,
                "an optional tool provider could not list its tools; they are left out"
            );
        })
    }
}
