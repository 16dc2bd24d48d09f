//! `default` where the type has none.
#![allow(unused)]

use vernal_core::tool::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City(String);

#[tool]
fn forecast(#[param(default)] city: City) {}

fn main() {}
