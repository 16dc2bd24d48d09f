use std::sync::atomic::{AtomicU32, Ordering};

/// How many retries the calls of a model may make together: each retry takes one, and each answer gives
/// one back. A server that is down is not asked three times by everybody for as long as it is down.
pub(crate) struct RetryBudget {
    most: u32,
    left: AtomicU32,
}

impl RetryBudget {
    pub(crate) fn new(most: u32) -> Self {
        Self {
            most,
            left: AtomicU32::new(most),
        }
    }

    /// Takes one, if there is one.
    pub(super) fn take(&self) -> bool {
        let less = |left: u32| left.checked_sub(1);
        let taken = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.is_ok()
    }

    /// Gives one back, up to the most there can be.
    pub(super) fn give_back(&self) {
        let more = |left: u32| (left < self.most).then(|| left + 1);
        let _ = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }
}
