//! What the loop does, a test for each rule, named by the rule's id.
//!
//! A rule of the loop is a [`scenario`] and what is expected of it, for every [`drivers::Driver`]:
//! `call`, `stream`, and the loops that an application writes itself. Whatever a test is about,
//! each run also checks that the transcript and all prompts are valid, that no tool outlives its
//! turn, and that a stream's text is what a call answers.
//!
//! | ids | where |
//! |---|---|
//! | ORD-1 to ORD-5 | `ord` |
//! | TOOLS-1, TOOLS-2, TOOLS-7, TOOLS-8 (the error) | `tools` |
//! | TOOLS-3, TOOLS-4, TOOLS-6 | `tools_list` |
//! | TOOLS-4 (manual loops), TOOLS-5, TOOLS-8 (optional providers), TOOLS-9 (defaults) | `tools_optional` |
//! | TOOLS-9 (fallback) | `rsv` |
//! | AUTO-1 to AUTO-3, AUTO-5 | `auto`, `auto_config` |
//! | LOOP-1 | `loop_hooks`, `loop_finalizer`, `loop_dropped`; without hooks in `loop_rules`, `exe_dropped` |
//! | LOOP-2, LOOP-3 | `loop_rules` |
//! | LOOP-4 | `loop_changes`, `loop_changes_more` |
//! | LOOP-6 | `loop_usage` |
//! | LOOP-7, LOOP-9, LOOP-10 (the default), LOOP-11 | `loop_ends`; names that look like a tool's in `rsv` |
//! | LOOP-8 | `loop_repeats` |
//! | STR-1 | `str_rules`, `str_text`, `progress`, and every scenario that is streamed |
//! | STR-4, STR-6 | `str_rules` |
//! | STR-2, STR-3, STR-5 | `str_live` |
//! | LIM-1, LIM-2, LIM-10 | `lim` |
//! | LIM-3 to LIM-6 | `lim_counts`, `lim_settings`, `any_batch` |
//! | LIM-7 to LIM-9 | `lim_ends` |
//! | RD-1, RD-2 | `rd` |
//! | RD-3 | `aug` |
//! | ERR-1 to ERR-3, ERR-9 | `err` |
//! | ERR-4 to ERR-8 | `err_kinds`, `err_metrics`; of typed arguments in `arg_typed`, of drops in `exe_runtime` |
//! | ARG-1 to ARG-3 | `arg` |
//! | ARG-4, ARG-5 | `arg_values`, `arg_typed` |
//! | DEF-1 to DEF-7 | `made`; DEF-3 also in `exe_blocking` |
//! | SCH-1 to SCH-8 | `schemas`; of parameters in `made` |
//! | RES-1 to RES-4 | `res`; of every way to make a tool in `made` |
//! | CTX-1, CTX-2, CTX-4 | `ctx`, `progress` |
//! | CTX-3 | `ctx_secret` |
//! | EXE-1 | `exe`, `exe_dropped` |
//! | EXE-2, EXE-5 | `exe_time`; without a runtime in `exe_runtime` |
//! | EXE-3, EXE-4 | `exe_blocking` |
//! | RSV-1 to RSV-3 | `rsv`; registered tools in `made` |
//! | AUG-1 to AUG-4 | `aug`, `aug_branches`, `aug_defs`, `aug_provider` |
//! | the place of a gate | `approval` |
//! | the pieces of a streamed loop of one's own | `aggregator` |
//! | what a request remembers | `state` |
//!
//! `every_rule` sees to it that no rule of tools is without a test.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[cfg(feature = "macros")]
extern crate vernal_core as vernal; // as the facade crate is seen

mod change_kit;
mod closures;
mod drivers;
mod hook_kit;
mod kit;
mod live;
mod outcome;
mod probes;
mod scenario;
mod traces;
mod transcript;

// The types whose schemas are kept byte for byte in `schema_golden`.
#[path = "../schema_golden/namesakes.rs"]
#[allow(dead_code)]
mod namesakes;
#[path = "../schema_golden/shapes.rs"]
#[allow(dead_code)]
mod shapes;

mod aggregator;
mod any_batch;
mod approval;
mod arg;
mod arg_typed;
mod arg_values;
mod aug;
mod aug_branches;
mod aug_defs;
mod aug_provider;
mod auto;
mod auto_config;
mod choice;
mod ctx;
mod ctx_secret;
mod err;
mod err_kinds;
mod err_metrics;
mod every_rule;
mod exe;
mod exe_blocking;
mod exe_dropped;
mod exe_runtime;
mod exe_time;
mod lim;
mod lim_counts;
mod lim_ends;
mod lim_settings;
mod loop_changes;
mod loop_changes_more;
mod loop_dropped;
mod loop_ends;
mod loop_finalizer;
mod loop_hooks;
mod loop_repeats;
mod loop_rules;
mod loop_usage;
#[cfg(feature = "macros")]
mod made;
mod ord;
mod progress;
mod rd;
mod res;
mod rsv;
mod schemas;
mod state;
mod str_live;
mod str_rules;
mod str_text;
mod tools;
mod tools_list;
mod tools_optional;
