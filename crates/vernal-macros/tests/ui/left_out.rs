//! An optional parameter without a value for when it is left out.
#![allow(unused)]

use vernal_core::tool::tool;

#[tool]
fn forecast(#[param(required = false)] days: u8) {}

fn main() {}
