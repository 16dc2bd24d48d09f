//! A connection that many share: made at the first use, and made anew after it broke.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;

/// The place of the connection.
pub(crate) struct Slot<T>(Mutex<Arc<OnceCell<T>>>);

/// The connection as one user has it.
pub(crate) struct Taken<T> {
    pub(crate) it: T,
    cell: Arc<OnceCell<T>>,
}

impl<T: Clone> Slot<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Arc::new(OnceCell::new())))
    }

    /// The connection; the first of those who want it makes it, and the others wait.
    pub(crate) async fn take<E, F: Future<Output = Result<T, E>>>(
        &self,
        make: impl FnOnce() -> F,
    ) -> Result<Taken<T>, E> {
        let cell = self.lock().clone();
        let it = cell.get_or_try_init(make).await?.clone();
        Ok(Taken { it, cell })
    }

    /// Has the next user make a new one, unless that happened already.
    pub(crate) fn forget(&self, taken: &Taken<T>) {
        let mut current = self.lock();
        if Arc::ptr_eq(&current, &taken.cell) {
            *current = Arc::new(OnceCell::new());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Arc<OnceCell<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::future::ready;

    use super::*;

    #[tokio::test]
    async fn it_is_made_once_until_it_is_forgotten_and_once_again_then() {
        let slot = Slot::new();
        let take = |value: u8| slot.take(move || ready(Ok::<_, Infallible>(value)));
        let (first, second) = (take(1).await.unwrap(), take(2).await.unwrap());
        assert_eq!((first.it, second.it), (1, 1));
        slot.forget(&first);
        assert_eq!(take(3).await.unwrap().it, 3);
        slot.forget(&second); // whose connection is not the current one any more
        assert_eq!(take(4).await.unwrap().it, 3);
    }

    #[tokio::test]
    async fn a_failure_is_not_kept() {
        let slot = Slot::new();
        assert_eq!(
            slot.take(|| ready(Err::<u8, _>("no"))).await.err(),
            Some("no")
        );
        assert_eq!(slot.take(|| ready(Ok::<_, &str>(5))).await.unwrap().it, 5);
    }
}
