//! Methods that do not fit what their builder was told (rule DEF-7).
#![allow(unused)]

use std::sync::Arc;

use vernal_core::tool::MethodToolCallback;

struct Service;

impl Service {
    fn get(&self, city: String) -> String {
        city
    }

    async fn later(&self, city: &str) -> String {
        city.to_owned()
    }
}

struct Unschematic;

fn main() {
    let builder = || MethodToolCallback::builder("getWeather");
    builder().parameter::<String>("city").method(Service::get);
    builder().object(Arc::new(Service)).method(Service::get);
    builder().object(Arc::new(Service)).parameter::<u8>("city").method(Service::get);
    builder().object(Arc::new(Service)).parameter::<String>("city").method(Service::later);
    builder().parameter::<Unschematic>("value");
    builder().parameter::<u8>("value").method(|_: u8| Unschematic);
    let eight = builder()
        .parameter::<u8>("a")
        .parameter::<u8>("b")
        .parameter::<u8>("c")
        .parameter::<u8>("d")
        .parameter::<u8>("e")
        .parameter::<u8>("f")
        .parameter::<u8>("g")
        .parameter::<u8>("h");
    eight.parameter::<u8>("i");
}
