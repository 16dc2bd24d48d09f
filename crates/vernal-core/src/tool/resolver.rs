use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::{
    DuplicateTool, IntoTools, OptionalTools, ToolCallback, ToolCallbacks, ToolOrigin, ToolSet,
    ToolSource,
};
use crate::Error;

/// Finds tools by name at run time, beyond those of the request.
///
/// Asked only where the fallback is on, for names that the request does not have, and never adds to
/// what the model sees (rules RSV-1, RSV-3): with the fallback on, *every* tool that the resolver knows
/// can be run by a model that says its name. Turn it on only for resolvers you control entirely.
///
/// ```
/// use std::sync::Arc;
/// use vernal_core::tool::{ToolCallback, ToolCallbackResolver};
///
/// struct Nothing;
///
/// impl ToolCallbackResolver for Nothing {
///     fn resolve(&self, tool_name: &str) -> Option<Arc<dyn ToolCallback>> {
///         None
///     }
/// }
/// ```
pub trait ToolCallbackResolver: Send + Sync + 'static {
    /// The tool of exactly this name, if the resolver knows one.
    fn resolve(&self, tool_name: &str) -> Option<Arc<dyn ToolCallback>>;

    /// The tools that are known before anybody asks, for warnings when a manager is built (rule TOOLS-9);
    /// a resolver that finds tools as it is asked knows none.
    fn known_tools(&self) -> Vec<Arc<dyn ToolCallback>> {
        Vec::new()
    }
}

/// A resolver over tools that were given to it (rule RSV-2).
///
/// [`new`](Self::new) leaves providers out; [`with_listed`](Self::with_listed) asks them once. Remote
/// servers are better left out: what they list may change, and may be anything.
#[derive(Default, Clone)]
pub struct StaticToolCallbackResolver(HashMap<Arc<str>, Arc<dyn ToolCallback>>);

impl StaticToolCallbackResolver {
    /// A resolver over these tools.
    ///
    /// # Errors
    /// Two different tools with one name.
    pub fn new(tools: impl IntoTools) -> Result<Self, DuplicateTool> {
        Self::of(ToolCallbacks::from(tools))
    }

    /// A resolver over these tools and what the providers among them list now.
    ///
    /// # Errors
    /// Two different tools with one name, or a provider that cannot list; an optional one is left out.
    pub async fn with_listed(tools: impl IntoTools) -> Result<Self, Error> {
        let mut callbacks = Vec::new();
        let sources = tools.into_tools();
        for source in &sources {
            match source {
                ToolSource::Callback(tool) => callbacks.push(tool.clone()),
                ToolSource::Provider(provider) => {
                    let listed = provider.tool_callbacks().await;
                    callbacks.extend(listed.map_err(|e| Error::provider(provider.name(), e))?);
                }
                ToolSource::OptionalProvider(provider) => {
                    callbacks.extend(OptionalTools::list(&**provider).await.unwrap_or_default());
                }
            }
        }
        Ok(Self::of(callbacks)?)
    }

    fn of(callbacks: Vec<Arc<dyn ToolCallback>>) -> Result<Self, DuplicateTool> {
        let set = ToolSet::new(
            callbacks
                .into_iter()
                .map(|tool| (tool, ToolOrigin::Resolver)),
        )?;
        let named = set
            .iter()
            .map(|tool| (tool.tool_definition().name().clone(), tool.clone()));
        Ok(Self(named.collect()))
    }

    /// The names of the tools, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.0.keys().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }
}

impl fmt::Debug for StaticToolCallbackResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StaticToolCallbackResolver")
            .field(&self.names())
            .finish()
    }
}

impl ToolCallbackResolver for StaticToolCallbackResolver {
    fn resolve(&self, tool_name: &str) -> Option<Arc<dyn ToolCallback>> {
        self.0.get(tool_name).cloned()
    }

    fn known_tools(&self) -> Vec<Arc<dyn ToolCallback>> {
        let named = self.names().into_iter();
        named.filter_map(|name| self.resolve(name)).collect()
    }
}

/// Several resolvers as one: the first that knows a name decides.
impl ToolCallbackResolver for Vec<Arc<dyn ToolCallbackResolver>> {
    fn resolve(&self, tool_name: &str) -> Option<Arc<dyn ToolCallback>> {
        self.iter().find_map(|resolver| resolver.resolve(tool_name))
    }

    fn known_tools(&self) -> Vec<Arc<dyn ToolCallback>> {
        self.iter()
            .flat_map(|resolver| resolver.known_tools())
            .collect()
    }
}
