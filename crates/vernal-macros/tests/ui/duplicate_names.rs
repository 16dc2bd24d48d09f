//! Two tools or two parameters of one name (rule DEF-6).
#![allow(unused)]

use vernal_core::tool::tools;

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn search(&self) {}

    #[tool(name = "search")]
    fn search_everywhere(&self) {}

    #[tool]
    fn parameters(&self, city: String, #[param(name = "city")] town: String) {}
}

fn main() {}
