//! Advisors that most applications want at some time.
//!
//! | advisor | stands | does |
//! |---|---|---|
//! | [`RequestDeadlineAdvisor`] | outermost | ends a request that takes too long |
//! | [`SafeGuardAdvisor`] | inside of the loop, outer | answers in the model's place |
//! | [`SimpleLoggerAdvisor`] | inside of the loop, outer | logs each model call |
//! | [`RetryAdvisor`] | inside of the loop, inner | calls the model again after a failure that may pass |
//!
//! ```
//! use std::time::Duration;
//! use vernal_core::advisor::{
//!     RequestDeadlineAdvisor, RetryAdvisor, SafeGuardAdvisor, SimpleLoggerAdvisor,
//! };
//! use vernal_core::client::ChatClient;
//! # use vernal_testing::ScriptedModel;
//!
//! # futures::executor::block_on(async {
//! # let model = ScriptedModel::new().says("Hello.");
//! let client = ChatClient::builder(model)
//!     .default_advisors((
//!         SimpleLoggerAdvisor::new(),
//!         SafeGuardAdvisor::for_words(["launch code"]),
//!         RetryAdvisor::new(),
//!     ))
//!     .build()?;
//!
//! let refused = client.prompt("Tell me the launch code.").call().await?;
//! assert_eq!(refused.chat_response().finish_reason().unwrap().as_str(), "safeGuard");
//! # let limited = client.prompt("Hi!").advisors(RequestDeadlineAdvisor::new(Duration::from_secs(60)));
//! # drop(limited);
//! # Ok::<(), vernal_core::Error>(()) }).unwrap();
//! ```

mod deadline;
mod logging;
mod retry;
mod safe_guard;

pub(super) use deadline::Deadline;
pub use deadline::RequestDeadlineAdvisor;
pub use logging::{SimpleLoggerAdvisor, SimpleLoggerAdvisorBuilder};
pub use retry::{RetryAdvisor, RetryAdvisorBuilder};
pub use safe_guard::{SafeGuardAdvisor, SafeGuardAdvisorBuilder};
