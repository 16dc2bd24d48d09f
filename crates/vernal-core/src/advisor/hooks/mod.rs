//! Hooks of the tool loop: what an application does at its well-defined points (rule LOOP-1).
//!
//! [`ToolLoopHooks`] are given to a [`ToolCallingAdvisor`](super::ToolCallingAdvisor), as many as one
//! likes; each hook of the list has its turn, in order. Use an advisor for what happens around a call
//! and is the same everywhere; use hooks for what belongs to the loop: the tools of a round, what the
//! results lead to, what is settled when the turn is over.
//!
//! ```
//! use vernal_core::Error;
//! use vernal_core::advisor::{ChatClientRequest, ChatClientResponse, ToolCallingAdvisor, ToolLoopHooks};
//! use vernal_core::client::ChatClient;
//! use vernal_core::message::ToolOutcome;
//! use vernal_core::message::ToolResponse;
//! # use vernal_core::tool::FunctionToolCallback;
//! # use vernal_testing::ScriptedModel;
//!
//! /// Lets nothing be deleted.
//! struct ReadOnly;
//!
//! impl ToolLoopHooks for ReadOnly {
//!     async fn after_call(
//!         &self,
//!         _request: &ChatClientRequest,
//!         response: &mut ChatClientResponse,
//!     ) -> Result<(), Error> {
//!         let calls = response.chat_response().tool_calls();
//!         let denied: Vec<_> = calls
//!             .filter(|call| call.name.starts_with("delete"))
//!             .map(|call| ToolResponse::error(call, ToolOutcome::NotRun, "Nothing may be deleted."))
//!             .collect();
//!         denied.into_iter().for_each(|answer| response.answer_call(answer));
//!         Ok(())
//!     }
//! }
//!
//! # futures::executor::block_on(async {
//! # let model = ScriptedModel::new().calls("delete_all", "{}").says("I could not.");
//! # let delete_all = FunctionToolCallback::builder("delete_all", || -> () { unreachable!() }).build()?;
//! let client = ChatClient::builder(model)
//!     .tool_calling_advisor(ToolCallingAdvisor::builder().hooks(ReadOnly))
//!     .build()?;
//! let response = client.prompt("Delete it all!").tools(delete_all).call().await?;
//! assert_eq!(response.content(), "I could not.");
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```

mod list;
mod loop_end;
mod open_loop;
mod tool_loop_hooks;

pub(super) use list::HookList;
pub use loop_end::{LoopEnd, LoopOutcome};
pub(super) use open_loop::OpenLoop;
pub use tool_loop_hooks::ToolLoopHooks;
