//! What memory does, a test for each rule, named by the rule's id, over call and stream.
//!
//! | ids | where |
//! |---|---|
//! | MEM-1, MEM-5 | `asking` |
//! | MEM-2 | `outside` |
//! | MEM-3 | `inside`, `own_loop` |
//! | MEM-4, MEM-7 (whole turns) | `whole_turns` |
//! | MEM-6 | `windows`, `summaries` |
//! | MEM-8 | `unavailable` |
//! | AUTO-4, AUTO-6, LOOP-5 | `placement` |
//! | LOOP-4 | `changes` |

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod kit;
mod store;

mod asking;
mod changes;
mod inside;
mod outside;
mod own_loop;
mod placement;
mod summaries;
mod unavailable;
mod whole_turns;
mod windows;
