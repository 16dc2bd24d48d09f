//! Errors that are none.
#![allow(unused)]

use vernal_core::tool::{tool, tools};

struct Refused;

struct Tools;

#[tools]
impl Tools {
    #[tool]
    async fn method(&self) -> Result<String, Refused> {
        Err(Refused)
    }
}

#[tool]
fn function() -> Result<(), u8> {
    Ok(())
}

fn main() {}
