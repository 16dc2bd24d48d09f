//! Results that borrow from their object.
#![allow(unused)]

use std::borrow::Cow;

use vernal_core::tool::tools;

struct Tools(String);

#[tools]
impl Tools {
    #[tool]
    fn directly(&self) -> &str {
        &self.0
    }

    #[tool]
    fn inside(&self) -> Option<&str> {
        Some(&self.0)
    }

    #[tool]
    fn by_lifetime<'a>(&'a self) -> Result<Cow<'a, str>, String> {
        Ok(Cow::Borrowed(&self.0))
    }

    #[tool]
    fn not_these(&self) -> Result<(&'static str, Cow<'static, str>), &'static str> {
        Ok(("fixed", Cow::Borrowed("too")))
    }
}

fn main() {}
