//! What `#[tools]` and `#[tool]` write holds in unfriendly surroundings too. What they make of code
//! is tested by the rules, in `behaviour`.
#![cfg(feature = "macros")]
#![allow(missing_docs, unreachable_pub)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

extern crate vernal_core as vernal; // as the facade crate is seen

mod hygiene;
#[path = "../behaviour/made/support.rs"]
#[allow(dead_code, reason = "the tests of the rules need more of it")]
mod support;
