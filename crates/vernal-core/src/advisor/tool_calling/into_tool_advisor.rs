use std::sync::Arc;

use super::ToolCallingAdvisorBuilder;
use crate::Error;
use crate::advisor::ToolAdvisor;

/// What a client's [`tool_calling_advisor`](crate::client::ChatClientBuilder::tool_calling_advisor)
/// accepts: a [`ToolCallingAdvisorBuilder`], or a [`ToolAdvisor`] of one's own, also one that is shared.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool advisor",
    note = "implement `ToolAdvisor` for the type, or hand over `ToolCallingAdvisor::builder()`"
)]
pub trait IntoToolAdvisor {
    /// The advisor.
    ///
    /// # Errors
    /// It cannot be built.
    fn into_tool_advisor(self) -> Result<Arc<dyn ToolAdvisor>, Error>;
}

impl IntoToolAdvisor for ToolCallingAdvisorBuilder {
    fn into_tool_advisor(self) -> Result<Arc<dyn ToolAdvisor>, Error> {
        self.build()?.into_tool_advisor()
    }
}

impl<A: ToolAdvisor> IntoToolAdvisor for A {
    fn into_tool_advisor(self) -> Result<Arc<dyn ToolAdvisor>, Error> {
        Arc::new(self).into_tool_advisor()
    }
}

impl<A: ToolAdvisor> IntoToolAdvisor for Arc<A> {
    fn into_tool_advisor(self) -> Result<Arc<dyn ToolAdvisor>, Error> {
        let advisor: Arc<dyn ToolAdvisor> = self;
        advisor.into_tool_advisor()
    }
}

impl IntoToolAdvisor for Arc<dyn ToolAdvisor> {
    fn into_tool_advisor(self) -> Result<Arc<dyn ToolAdvisor>, Error> {
        if self.as_tool_advisor().is_some() {
            return Ok(self);
        }
        Err(Error::setup(format!(
            "`{}` is to run the tools, but its `as_tool_advisor()` says that it does not; return \
             `Some(self)` there",
            self.name()
        )))
    }
}
