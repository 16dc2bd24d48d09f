//! Numbers that are none.
#![allow(unused)]

use vernal_core::tool::tools;

struct Tools;

#[tools]
impl Tools {
    #[tool(idempotent, max_retries = "3")]
    fn text(&self) {}

    #[tool(max_result_bytes = 1.5)]
    fn fraction(&self) {}

    #[tool(idempotent, max_retries)]
    fn nothing(&self) {}
}

struct Others;

#[tools]
impl Others {
    #[tool(max_result_bytes = -1)]
    fn negative(&self) {}

    #[tool(idempotent, max_retries = RETRIES)]
    fn of_another_type(&self) {}
}

const RETRIES: u64 = 3;

fn main() {}
