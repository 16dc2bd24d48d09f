//! Asking a model for more than a tool takes: its reasons, its confidence, anything to record.
//!
//! The fields of a struct are added to the input schema of a tool. The model fills them in, a consumer
//! gets them before the tool runs, and the tool gets its own arguments only (rules AUG-1 to AUG-4).
//!
//! ```
//! use std::sync::{Arc, Mutex};
//! use vernal_core::tool::augment::AugmentedToolCallback;
//! use vernal_core::tool::{FunctionToolCallback, ToolCallback, ToolContext, ToolInput};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct AgentThinking {
//!     /// Your reasoning for calling this tool.
//!     inner_thought: String,
//!     /// Confidence level (low, medium, high).
//!     confidence: Option<String>,
//! }
//!
//! let ping = FunctionToolCallback::builder("ping", || "pong").build()?;
//! let thoughts = Arc::new(Mutex::new(Vec::new()));
//! let seen = thoughts.clone();
//! let tool = AugmentedToolCallback::<AgentThinking>::builder(Arc::new(ping))
//!     .argument_consumer(move |event| seen.lock().unwrap().push(event.into_arguments().inner_thought))
//!     .build()?;
//!
//! # futures::executor::block_on(async {
//! let input = ToolInput::parse(r#"{"inner_thought":"is it there?"}"#)?;
//! let output = tool.call(input, ToolContext::empty()).await.unwrap();
//! assert_eq!(output.text(), "pong");
//! assert_eq!(*thoughts.lock().unwrap(), ["is it there?"]);
//! # Ok::<(), Box<dyn std::error::Error>>(()) })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod callback;
mod event;
mod opened;
mod provider;
mod schema;

pub use callback::{AugmentedToolCallback, AugmentedToolCallbackBuilder};
pub use event::{AugmentedArgumentEvent, Consumed};
pub use provider::{AugmentedToolCallbackProvider, AugmentedToolCallbackProviderBuilder};
pub use schema::{AugmentError, ToolInputSchemaAugmenter};
