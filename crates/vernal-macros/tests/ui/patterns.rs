//! Parameters without a name to tell the model.
#![allow(unused)]

use vernal_core::tool::tool;

#[tool]
fn patterns((x, y): (u8, u8), _: String, ref name: String, whole @ _: u8) {}

fn main() {}
