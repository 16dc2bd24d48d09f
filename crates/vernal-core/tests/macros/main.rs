//! What `#[tools]` and `#[tool]` make of code.
#![cfg(feature = "macros")]
#![allow(missing_docs, unreachable_pub)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

extern crate vernal_core as vernal; // as the facade crate is seen

mod built_functions;
mod built_methods;
mod calls;
mod converters;
mod defaults;
mod definitions;
mod functions;
mod hygiene;
mod injection;
mod metadata;
mod objects;
#[cfg(feature = "registry")]
mod registry;
mod results;
mod support;
