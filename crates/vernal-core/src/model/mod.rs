//! Models: what is sent to one, what comes back, and how a stream becomes a message.
//!
//! A [`ChatModel`] takes a [`Prompt`] (messages and [`ChatOptions`]) and gives a [`ChatResponse`], or
//! a stream of [`ModelEvent`]s whose last is that same response. It never runs a tool: calls come
//! back unexecuted.
//!
//! ```
//! use vernal_core::model::{ChatOptions, Prompt, ToolChoice};
//!
//! let options = ChatOptions::builder().model("small").temperature(0.2).build();
//! let prompt = Prompt::new("What is the weather in Jeju?", options);
//! assert_eq!(prompt.messages().len(), 1);
//! assert_eq!(prompt.options().tool_choice(), &ToolChoice::Auto);
//! ```

mod accumulate;
mod capabilities;
mod chat_model;
mod error;
mod event;
mod finding;
mod options;
mod prompt;
mod response;
mod response_format;
mod tool_choice;

pub use accumulate::{ArgumentsDelta, DeltaEffect, ToolCallAccumulator, ToolCallDelta};
pub use capabilities::Capabilities;
pub use chat_model::{ChatModel, ModelFuture, ModelStream};
pub use error::{ModelError, ModelErrorKind};
pub use event::ModelEvent;
pub use finding::{Finding, FindingKind, LossOutcome, SchemaLoss, Severity};
pub use options::{ChatOptions, ChatOptionsBuilder, ToolCallingChatOptions};
pub use prompt::Prompt;
pub use response::{ChatResponse, Generation, ResponseMetadata};
pub use response_format::{InvalidResponseSchema, ResponseFormat, ResponseSchema};
pub use tool_choice::ToolChoice;
