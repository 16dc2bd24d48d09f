//! An embedded model of rules: a first conversation without a key, a server or a download.
//!
//! [`DemoModel`] is not a language model and says so when it is asked. It knows no tool; what it does
//! is decided from the last user message, from what was called since, and from the names,
//! descriptions and schemas of the tools in the prompt:
//!
//! 1. the words of the message choose tools ([`DemoModel`] calls none where none fits);
//! 2. extractors find numbers, dates, names, addresses and texts in it, and the best fitting finds
//!    become arguments; a call is only made if its arguments satisfy the tool's own schema;
//! 3. where an argument needs what another tool finds, such as the time it is or the id of a customer,
//!    that tool is called first;
//! 4. the results are worded, a sentence each. What is missing is asked for.
//!
//! ```
//! use vernal_core::model::{ChatModel, ChatOptions, Prompt};
//! use vernal_core::tool::{FunctionToolCallback, ToolCallback};
//! use vernal_models::demo::DemoModel;
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Place {
//!     /// The city's name.
//!     city: String,
//! }
//!
//! let tool = FunctionToolCallback::builder("current_weather", |place: Place| async move {
//!     format!("Sunny in {}", place.city)
//! })
//! .description("Get the weather in a city")
//! .build()?;
//! let tool: std::sync::Arc<dyn ToolCallback> = std::sync::Arc::new(tool);
//! let options = ChatOptions::builder().tool_callbacks([tool])?.build();
//!
//! let prompt = Prompt::new("What is the weather in Jeju?", options);
//! let response = futures::executor::block_on(DemoModel::new().call(prompt))?;
//! let call = response.tool_calls().next().unwrap();
//! assert_eq!((&*call.name, call.arguments.as_str()), ("current_weather", r#"{"city":"Jeju"}"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything is deterministic; the only thing asked of the outside is the clock, where no tool tells
//! the time.

// From the model down to words: each file uses those below it.
mod model;
mod more;

mod decide;
mod repair;
mod talk;
mod wish;
mod wording;

mod chain;
mod check;
mod clauses;
mod continued;
mod converted;
mod fitting;
mod goals;
mod harvest;
mod held;
mod pick;
mod provide;
mod refer;
mod refused;
mod related;
mod reports;

mod answer;
mod phrases;

mod asked;
mod choose;
mod said;

mod fill;
mod measure;
mod now;
mod role;
mod role_refine;
mod role_schema;
mod role_words;
mod side;

mod ordered;
mod read;
mod reading;
mod schema;
mod tool;

mod cue;
mod hints;
mod irregular;
mod jamo;
mod lang;
mod lookup;
mod negate;
mod script;
mod stem;
mod synonyms;
mod tokens;
mod words;
mod world;

pub use model::{DemoModel, DemoModelBuilder};
