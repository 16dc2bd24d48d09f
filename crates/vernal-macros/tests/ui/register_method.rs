//! `register` in the wrong place.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

#[derive(Default)]
struct Tools;

#[tools]
impl Tools {
    #[tool(register)]
    fn method(&self) {}
}

#[tool(register = function)]
fn function() {}

fn main() {}
