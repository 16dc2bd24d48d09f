use std::fmt;
use std::sync::Arc;

use super::{ChatClientBuilder, ChatClientRequestSpec};
use crate::advisor::{AdvisorChain, AdvisorSpec, AutomaticLoop};
use crate::model::{ChatModel, ChatOptions, Finding, Prompt};
use crate::tool::{DestructiveWarnings, ToolSource};

/// A model with defaults, ready for any number of requests at the same time.
///
/// Cheap to clone. The tool loop is registered by itself.
#[derive(Clone)]
pub struct ChatClient(pub(super) Arc<Defaults>);

/// What every request of a client starts from.
pub(super) struct Defaults {
    pub(super) model: Arc<dyn ChatModel>,
    pub(super) system: Option<Arc<str>>,
    pub(super) tools: Vec<ToolSource>,
    /// The options, with the default callbacks as their tools and the default context.
    pub(super) options: Arc<ChatOptions>,
    pub(super) advisors: AdvisorSpec,
    pub(super) tool_loop: AutomaticLoop,
    /// The chain of a request that adds no advisors.
    pub(super) chain: AdvisorChain,
    pub(super) warnings: DestructiveWarnings,
}

impl ChatClient {
    /// A client of a model, without defaults.
    pub fn create(model: impl ChatModel) -> Self {
        ChatClientBuilder::new(Arc::new(model)).build_without_defaults()
    }

    /// A builder for a client of a model.
    pub fn builder(model: impl ChatModel) -> ChatClientBuilder {
        ChatClientBuilder::new(Arc::new(model))
    }

    /// A request: a text of the user, a history, or a whole [`Prompt`].
    pub fn prompt(&self, prompt: impl Into<Prompt>) -> ChatClientRequestSpec {
        ChatClientRequestSpec::new(self.clone(), prompt.into())
    }

    /// What the model's adapter knows of a request with the client's defaults before one is sent: what
    /// tools lose on the way, names that are mapped, limits (rule SCH-8). Nothing is sent, and no
    /// provider is asked for its tools:
    /// [`ChatClientRequestSpec::check`](super::ChatClientRequestSpec::check) does that.
    ///
    /// What the model's provider would refuse for certain is an error when the client is built.
    pub fn check(&self) -> Vec<Finding> {
        self.0.model.check(&self.0.options)
    }

    /// The model.
    pub fn model(&self) -> &Arc<dyn ChatModel> {
        &self.0.model
    }
}

impl fmt::Debug for ChatClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatClient")
            .field("model", &self.0.model.name())
            .finish_non_exhaustive()
    }
}
