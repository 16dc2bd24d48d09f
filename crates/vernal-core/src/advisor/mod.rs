//! Advisors: what happens around a model call, in an order that is the only dial.
//!
//! An [`Advisor`] gets the request and the rest of the chain, which it may run any number of times.
//! Lower orders are outer: first on the request, last on the response (rule ORD-1). The tool loop is
//! an advisor itself, [`ToolCallingAdvisor`]; what has a lower order runs once per turn, what has a
//! higher one runs in every round, and what it changes in a round holds for the later ones too (rule
//! LOOP-4). The model call is no advisor, so nothing can fall behind it.
//!
//! ```
//! use vernal_core::advisor::{BaseAdvisor, ChatClientRequest};
//! use vernal_core::message::Message;
//! use vernal_core::Error;
//!
//! /// Tells the model the house rules, once in a turn.
//! struct HouseRules;
//!
//! impl BaseAdvisor for HouseRules {
//!     fn name(&self) -> &str {
//!         "house-rules"
//!     }
//!     async fn before(&self, mut request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
//!         if request.round() == 1 {
//!             request.prompt_mut().messages_mut().push(Message::system("Be kind."));
//!         }
//!         Ok(request)
//!     }
//! }
//! # let _: std::sync::Arc<dyn vernal_core::advisor::Advisor> = std::sync::Arc::new(HouseRules);
//! ```

mod around;
mod base;
mod budget;
mod chain;
mod emitter;
mod event;
mod hooks;
mod memory;
mod own_changes;
mod paid;
mod params;
mod ready;
mod request;
mod response;
mod state;
mod structured;
mod system_text;
mod tool_calling;

pub use around::{Advisor, CallFuture, EventStream, ToolAdvisor, order};
pub use base::BaseAdvisor;
pub use budget::{
    Budget, BudgetAdvisor, BudgetAdvisorBuilder, BudgetExceeded, BudgetLimit, InvalidBudget,
    ModelPrice, OnBudgetExceeded, Spent,
};
pub use chain::AdvisorChain;
pub(crate) use chain::{AutomaticLoop, events_of_model};
pub use event::{ChatEvent, RoundKind};
pub use hooks::{LoopEnd, LoopOutcome, ToolLoopHooks};
pub(crate) use memory::MemoryFailure;
pub use memory::{
    MemoryAdvisor, MessageChatMemoryAdvisor, MessageChatMemoryAdvisorBuilder, OnUnavailable,
};
pub(crate) use paid::Progress;
pub use params::{AdvisorParams, AdvisorSpec, IntoAdvisors};
pub use ready::{
    RequestDeadlineAdvisor, RetryAdvisor, RetryAdvisorBuilder, SafeGuardAdvisor,
    SafeGuardAdvisorBuilder, SimpleLoggerAdvisor, SimpleLoggerAdvisorBuilder,
};
pub use request::ChatClientRequest;
pub use response::ChatClientResponse;
pub use state::RequestState;
pub(crate) use state::StateValues;
pub use structured::{
    InvalidAnswer, StructuredOutputMode, StructuredOutputValidationAdvisor,
    StructuredOutputValidationAdvisorBuilder,
};
pub use tool_calling::{IntoToolAdvisor, ToolCallingAdvisor, ToolCallingAdvisorBuilder};
