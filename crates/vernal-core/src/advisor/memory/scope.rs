use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::message::{History, Message};

/// What a request of a round has from the turn that it belongs to.
#[derive(Debug, Clone, Default)]
pub(in crate::advisor) struct TurnScope {
    /// The whole turn, where the request carries only the newest of it.
    pub(in crate::advisor) messages: Option<History>,
    recalled: Recalled,
}

/// What memories inside of the loop have loaded for the turn, each once.
#[derive(Debug, Clone, Default)]
struct Recalled(Arc<Mutex<Vec<(usize, Loaded)>>>);

type Loaded = Arc<[Arc<Message>]>;

impl TurnScope {
    /// The scope of a round that sends only the newest of `messages`, if any are given.
    pub(in crate::advisor) fn with_messages(&self, messages: Option<History>) -> Self {
        Self {
            messages,
            recalled: self.recalled.clone(),
        }
    }

    /// What the memory at address `memory` has loaded for this turn.
    pub(super) fn recalled(&self, memory: usize) -> Option<Loaded> {
        let recalled = self.recalled.lock();
        let own = recalled.iter().find(|(of, _)| *of == memory);
        own.map(|(_, loaded)| loaded.clone())
    }

    /// Keeps what the memory at address `memory` has loaded.
    pub(super) fn keep(&self, memory: usize, loaded: Loaded) {
        self.recalled.lock().push((memory, loaded));
    }
}

impl Recalled {
    fn lock(&self) -> MutexGuard<'_, Vec<(usize, Loaded)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
