//! Keys that there are not, or with values that they do not take.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

struct Tools;

#[tools]
impl Tools {
    #[tool(return_driect, time_out = "5s")]
    fn unknown_keys(&self) {}

    #[tool(name = 1, description = 2, return_direct = "yes", sequential())]
    fn wrong_values(&self) {}

    #[tool = "a description"]
    fn no_key(&self) {}

    #[tool(name)]
    fn syntax(&self, #[param(required =)] city: String) {}

    #[tool]
    fn parameter(&self, #[param(desc = "The city")] city: String) {}
}

#[tool(crates = "vernal_core")]
fn function() {}

fn main() {}
