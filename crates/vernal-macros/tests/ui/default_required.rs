//! A default that is never taken.
#![allow(unused)]

use vernal_core::tool::tool;

#[tool]
fn forecast(#[param(required, default = 3)] days: u8, #[param(default =)] hours: u8) {}

fn main() {}
