//! Metadata that contradicts itself.
#![allow(unused)]

use vernal_core::tool::tools;

struct Tools;

#[tools]
impl Tools {
    #[tool(read_only, destructive)]
    fn both(&self) {}

    #[tool(max_retries = 3)]
    fn not_idempotent(&self) {}

    #[tool(idempotent = false, max_retries = 3)]
    fn said_not_to_be_idempotent(&self) {}
}

fn main() {}
