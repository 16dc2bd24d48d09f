//! Async functions that say that they block.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

struct Tools;

#[tools]
impl Tools {
    #[tool(blocking)]
    async fn method(&self) {}
}

#[tool(sequential, blocking = true)]
async fn function() {}

fn main() {}
