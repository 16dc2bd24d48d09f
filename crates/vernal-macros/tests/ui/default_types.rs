//! Defaults that are not of their parameter's type.
#![allow(unused)]

use vernal_core::tool::tool;

#[tool]
fn forecast(
    #[param(default = 2.5)] days: u8,
    #[param(default = "many")] hours: u8,
    #[param(default = 3)] city: String,
    #[param(default = "en")] language: Option<String>,
) {
}

fn main() {}
