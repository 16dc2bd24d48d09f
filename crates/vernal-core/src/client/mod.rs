//! The client: a model with defaults, and requests that are built from it.
//!
//! ```
//! use vernal_core::client::ChatClient;
//! use vernal_core::tool::FunctionToolCallback;
//! # use vernal_testing::ScriptedModel;
//!
//! # futures::executor::block_on(async {
//! # let model = ScriptedModel::new().calls("currentTime", "{}").says("It is noon.");
//! let time = FunctionToolCallback::builder("currentTime", || "12:00").build()?;
//!
//! let answer = ChatClient::create(model)
//!     .prompt("What time is it?")
//!     .tools(time)
//!     .call()
//!     .await?
//!     .content();
//! assert_eq!(answer, "It is noon.");
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```

mod aggregator;
mod assemble;
mod builder;
mod chat_client;
mod entity;
mod request_spec;
mod stream;

pub use aggregator::ChatClientMessageAggregator;
pub use builder::ChatClientBuilder;
pub use chat_client::ChatClient;
pub use entity::{EntityRequest, ResponseEntity};
pub use request_spec::ChatClientRequestSpec;
pub use stream::{ChatEventStream, TextStream};
