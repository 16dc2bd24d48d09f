//! The demo model over made-up tools: which it calls, with what, and what it says.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "demo_rules/chains.rs"]
mod chains;
#[path = "demo_rules/desk.rs"]
mod desk;
#[path = "demo_rules/fills.rs"]
mod fills;
#[path = "demo_rules/fuzz.rs"]
mod fuzz;
#[path = "demo_rules/held.rs"]
mod held;
#[path = "demo_rules/spoken.rs"]
mod spoken;
#[path = "demo_rules/talks.rs"]
mod talks;
