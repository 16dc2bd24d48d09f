//! Parameters that are there under a condition only.
#![allow(unused)]

use vernal_core::tool::tool;

#[tool]
fn conditional(#[cfg(unix)] path: String) {}

fn main() {}
