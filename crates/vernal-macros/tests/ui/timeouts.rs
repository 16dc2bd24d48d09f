//! Durations that are none.
#![allow(unused)]

use vernal_core::tool::tools;

struct Tools;

#[tools]
impl Tools {
    #[tool(timeout = "5")]
    fn without_unit(&self) {}

    #[tool(timeout = "5 seconds")]
    fn unknown_unit(&self) {}

    #[tool(timeout = "1.5s")]
    fn fraction(&self) {}

    #[tool(timeout = "soon")]
    fn no_number(&self) {}

    #[tool(timeout = "0s")]
    fn no_time(&self) {}

    #[tool(timeout = "9999999999999999h")]
    fn too_long(&self) {}

    #[tool(timeout = 5)]
    fn no_text(&self) {}
}

fn main() {}
