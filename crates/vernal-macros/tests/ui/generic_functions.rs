//! Functions that have no one schema.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn generic<T, const N: usize>(&self, values: [T; N]) {}

    #[tool]
    fn any_type(&self, value: impl ToString) {}
}

#[tool]
fn free<T>(value: T) {}

fn main() {
    vernal_core::tool::ToolCallbacks::from((Tools, free)); // adds no error to those above
}
