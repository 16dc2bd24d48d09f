//! The ready-made advisors, structured output and budgets, for `call` and `stream` alike.
//!
//! | rule | where |
//! |---|---|
//! | ORD-2 (structured output and the ready advisors) | `orders` |
//! | LOOP-4 (what holds for one call) | `structured_changes` |
//! | LOOP-6 (discarded answers), MEM-2 and MEM-3 with corrections | `structured`, `structured_memory` |
//! | LOOP-6 (what was paid for and did not arrive) | `paid` |
//! | EXE-2 (the request's deadline) | `deadline` |
//! | OBS-3, OBS-4 | `logging` |

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod kit;
#[path = "../behaviour/traces.rs"]
#[allow(dead_code)] // other tests ask for more
mod traces;

mod budget;
mod budget_last_answer;
mod budget_settings;
mod deadline;
mod logging;
mod orders;
mod paid;
mod retry;
mod safe_guard;
mod structured;
mod structured_changes;
mod structured_ends;
mod structured_forms;
mod structured_memory;
mod structured_stream;
