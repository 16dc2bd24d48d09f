use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::{CancellationToken, ProgressSender, ToolContext, ToolError};
use crate::message::History;

/// What a tool's function may take beside the model's arguments: it comes from the [`ToolContext`], and
/// the model knows nothing of it (rule SCH-4).
///
/// Implemented for [`ToolContext`] itself, [`Context<T>`](Context) and `Option<Context<T>>`,
/// [`CancellationToken`], [`ProgressSender`] and [`History`]. An application adds its own; in `#[tools]`
/// and `#[tool]` such a parameter is marked with `#[param(inject)]`.
///
/// ```
/// use vernal_core::tool::{FromToolContext, ToolContext, ToolError, tool};
///
/// struct Tenant(String);
///
/// impl FromToolContext for Tenant {
///     fn from_tool_context(context: &ToolContext) -> Result<Self, ToolError> {
///         let id = context.get_str("tenant_id").ok_or_else(|| ToolError::fatal("no `tenant_id`"))?;
///         Ok(Self(id.to_owned()))
///     }
/// }
///
/// /// Retrieve customer information.
/// #[tool]
/// fn customer(id: u64, #[param(inject)] tenant: Tenant) -> String {
///     format!("customer {id} of {}", tenant.0)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be injected into a tool",
    label = "nothing says how this comes from the `ToolContext`",
    note = "implement `FromToolContext` for it, or take `Context<{Self}>`, which is what the application \
            put into the context with `ToolContext::with`",
    note = "a parameter that the model gives has no `#[param(inject)]`; where only its type's name says \
            that it is injected, write `#[param(inject = false)]`"
)]
pub trait FromToolContext: Sized {
    /// The value for one call.
    ///
    /// # Errors
    /// The context does not have what is needed. That is the application's mistake and not the model's,
    /// so the error is best a [fatal](ToolError::fatal) one.
    fn from_tool_context(context: &ToolContext) -> Result<Self, ToolError>;
}

/// The value of type `T` that the application put into the context (rule CTX-2); it derefs to `T`.
///
/// A call whose context has none fails with a fatal error: the tool cannot run for anyone, and a model
/// cannot help it. Take `Option<Context<T>>` where the tool can do without.
///
/// ```
/// use vernal_core::tool::{Context, FunctionToolCallback, ToolCallback, ToolContext, ToolInput};
///
/// struct Tenant { id: &'static str }
///
/// let tool = FunctionToolCallback::builder("whoAmI", |tenant: Context<Tenant>| tenant.id).build()?;
///
/// # futures::executor::block_on(async {
/// let input = || ToolInput::parse("{}").unwrap();
/// let context = ToolContext::empty().with(Tenant { id: "acme" });
/// assert_eq!(tool.call(input(), context).await.unwrap().text(), "acme");
///
/// let error = tool.call(input(), ToolContext::empty()).await.unwrap_err();
/// assert!(error.is_fatal() && error.to_string().contains("Tenant"));
/// # });
/// # Ok::<(), vernal_core::tool::ToolDefinitionError>(())
/// ```
pub struct Context<T>(Arc<T>);

impl<T> Context<T> {
    /// The value, to be kept beyond the call.
    pub fn into_inner(self) -> Arc<T> {
        self.0
    }
}

impl<T> Deref for Context<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for Context<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Shows the type and not the value: what is in a context stays out of logs (rule CTX-3).
impl<T> fmt::Debug for Context<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Context<{}>", std::any::type_name::<T>())
    }
}

impl<T: Send + Sync + 'static> FromToolContext for Context<T> {
    fn from_tool_context(context: &ToolContext) -> Result<Self, ToolError> {
        context.get_shared().map(Self).ok_or_else(|| {
            let name = std::any::type_name::<T>();
            ToolError::fatal(format!(
                "the tool context has no `{name}`, which the tool takes: give \
                 `ToolContext::empty().with(…)` to `.tool_context(…)` of the request or to \
                 `.default_tool_context(…)` of the client"
            ))
        })
    }
}

impl<T: Send + Sync + 'static> FromToolContext for Option<Context<T>> {
    fn from_tool_context(context: &ToolContext) -> Result<Self, ToolError> {
        Ok(context.get_shared().map(Context))
    }
}

impl FromToolContext for ToolContext {
    fn from_tool_context(context: &ToolContext) -> Result<Self, ToolError> {
        Ok(context.clone())
    }
}

impl FromToolContext for CancellationToken {
    fn from_tool_context(context: &ToolContext) -> Result<Self, ToolError> {
        Ok(context.cancellation())
    }
}

impl FromToolContext for ProgressSender {
    fn from_tool_context(context: &ToolContext) -> Result<Self, ToolError> {
        Ok(context.progress())
    }
}

impl FromToolContext for History {
    fn from_tool_context(context: &ToolContext) -> Result<Self, ToolError> {
        Ok(context.history())
    }
}
