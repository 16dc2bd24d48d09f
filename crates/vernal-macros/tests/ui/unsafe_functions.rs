//! Functions that no model may call.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

struct Tools;

#[tools]
impl Tools {
    #[tool]
    unsafe fn is_unsafe(&self) {}

    #[tool]
    extern "C" fn is_extern(&self) {}
}

#[tool]
unsafe extern "C" fn variadic(mut values: ...) {}

fn main() {}
