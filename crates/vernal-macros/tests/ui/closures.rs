//! Closures that cannot be tools.
#![allow(unused)]

use vernal_core::tool::FunctionToolCallback;

struct City;

fn main() {
    FunctionToolCallback::builder("visit", |_city: City| "done").build();
    FunctionToolCallback::builder("visit", |_city: String, _days: u8| "done").build();
    FunctionToolCallback::builder("visit", || City).description("A city").build();
    FunctionToolCallback::builder("visit", async || std::rc::Rc::new(City)).build();
}
