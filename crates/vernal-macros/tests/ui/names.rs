//! Names that cannot be.
#![allow(unused)]

use vernal_core::tool::tools;

struct Tools;

#[tools]
impl Tools {
    #[tool(name = " ")]
    fn blank(&self) {}

    #[tool(name = "two\nlines")]
    fn unprintable(&self) {}

    #[tool(name = "123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456789")]
    fn long(&self) {}

    #[tool]
    fn parameter(&self, #[param(name = "")] town: String) {}
}

fn main() {}
