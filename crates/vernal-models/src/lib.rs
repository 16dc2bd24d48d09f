//! Model adapters of Vernal, one feature each: what turns a prompt into a provider's bytes and its
//! answer into messages.

#[cfg(feature = "anthropic")]
pub mod anthropic;
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
