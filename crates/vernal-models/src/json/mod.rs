//! JSON without trees: writing it into one buffer, and reading what servers make of it.

// Not every adapter meets every kind of value.
#[cfg(feature = "http-client")]
#[cfg_attr(not(feature = "openai"), allow(dead_code))]
pub(crate) mod lenient;
mod read;
mod write;

pub(crate) use read::string_of;
#[cfg(feature = "http-client")]
pub(crate) use write::push_strings;
pub(crate) use write::{JsonObject, push_string};
