//! Result converters that are none.
#![allow(unused)]

use vernal_core::tool::{ToolResult, tools};

struct NoConverter;

struct Tools;

#[tools]
impl Tools {
    #[tool(result_converter = NoConverter)]
    fn value(&self) {}

    #[tool(result_converter = |result: ToolResult<'_>| result.to_json())]
    fn function(&self) {}
}

struct Others;

#[tools]
impl Others {
    #[tool(result_converter)]
    fn nothing(&self) {}
}

fn main() {}
