use std::sync::Arc;

use futures::future::BoxFuture;

use super::event::{Consumed, Consumer};
use super::{AugmentError, AugmentedArgumentEvent, AugmentedToolCallback};
use crate::tool::{
    IntoTools, OptionalTools, ToolCallback, ToolCallbackProvider, ToolError, ToolParameters,
    ToolProviderError, ToolSource,
};

/// Everything that was handed over as tools, each with the fields of `T` besides its own.
///
/// Providers stay what they are: they are asked for each request, and what they list is augmented. An
/// optional one that cannot list is logged; mark the whole as optional to see it in a stream too.
pub struct AugmentedToolCallbackProvider<T> {
    sources: Vec<Source>,
    consumer: Consumer<T>,
    remove_extra: bool,
}

enum Source {
    Augmented(Arc<dyn ToolCallback>),
    Provider(Arc<dyn ToolCallbackProvider>),
    Optional(Arc<dyn ToolCallbackProvider>),
}

impl<T: ToolParameters> AugmentedToolCallbackProvider<T> {
    /// A builder without tools.
    pub fn builder() -> AugmentedToolCallbackProviderBuilder<T> {
        AugmentedToolCallbackProviderBuilder {
            sources: Vec::new(),
            consumer: Consumer::none(),
            remove_extra: true,
        }
    }

    /// The tools that a provider lists, augmented; what fails is said with the provider's name.
    async fn listed(
        &self,
        provider: &dyn ToolCallbackProvider,
    ) -> Result<Vec<Arc<dyn ToolCallback>>, ToolProviderError> {
        let named = |problem: String| {
            ToolProviderError::new(format!("the provider `{}`: {problem}", provider.name()))
        };
        let tools = provider
            .tool_callbacks()
            .await
            .map_err(|error| named(error.to_string()))?;
        let augmented = tools.into_iter().map(|tool| self.augmented(tool));
        augmented
            .collect::<Result<_, _>>()
            .map_err(|error| named(error.to_string()))
    }

    fn augmented(
        &self,
        tool: Arc<dyn ToolCallback>,
    ) -> Result<Arc<dyn ToolCallback>, AugmentError> {
        let consumer = self.consumer.clone();
        Ok(Arc::new(AugmentedToolCallback::new(
            tool,
            consumer,
            self.remove_extra,
        )?))
    }
}

impl<T: ToolParameters> ToolCallbackProvider for AugmentedToolCallbackProvider<T> {
    fn name(&self) -> &str {
        "augmented tools"
    }

    fn tool_callbacks(
        &self,
    ) -> BoxFuture<'_, Result<Vec<Arc<dyn ToolCallback>>, ToolProviderError>> {
        Box::pin(async move {
            let mut tools = Vec::new();
            for source in &self.sources {
                match source {
                    Source::Augmented(tool) => tools.push(tool.clone()),
                    Source::Provider(provider) => tools.extend(self.listed(&**provider).await?),
                    Source::Optional(provider) => {
                        let listed = OptionalTools::list(&**provider).await.unwrap_or_default();
                        for tool in listed {
                            tools.push(self.augmented(tool).map_err(ToolProviderError::new)?);
                        }
                    }
                }
            }
            Ok(tools)
        })
    }
}

/// Builds an [`AugmentedToolCallbackProvider`].
#[must_use]
pub struct AugmentedToolCallbackProviderBuilder<T> {
    sources: Vec<ToolSource>,
    consumer: Consumer<T>,
    remove_extra: bool,
}

impl<T: ToolParameters> AugmentedToolCallbackProviderBuilder<T> {
    /// Adds the tools of an object, single tools, or providers, as for a client.
    pub fn tools(mut self, tools: impl IntoTools) -> Self {
        tools.collect_tools(&mut self.sources);
        self
    }

    /// What gets the added fields, before a tool runs. It may return nothing, or a `Result` whose error is
    /// the tool's.
    pub fn argument_consumer<R: Consumed>(
        mut self,
        consume: impl Fn(AugmentedArgumentEvent<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.consumer = Consumer::of_sync(consume);
        self
    }

    /// What gets the added fields, before a tool runs; its error is the tool's.
    pub fn async_argument_consumer<F>(
        mut self,
        consume: impl Fn(AugmentedArgumentEvent<T>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), ToolError>> + Send + 'static,
    {
        self.consumer = Consumer::of_async(consume);
        self
    }

    /// Whether tools get their own arguments only; by default they do (rule AUG-3).
    pub fn remove_extra_arguments_after_processing(mut self, remove: bool) -> Self {
        self.remove_extra = remove;
        self
    }

    /// The provider.
    ///
    /// # Errors
    /// `T` has no fields, or one of them clashes with an argument of a tool that is known already (rule
    /// AUG-4); a clash in what a provider lists is an error of the listing.
    pub fn build(self) -> Result<AugmentedToolCallbackProvider<T>, AugmentError> {
        let Self {
            sources,
            consumer,
            remove_extra,
        } = self;
        let mut provider = AugmentedToolCallbackProvider {
            sources: Vec::new(),
            consumer,
            remove_extra,
        };
        for source in sources {
            let source = match source {
                ToolSource::Callback(tool) => Source::Augmented(provider.augmented(tool)?),
                ToolSource::Provider(inner) => Source::Provider(inner),
                ToolSource::OptionalProvider(inner) => Source::Optional(inner),
            };
            provider.sources.push(source);
        }
        Ok(provider)
    }
}
