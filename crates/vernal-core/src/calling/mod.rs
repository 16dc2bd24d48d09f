//! The loop as data: a turn is fed model responses and tool results, and says what to do next.
//!
//! [`Turn`] is a state machine without I/O that serialises at every step. Planning decides about a
//! whole batch of calls before any of them runs; execution runs what was allowed, concurrently, and
//! answers in the order of the calls. [`ToolCallingManager`] ties them together for a loop of the
//! caller's own; [`ToolCallingAdvisor`](crate::advisor::ToolCallingAdvisor) drives the same turn for
//! a [`ChatClient`](crate::client::ChatClient). Whoever drives it, a [`ToolCallRecorder`] hears what became
//! of each call, for metrics.
//!
//! ```no_run
//! # async fn example(
//! #     model: impl vernal_core::model::ChatModel,
//! #     options: vernal_core::model::ChatOptions,
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//! use vernal_core::calling::ToolCallingManager;
//! use vernal_core::model::Prompt;
//!
//! let manager = ToolCallingManager::builder()
//!     .max_calls_for_tool("search", 10)
//!     .exclude_tool_from_limit("getCurrentWeather")
//!     .build()?;
//!
//! let mut prompt = Prompt::new("What is the weather in Amsterdam and Paris?", options);
//! let mut response = model.call(prompt.clone()).await?;
//! while response.has_tool_calls() {
//!     let result = manager.execute_tool_calls(&prompt, &response).await?;
//!     prompt = prompt.with_messages(result.conversation_history().clone());
//!     response = model.call(prompt.clone()).await?;
//! }
//! println!("{}", response.content());
//! # Ok(()) }
//! ```

mod answers;
mod batch;
mod cap;
mod carry;
mod changes;
mod contained;
mod eligibility;
mod error;
mod error_processor;
mod execute;
mod limits;
mod manager;
mod manager_builder;
mod outcome;
mod plan;
mod recorder;
mod repeats;
mod result;
mod rules;
mod run_tool;
mod settings;
mod span;
mod turn;
mod within;

pub use batch::{Batch, Decision, PlannedCall};
pub(crate) use contained::run as contained;
pub use eligibility::ToolExecutionEligibilityChecker;
pub use error::{ToolCallLimitExceeded, ToolCallingError, ToolExecutionError};
pub use error_processor::{DefaultToolExecutionErrorProcessor, ToolExecutionErrorProcessor};
pub use execute::ExecutionEvent;
pub use limits::{
    InvalidLimit, LimitBreach, RepeatLimits, ToolCallLimitBehavior, ToolCallLimits,
    ToolCallLimitsBuilder,
};
pub use manager::{DEFAULT_MAX_CONCURRENCY, ToolCallingManager};
pub(crate) use manager::{Failure, Surroundings};
pub use manager_builder::ToolCallingManagerBuilder;
pub use recorder::{ToolCallRecord, ToolCallRecorder};
pub use result::ToolExecutionResult;
pub use rules::TurnRules;
pub use turn::{Turn, TurnEnd, TurnStep};
pub(crate) use within::{NotWithin, has_timers};
