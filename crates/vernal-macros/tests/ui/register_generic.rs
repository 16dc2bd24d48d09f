//! Generic types, which have no one object to register.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

#[derive(Default)]
struct Store<T>(T);

#[tools(register)]
impl<T: Default> Store<T> {
    #[tool]
    fn get(&self) {}
}

struct Borrowing<'a>(&'a str);

#[tools(register = Borrowing("text"))]
impl<'a> Borrowing<'a> {
    #[tool]
    fn get(&self) {}
}

#[tool(register)]
fn generic<T>(value: T) {}

fn main() {}
