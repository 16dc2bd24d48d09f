//! Telling the model of what it does not give.
#![allow(unused)]

use vernal_core::tool::{Context, ToolContext, tool};

#[tool]
fn described(
    #[param(description = "The context")] context: &ToolContext,
    #[param(name = "tenant", required = false)] number: Context<u8>,
    #[param(inject, default = 3)] text: Context<String>,
) {
}

fn main() {}
