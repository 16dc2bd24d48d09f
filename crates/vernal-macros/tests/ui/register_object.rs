//! Registered objects that cannot be made.
#![allow(unused)]

use vernal_core::tool::tools;

struct WithoutDefault;

#[tools(register)]
impl WithoutDefault {
    #[tool]
    fn get(&self) {}
}

struct Other;

#[tools(register = WithoutDefault)]
impl Other {
    #[tool]
    fn get(&self) {}
}

fn main() {}
