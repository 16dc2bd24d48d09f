//! What applications on Vernal are tested with.
//!
//! [`ScriptedModel`] answers from a script and records what it was asked. With the feature `fakes`,
//! the servers in `fake` do so on the wire: for tests of everything but the model itself.
//!
//! ```
//! use vernal_core::model::{ChatModel, Prompt};
//! use vernal_testing::ScriptedModel;
//!
//! # futures::executor::block_on(async {
//! let model = ScriptedModel::new().calls("getWeather", r#"{"city":"Jeju"}"#).says("Sunny.");
//! let first = model.call(Prompt::from("Weather?")).await.unwrap();
//! assert!(first.has_tool_calls());
//! let second = model.call(Prompt::from("And now?")).await.unwrap();
//! assert_eq!(second.content(), "Sunny.");
//! assert_eq!(model.prompts().len(), 2);
//! # });
//! ```

#[cfg(feature = "fakes")]
pub mod fake;
mod memory_conformance;
mod reply;
mod scripted;

pub use memory_conformance::{
    MemoryConformanceOptions, memory_conformance, memory_conformance_with,
};
pub use reply::Reply;
pub use scripted::ScriptedModel;
