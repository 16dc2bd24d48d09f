//! Results that do something instead of being data (rule DEF-4).
#![allow(unused)]

use std::future::Future;
use std::pin::Pin;

use futures::future::BoxFuture;
use futures::stream::{BoxStream, Stream};
use vernal_core::tool::tools;

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn function(&self) -> Box<dyn Fn() -> u8 + Send> {
        Box::new(|| 1)
    }

    #[tool]
    fn later(&self) -> impl Future<Output = String> {
        async { String::new() }
    }

    #[tool]
    fn boxed(&self) -> BoxFuture<'static, u8> {
        Box::pin(async { 1 })
    }

    #[tool]
    fn pinned(&self) -> Pin<Box<dyn Future<Output = String> + Send>> {
        Box::pin(async { String::new() })
    }

    #[tool]
    fn stream(&self) -> Result<BoxStream<'static, u8>, String> {
        Ok(Box::pin(futures::stream::empty()))
    }

    #[tool]
    fn numbers(&self) -> impl Iterator<Item = u8> {
        0..1
    }

    #[tool]
    fn pointer(&self) -> *const u8 {
        std::ptr::null()
    }

    #[tool]
    fn never(&self) -> ! {
        loop {}
    }
}

fn main() {}
