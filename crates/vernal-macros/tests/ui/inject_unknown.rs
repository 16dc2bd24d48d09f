//! Injected parameters that do not come from the context.
#![allow(unused)]

use vernal_core::tool::{Context, tool, tools};

struct Tenant;

mod other {
    pub struct CancellationToken;
}

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn by_attribute(&self, #[param(inject)] tenant: Tenant) {}

    #[tool]
    fn lent(&self, #[param(inject)] tenant: &Tenant) {}

    #[tool]
    fn of_another_crate(&self, token: other::CancellationToken) {}
}

#[tool]
fn not_shared(cell: Context<std::cell::Cell<u8>>) {}

fn main() {}
