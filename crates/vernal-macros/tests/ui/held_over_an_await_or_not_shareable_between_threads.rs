//! Objects and calls that cannot go to another thread.
#![allow(unused)]

use std::cell::Cell;
use std::rc::Rc;

use vernal_core::tool::tools;

struct Counter {
    count: Cell<u32>,
}

#[tools]
impl Counter {
    #[tool]
    fn count(&self) -> u32 {
        self.count.get()
    }
}

struct Tools;

#[tools]
impl Tools {
    #[tool]
    async fn holds(&self) -> u32 {
        let number = Rc::new(1);
        std::future::ready(()).await;
        *number
    }
}

fn main() {}
