//! The schemas that Rust types give, byte for byte. The rules SCH-1 to SCH-7 are tested in `behaviour`.
//!
//! The expected schemas are in the text files beside this one, a line for each type. After a change
//! that is meant, `VERNAL_UPDATE_GOLDENS=1 cargo test -p vernal-core --test schema_golden` writes them
//! anew.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod golden;
mod namesakes;
mod shapes;
