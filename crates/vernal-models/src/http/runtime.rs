//! What a model call needs around it: a tokio runtime with time and I/O.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use futures::FutureExt;
use tokio::runtime::Handle;
use tokio::time::sleep;
use vernal_core::model::{ModelError, ModelErrorKind};

/// Whether there are timers here.
///
/// # Errors
/// There is no runtime, or one without its timers.
pub(super) fn check_time() -> Result<(), ModelError> {
    if Handle::try_current().is_err() {
        return Err(missing("there is none"));
    }
    // A runtime does not say whether it has timers; without them, a timer cannot be made.
    catch_unwind(|| drop(sleep(Duration::ZERO))).map_err(|_| missing("this one has no timers"))
}

/// Waits for what needs I/O.
///
/// # Errors
/// The runtime has none.
pub(super) async fn with_io<F: Future>(waits: F) -> Result<F::Output, ModelError> {
    match AssertUnwindSafe(waits).catch_unwind().await {
        Ok(output) => Ok(output),
        Err(panic) if is_of_tokio(&*panic) => Err(missing("this one has no I/O")),
        Err(panic) => resume_unwind(panic),
    }
}

/// Whether a panic says that a runtime is not set up for I/O.
fn is_of_tokio(panic: &(dyn Any + Send)) -> bool {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.is_some_and(|text| text.contains("enable_io"))
}

fn missing(what: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Configuration,
        format!(
            "a model call needs a tokio runtime with time and I/O, and {what}; run it in \
             `#[tokio::main]`, or in a runtime that is built with `enable_all`"
        ),
    )
}
