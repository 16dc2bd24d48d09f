//! Attributes and keys that are given twice.
#![allow(unused)]

use vernal_core::tool::tools;

struct Tools;

#[tools]
impl Tools {
    #[tool(name = "a", name = "b")]
    fn one_key(&self) {}

    #[tool]
    #[tool]
    fn attribute(&self, #[param(name = "a")] #[param(description = "b")] city: String) {}
}

fn main() {}
