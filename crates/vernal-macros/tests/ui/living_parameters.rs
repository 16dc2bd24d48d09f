//! Parameters that do something instead of being data (rule DEF-4).
#![allow(unused)]

use std::pin::Pin;

use futures::future::BoxFuture;
use futures::stream::{BoxStream, Stream};
use vernal_core::tool::tool;

#[tool]
async fn takes_functions(
    boxed: Box<dyn Fn(String) -> String + Send>,
    pointer: fn(u8) -> u8,
    any: impl FnOnce(),
    maybe: Option<Box<dyn FnMut()>>,
) {
}

#[tool]
async fn takes_futures(
    boxed: BoxFuture<'static, String>,
    pinned: Pin<Box<dyn Future<Output = u8> + Send>>,
    any: impl Future<Output = u8>,
) {
}

#[tool]
fn takes_streams(
    boxed: BoxStream<'static, String>,
    any: impl Stream<Item = u8>,
    numbers: impl Iterator<Item = u8>,
    pointer: *const u8,
) {
}

fn main() {}
