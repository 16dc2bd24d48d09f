//! Attributes where they do not belong.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

#[tools]
struct Tools;

#[tools]
fn function() {}

struct Without;

#[tools]
impl Without {
    fn not_marked(&self) {}
}

impl Without {
    #[tool]
    fn outside(&self) {}
}

#[tools]
impl Iterator for Without {
    type Item = u8;

    #[tool]
    fn next(&mut self) -> Option<u8> {
        None
    }
}

#[tool]
const CONSTANT: u8 = 0;

fn main() {}
