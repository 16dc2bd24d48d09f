//! Running code of the application that may panic, while it runs and while what it made is dropped.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs work; `None` if it panicked.
pub(crate) fn run<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(value) => Some(value),
        Err(payload) => {
            forget(payload);
            None
        }
    }
}

/// Drops what a panic carried, which may panic once more.
pub(super) fn forget(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        // What that carried could go on like this forever; it is a leak, and there is no third panic.
        std::mem::forget(again);
    }
}
