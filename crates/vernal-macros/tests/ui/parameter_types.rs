//! Parameters that no JSON can be read as.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

struct City;

#[derive(serde::Deserialize)]
struct Unschematic;

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn visit(&self, city: City, cities: Option<Vec<City>>) {}

    #[tool]
    fn half(&self, value: Unschematic) {}
}

#[tool]
fn visit_again(city: City) {}

fn main() {}
