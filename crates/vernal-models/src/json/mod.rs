//! JSON without trees: writing it into one buffer, and reading what servers make of it.

#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod compose;
// Not every adapter meets every kind of value.
#[cfg_attr(not(feature = "openai"), allow(dead_code))]
pub(crate) mod lenient;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod members;
#[cfg(feature = "gemini")]
pub(crate) mod open_api;
mod read;
#[cfg(any(feature = "gemini", feature = "ollama"))]
pub(crate) mod schema;
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub(crate) mod strict;
mod write;

#[cfg(any(feature = "anthropic", feature = "bedrock"))]
pub(crate) use compose::compose;
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "openai"))]
pub(crate) use members::members;
pub(crate) use read::string_of;
pub(crate) use write::{JsonObject, push_string, push_strings};
