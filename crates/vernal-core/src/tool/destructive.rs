//! Warning of tools whose doings cannot be undone, where anybody may come to run them (rule TOOLS-9).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::ToolCallback;

/// The tools that were warned of: each name once.
#[derive(Debug, Default)]
pub(crate) struct DestructiveWarnings(Mutex<HashSet<Arc<str>>>);

impl DestructiveWarnings {
    /// Warns of a destructive tool that every request of a client offers.
    pub(crate) fn of_default(&self, tool: &dyn ToolCallback) {
        if self.is_new(tool) {
            let name = &**tool.tool_definition().name();
            tracing::warn!(
                tool = name,
                "a destructive tool is among the client's default tools, so that every request offers \
                 it; hand it over with the requests that need it"
            );
        }
    }

    /// Warns of a destructive tool that a model can run by saying its name.
    pub(crate) fn of_fallback(&self, tool: &dyn ToolCallback) {
        if self.is_new(tool) {
            let name = &**tool.tool_definition().name();
            tracing::warn!(
                tool = name,
                "a destructive tool can be run by resolution fallback, whatever tools a request has; \
                 leave it out of the resolver"
            );
        }
    }

    fn is_new(&self, tool: &dyn ToolCallback) -> bool {
        tool.tool_metadata().destructive() && {
            let mut warned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            warned.insert(tool.tool_definition().name().clone())
        }
    }
}
