//! Model adapters of Vernal, one feature each: what turns a prompt into a provider's bytes and its
//! answer into messages.

#[cfg(feature = "anthropic")]
pub mod anthropic;
#[cfg(feature = "demo")]
pub mod demo;
#[cfg(feature = "http-client")]
mod exchange;
#[cfg(feature = "gemini")]
pub mod gemini;
#[cfg(feature = "http-client")]
pub mod http;
#[cfg(feature = "http-client")]
mod json;
#[cfg(feature = "ollama")]
pub mod ollama;
#[cfg(feature = "openai")]
pub mod openai;
#[cfg(any(feature = "anthropic", feature = "openai", feature = "gemini"))]
mod wire_names;

#[cfg(feature = "http-client")]
pub use exchange::ModelBuilder;
