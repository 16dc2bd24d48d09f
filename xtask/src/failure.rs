//! How a command fails.

use std::fmt::Display;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What went wrong and what mends it; `main` prints it and exits with 1.
    Said(String),
    /// Everything was said already, or the code is another program's.
    Exit(u8),
}

impl Failure {
    /// A failure with this text.
    pub(crate) fn said(text: impl Into<String>) -> Self {
        Self::Said(text.into())
    }
}

/// Puts what was being done in front of an error.
pub(crate) trait While<T> {
    /// `doing` names the action and its object: `"reading PATH"`.
    fn while_(self, doing: impl Display) -> Result<T, Failure>;
}

impl<T, E: Display> While<T> for Result<T, E> {
    fn while_(self, doing: impl Display) -> Result<T, Failure> {
        self.map_err(|error| Failure::Said(format!("{doing}: {error}")))
    }
}
