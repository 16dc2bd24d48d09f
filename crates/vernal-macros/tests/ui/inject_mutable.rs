//! Changing what is shared.
#![allow(unused)]

use vernal_core::tool::{CancellationToken, ToolContext, tool};

#[tool]
fn changed(context: &mut ToolContext, token: &mut CancellationToken) {}

fn main() {}
