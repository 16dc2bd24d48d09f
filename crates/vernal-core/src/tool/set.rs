use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::{ToolCallback, ToolDefinition};
use crate::message::EncodedOnce;

/// Where a tool of a request came from. As text it is those tools: `the request's tools`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolOrigin {
    /// The client's default tools.
    Defaults,
    /// The tools of the request.
    Request,
    /// The tools in the request's [`ChatOptions`](crate::model::ChatOptions).
    Options,
    /// A provider, by name.
    Provider(Arc<str>),
    /// The application's resolver.
    Resolver,
}

impl fmt::Display for ToolOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Defaults => f.write_str("the client's default tools"),
            Self::Request => f.write_str("the request's tools"),
            Self::Options => f.write_str("the tools in the chat options"),
            Self::Provider(name) => write!(f, "the tools of the provider `{name}`"),
            Self::Resolver => f.write_str("the resolver's tools"),
        }
    }
}

/// The tools of a request, in order, each name once.
///
/// They bound what can run: a name outside the set runs nothing (design rule 3). A copy is one
/// reference count, and the set's wire form is written once however many requests share it.
#[derive(Clone, Default)]
pub struct ToolSet(Option<Arc<Inner>>);

struct Inner {
    tools: Vec<(Arc<dyn ToolCallback>, ToolOrigin)>,
    by_name: HashMap<Arc<str>, usize>,
    encoded: EncodedOnce,
}

impl ToolSet {
    /// A set without tools.
    pub fn empty() -> Self {
        Self::default()
    }

    /// A set of the given tools. The same tool (the same `Arc`) given twice counts once.
    ///
    /// # Errors
    /// Two different tools with one name (rule TOOLS-4).
    pub fn new(
        tools: impl IntoIterator<Item = (Arc<dyn ToolCallback>, ToolOrigin)>,
    ) -> Result<Self, DuplicateTool> {
        let tools = tools.into_iter();
        let mut inner = Inner {
            tools: Vec::with_capacity(tools.size_hint().0),
            by_name: HashMap::with_capacity(tools.size_hint().0),
            encoded: EncodedOnce::default(),
        };
        for (tool, origin) in tools {
            inner.add(tool, origin)?;
        }
        Ok(if inner.tools.is_empty() {
            Self(None)
        } else {
            Self(Some(Arc::new(inner)))
        })
    }

    /// A set of callbacks that were put into chat options.
    ///
    /// # Errors
    /// Two different tools with one name (rule TOOLS-4).
    pub fn of_callbacks(
        callbacks: impl IntoIterator<Item = Arc<dyn ToolCallback>>,
    ) -> Result<Self, DuplicateTool> {
        Self::new(
            callbacks
                .into_iter()
                .map(|tool| (tool, ToolOrigin::Options)),
        )
    }

    /// The tool of exactly this name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn ToolCallback>> {
        let inner = self.0.as_deref()?;
        inner
            .tools
            .get(*inner.by_name.get(name)?)
            .map(|(tool, _)| tool)
    }

    /// The tools, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn ToolCallback>> {
        self.entries().map(|(tool, _)| tool)
    }

    /// The tools with their origins, in order.
    pub fn entries(&self) -> impl Iterator<Item = &(Arc<dyn ToolCallback>, ToolOrigin)> {
        self.0.iter().flat_map(|inner| &inner.tools)
    }

    /// What the model sees of the tools, in order.
    pub fn definitions(&self) -> impl Iterator<Item = &ToolDefinition> {
        self.iter().map(|tool| tool.tool_definition())
    }

    /// Those of the tools whose names `keep` says yes to, in the same order.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self
            .entries()
            .filter(|(tool, _)| keep(tool.tool_definition().name()));
        // Names that are distinct among all are distinct among some.
        Self::new(kept.cloned()).unwrap_or_default()
    }

    /// The number of tools.
    pub fn len(&self) -> usize {
        self.0.as_deref().map_or(0, |inner| inner.tools.len())
    }

    /// Whether there is no tool.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The place where adapters keep the wire form of the set; `None` for the empty set.
    pub fn encoded(&self) -> Option<&EncodedOnce> {
        self.0.as_deref().map(|inner| &inner.encoded)
    }
}

impl Inner {
    fn add(
        &mut self,
        tool: Arc<dyn ToolCallback>,
        origin: ToolOrigin,
    ) -> Result<(), DuplicateTool> {
        let name = tool.tool_definition().name().clone();
        if let Some((first, first_origin)) =
            self.by_name.get(&name).and_then(|at| self.tools.get(*at))
        {
            if Arc::ptr_eq(first, &tool) {
                return Ok(());
            }
            return Err(DuplicateTool {
                name,
                first: first_origin.clone(),
                second: origin,
            });
        }
        self.by_name.insert(name, self.tools.len());
        self.tools.push((tool, origin));
        Ok(())
    }
}

impl fmt::Debug for ToolSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.definitions().map(ToolDefinition::name))
            .finish()
    }
}

/// Two different tools with one name (rule TOOLS-4).
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}; rename one of them or leave one out", self.clash())]
#[non_exhaustive]
pub struct DuplicateTool {
    /// The name that both have.
    pub name: Arc<str>,
    /// Where the first came from.
    pub first: ToolOrigin,
    /// Where the second came from.
    pub second: ToolOrigin,
}

impl DuplicateTool {
    fn clash(&self) -> String {
        let Self {
            name,
            first,
            second,
        } = self;
        match first == second {
            true => format!("two of {first} are called `{name}`"),
            false => format!("two tools are called `{name}`, one of {first} and one of {second}"),
        }
    }
}
