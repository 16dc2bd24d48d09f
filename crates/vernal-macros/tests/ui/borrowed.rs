//! Parameters that borrow.
#![allow(unused)]

use std::path::Path;

use vernal_core::tool::{ToolContext, tool};

#[tool]
fn directly(
    text: &str,
    list: &[u8],
    path: &Path,
    changed: &mut Vec<u8>,
    number: &u64,
    context: &mut ToolContext,
) {
}

#[tool]
fn inside<'a>(text: Option<&'static str>, list: Vec<std::borrow::Cow<'a, str>>) {}

fn main() {}
