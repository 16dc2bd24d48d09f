//! `crate` that names no crate.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

struct Tools;

#[tools(crate = "not a path")]
impl Tools {
    #[tool]
    fn method(&self) {}
}

#[tool(crate = vernal_core)]
fn no_text() {}

#[tool(crate = "::no_such_crate")]
fn unknown() {}

fn main() {}
