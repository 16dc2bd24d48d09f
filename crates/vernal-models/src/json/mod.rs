//! JSON without trees: writing it into one buffer, and reading what servers make of it.

#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod compose;
// Not every adapter meets every kind of value.
#[cfg(feature = "http-client")]
#[cfg_attr(not(feature = "openai"), allow(dead_code))]
pub(crate) mod lenient;
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "openai"))]
mod members;
#[cfg(feature = "http-client")]
mod numbers;
mod read;
mod write;

#[cfg(any(feature = "anthropic", feature = "bedrock"))]
pub(crate) use compose::compose;
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "openai"))]
pub(crate) use members::members;
#[cfg(feature = "http-client")]
pub(crate) use numbers::from_text;
pub(crate) use read::string_of;
#[cfg(feature = "http-client")]
pub(crate) use read::{Seam, json_text_of};
#[cfg(feature = "openai")]
pub(crate) use read::{inside_of, is_filled};
#[cfg(feature = "http-client")]
pub(crate) use write::push_strings;
pub(crate) use write::{JsonObject, push_string};
