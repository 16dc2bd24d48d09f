//! JSON without trees: writing it into one buffer, and reading what servers make of it.

// Not every adapter meets every kind of value.
#[cfg_attr(not(feature = "openai"), allow(dead_code))]
pub(crate) mod lenient;
#[cfg(feature = "gemini")]
pub(crate) mod open_api;
mod read;
#[cfg(any(feature = "gemini", feature = "ollama"))]
pub(crate) mod schema;
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub(crate) mod strict;
mod write;

pub(crate) use read::string_of;
pub(crate) use write::{JsonObject, push_string, push_strings};
