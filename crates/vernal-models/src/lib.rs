//! Model adapters of Vernal, one feature each: what turns a prompt into a provider's bytes and its
//! answer into messages.
//!
//! Each adapter is a [`ChatModel`](vernal_core::model::ChatModel); the `demo` model needs neither key nor
//! server:
//!
//! ```no_run
//! # #[cfg(feature = "openai")]
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use vernal_core::model::{ChatModel, Prompt};
//! use vernal_models::openai::OpenAiChatModel;
//!
//! let model = OpenAiChatModel::builder()
//!     .base_url("http://127.0.0.1:8080/v1") // any server that speaks Chat Completions
//!     .model("small")
//!     .build()?;
//! let response = model.call(Prompt::from("What is the capital of Norway?")).await?;
//! println!("{}", response.content());
//! # Ok(()) }
//! ```

#[cfg(feature = "anthropic")]
pub mod anthropic;
#[cfg(feature = "bedrock")]
pub mod bedrock;
mod by_name;
#[cfg(feature = "http-client")]
pub mod capabilities;
#[cfg(feature = "demo")]
pub mod demo;
#[cfg(feature = "http-client")]
mod exchange;
#[cfg(feature = "gemini")]
pub mod gemini;
#[cfg(feature = "http-client")]
pub mod http;
mod json;
pub mod lowering;
#[cfg(feature = "ollama")]
pub mod ollama;
#[cfg(feature = "openai")]
pub mod openai;
#[cfg(feature = "http-client")]
mod wire_names;

pub use by_name::{model, model_from, provider_names};
#[cfg(feature = "http-client")]
pub use exchange::ModelBuilder;
