//! Two `#[tools]` blocks on one type.
#![allow(unused)]

use vernal_core::tool::tools;

struct Weather;

#[tools]
impl Weather {
    #[tool]
    fn today(&self) {}
}

#[tools]
impl Weather {
    #[tool]
    fn tomorrow(&self) {}
}

fn main() {}
