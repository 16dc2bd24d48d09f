//! Waiting that does not panic where there is nothing to wait with.

use std::pin::pin;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Instant;

use super::contained;

/// Why a future was not waited for to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotWithin {
    /// It did not end in time.
    TooLate,
    /// There are no timers here, so that it did not begin: no tokio runtime, or one without its timers.
    NoTimers,
}

impl NotWithin {
    /// What timers need.
    pub(crate) const NEEDS_A_RUNTIME: &'static str =
        "needs a tokio runtime with its timers, and there is none";
}

/// Waits for a future until `deadline`.
pub(super) async fn within<F: Future>(
    deadline: Instant,
    waited: F,
) -> Result<F::Output, NotWithin> {
    if !has_timers() {
        return Err(NotWithin::NoTimers);
    }
    // In a place of its own, so that what is given up is dropped where its panic goes no further.
    let mut waited = pin!(Some(waited));
    let Some(running) = waited.as_mut().as_pin_mut() else {
        return Err(NotWithin::TooLate);
    };
    let result = tokio::time::timeout_at(deadline, running).await;
    if contained::run(|| waited.set(None)).is_none() {
        tracing::error!("what was given up after its time panicked while it was dropped");
    }
    result.map_err(|_| NotWithin::TooLate)
}

/// Waits for some time.
pub(super) async fn pause(time: Duration) -> Result<(), NotWithin> {
    if !has_timers() {
        return Err(NotWithin::NoTimers);
    }
    tokio::time::sleep(time).await;
    Ok(())
}

/// A runtime does not say whether it has timers; without them, a timer cannot be made.
pub(crate) fn has_timers() -> bool {
    if Handle::try_current().is_err() {
        return false;
    }
    contained::run(|| drop(tokio::time::sleep(Duration::ZERO))).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers() -> impl Future<Output = Result<u8, NotWithin>> {
        within(Instant::now() + Duration::from_secs(5), async { 7 })
    }

    #[test]
    fn without_timers_nothing_begins_and_nothing_panics() {
        assert_eq!(
            futures::executor::block_on(answers()),
            Err(NotWithin::NoTimers)
        );
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let bare = builder.build().unwrap();
        assert_eq!(bare.block_on(answers()), Err(NotWithin::NoTimers));
        assert_eq!(
            bare.block_on(pause(Duration::ZERO)),
            Err(NotWithin::NoTimers)
        );
        let whole = builder.enable_time().build().unwrap();
        assert_eq!(whole.block_on(answers()), Ok(7));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_late_is_given_up() {
        let deadline = Instant::now() + Duration::from_secs(5);
        let late = within(deadline, std::future::pending::<()>()).await;
        assert_eq!(late, Err(NotWithin::TooLate));
    }
}
