//! What of a request depends on what its model can do. Nothing is looked up unless it matters.

use vernal_core::message::DialectKey;
use vernal_core::model::{Capabilities, ChatOptions};

use crate::lowering::SchemaDialect;

/// One way of writing tools.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToolForm {
    pub(crate) dialect: SchemaDialect,
    /// The key of a tool list's bytes: everything that changes them is in it.
    pub(crate) key: DialectKey,
}

/// The ways in which an adapter writes tools. A model may be named with each request, so each way has
/// a key of its own.
pub(crate) struct ToolForms {
    pub(crate) plain: ToolForm,
    /// In strict mode, where that was asked for.
    pub(crate) strict: Option<ToolForm>,
}

impl ToolForms {
    /// How the tools are written for a model that `can` tells of: in strict mode where that was asked
    /// for, unless the model is known to have none.
    pub(crate) fn of(&self, can: impl FnOnce() -> Capabilities) -> ToolForm {
        match self.strict {
            Some(strict) if can().strict_schema != Some(false) => strict,
            _ => self.plain,
        }
    }

    /// Whether strict mode was asked for, and the model is known to have none.
    pub(crate) fn lack_strict(&self, can: &Capabilities) -> bool {
        self.strict.is_some() && can.strict_schema == Some(false)
    }
}

/// What is said of parallel calls. A model that is known to make one call at a time refuses the very
/// word, so nothing is said to it.
pub(crate) fn parallel_switch(
    options: &ChatOptions,
    can: impl FnOnce() -> Capabilities,
) -> Option<bool> {
    let wish = options.parallel_tool_calls();
    wish.filter(|_| can().parallel_tool_calls != Some(false))
}
