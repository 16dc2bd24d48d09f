//! The rules about schemas again (SCH-1 to SCH-7).

#![allow(
    dead_code,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "../../../crates/vernal-core/tests/behaviour/schemas/foreign.rs"]
mod foreign;
#[path = "../../../crates/vernal-core/tests/schema_golden/namesakes.rs"]
mod namesakes;
#[path = "../../../crates/vernal-core/tests/behaviour/schemas/rules.rs"]
mod rules;
#[path = "../../../crates/vernal-core/tests/schema_golden/shapes.rs"]
mod shapes;
