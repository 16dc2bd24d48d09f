use std::sync::Arc;

/// Whether and what the model must call.
///
/// It binds the loop as well: a call that the choice does not allow is not run, whatever the provider
/// made of it, and the model reads why. A choice that makes the model call a tool holds until such a
/// call has run; from then on the model decides, for it could never answer otherwise (see
/// [`reset_tool_choice`](crate::advisor::ToolCallingAdvisorBuilder::reset_tool_choice)).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// No tool.
    None,
    /// Some tool.
    Required,
    /// The tool of this name.
    Tool(Arc<str>),
    /// Only tools of these names; the others stay on offer, which keeps a provider's cache of them,
    /// where the provider has a word for it. See [`allowed`](Self::allowed) and
    /// [`required_of`](Self::required_of).
    Allowed {
        /// The names, in any order.
        tools: Arc<[Arc<str>]>,
        /// Whether the model must call one of them.
        required: bool,
    },
}

impl ToolChoice {
    /// The model decides among the tools of these names.
    ///
    /// ```
    /// use vernal_core::model::{ChatOptions, ToolChoice};
    ///
    /// let reading = ToolChoice::allowed(["read_file", "list_files"]);
    /// let options = ChatOptions::builder().tool_choice(reading).build();
    /// ```
    pub fn allowed<N: Into<Arc<str>>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::Allowed {
            tools: names.into_iter().map(Into::into).collect(),
            required: false,
        }
    }

    /// The model must call some tool of these names.
    pub fn required_of<N: Into<Arc<str>>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::Allowed {
            tools: names.into_iter().map(Into::into).collect(),
            required: true,
        }
    }

    /// Whether a tool of this name may be called.
    pub fn permits(&self, name: &str) -> bool {
        match self {
            Self::Auto | Self::Required => true,
            Self::None => false,
            Self::Tool(only) => **only == *name,
            Self::Allowed { tools, .. } => tools.iter().any(|tool| **tool == *name),
        }
    }

    /// Whether the model must call a tool.
    pub fn is_forced(&self) -> bool {
        matches!(
            self,
            Self::Required | Self::Tool(_) | Self::Allowed { required: true, .. }
        )
    }

    /// What is left of the choice when the model has called what it must: it decides, among the tools
    /// that were allowed if it was some.
    #[must_use]
    pub fn unforced(&self) -> Self {
        match self {
            Self::Required | Self::Tool(_) => Self::Auto,
            Self::Allowed { tools, .. } => Self::Allowed {
                tools: tools.clone(),
                required: false,
            },
            Self::Auto | Self::None => self.clone(),
        }
    }
}
