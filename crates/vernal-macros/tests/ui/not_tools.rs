//! Things handed over as tools that are none.
#![allow(unused)]

use vernal_core::tool::IntoTools;

struct Plain;

fn hand_over(_tools: impl IntoTools) {}

fn get_weather(_city: String) {}

fn main() {
    hand_over("get_weather");
    hand_over(Plain);
    hand_over(get_weather);
    hand_over(vec![Some(Plain)]);
}
