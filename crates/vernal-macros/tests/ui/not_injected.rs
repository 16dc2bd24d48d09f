//! `self` is nobody's argument, and a context that is no argument of a model.
#![allow(unused)]

use vernal_core::tool::{ToolContext, tools};

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn receiver(#[param(description = "The object")] &self) {}
}

struct Others;

#[tools]
impl Others {
    #[tool]
    fn context(&self, #[param(inject = false)] context: ToolContext) {}
}

fn main() {}
