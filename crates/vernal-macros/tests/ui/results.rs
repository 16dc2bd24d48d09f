//! Results that are no JSON.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

struct Weather;

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn value(&self) -> Weather {
        Weather
    }

    #[tool]
    fn fallible_value(&self) -> Result<Weather, String> {
        Ok(Weather)
    }
}

#[tool]
async fn several() -> Vec<Weather> {
    Vec::new()
}

fn main() {}
