//! Methods that cannot share their object.
#![allow(unused)]

use std::sync::Arc;

use vernal_core::tool::tools;

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn changes(&mut self) {}

    #[tool]
    fn consumes(self) {}

    #[tool]
    async fn holds(self: Arc<Self>) {}
}

fn main() {}
