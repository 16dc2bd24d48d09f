use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Tells running work that nobody waits for it any more (rule EXE-3).
///
/// A tool that is async need not ask: it is dropped. A blocking one, or one that has spawned work of its
/// own, asks or waits. Cheap to clone.
///
/// ```
/// use vernal_core::tool::CancellationToken;
///
/// let token = CancellationToken::new();
/// let seen_by_a_tool = token.clone();
/// assert!(!seen_by_a_tool.is_cancelled());
/// token.cancel();
/// assert!(seen_by_a_tool.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct CancellationToken(Arc<State>);

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    waiting: Notify,
}

impl CancellationToken {
    /// A token that was not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the token and all its clones; it cannot be taken back.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Release);
        self.0.waiting.notify_waiters();
    }

    /// Whether the token was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// Waits until the token is cancelled.
    pub async fn cancelled(&self) {
        let mut notified = pin!(self.0.waiting.notified());
        // Listening begins before looking, so that a cancellation in between is not missed.
        notified.as_mut().enable();
        if !self.is_cancelled() {
            notified.await;
        }
    }

    /// A guard that cancels the token when it is dropped.
    #[must_use = "the token is cancelled when the guard is dropped"]
    pub fn drop_guard(&self) -> CancelOnDrop {
        CancelOnDrop(self.clone())
    }
}

impl fmt::Debug for CancellationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CancellationToken(cancelled: {})", self.is_cancelled())
    }
}

/// Cancels a token when it is dropped.
#[derive(Debug)]
pub struct CancelOnDrop(CancellationToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
