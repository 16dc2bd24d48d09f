//! What a turn may cost.
//!
//! ```
//! use std::time::Duration;
//! use vernal_core::advisor::{BudgetAdvisor, ModelPrice, OnBudgetExceeded};
//! use vernal_core::client::ChatClient;
//! # use vernal_core::message::Usage;
//! # use vernal_testing::{Reply, ScriptedModel};
//!
//! # futures::executor::block_on(async {
//! # let model = ScriptedModel::new().then_always(
//! #     Reply::call("search", "{}").usage(Usage::new(1_000_000, 0)));
//! let budget = BudgetAdvisor::builder()
//!     .max_model_calls(20)
//!     .max_cost(0.50)
//!     .price("scripted", ModelPrice::per_million_tokens(0.25, 2.0))
//!     .on_exceeded(OnBudgetExceeded::Error)
//!     .build()?;
//!
//! // This model asks for tools without end, and each of its calls costs a quarter.
//! let client = ChatClient::builder(model).default_advisors(budget).build()?;
//! let error = client.prompt("Find it!").call().await.unwrap_err();
//! assert_eq!(error.budget_exceeded().unwrap().spent().model_calls, 2);
//! assert_eq!(error.usage().input_tokens, 2_000_000);
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```

mod advisor;
mod builder;
mod exceeded;
mod last_answer;
mod ledger;
mod price;

pub use advisor::BudgetAdvisor;
pub use builder::{BudgetAdvisorBuilder, InvalidBudget, OnBudgetExceeded};
pub use exceeded::{BudgetExceeded, BudgetLimit};
pub use ledger::{Budget, Spent};
pub use price::ModelPrice;
