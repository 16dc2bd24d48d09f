use std::sync::{Arc, Mutex, PoisonError};

use crate::advisor::RequestState;
use crate::message::{History, Message};

/// What a request of a round has from the turn that it belongs to.
#[derive(Debug, Clone)]
pub(in crate::advisor) struct TurnScope {
    /// Which turn of the request it is.
    number: u32,
    /// The whole turn, where the request carries only the newest of it.
    pub(in crate::advisor) messages: Option<History>,
}

/// What memories inside of the loop have loaded, each once for a turn: the number of the turn, the
/// memory's address, and the messages. It is kept in the request's state.
#[derive(Default)]
struct Recalled(Mutex<Vec<(u32, usize, Loaded)>>);

type Loaded = Arc<[Arc<Message>]>;

impl TurnScope {
    /// The scope of the next turn of a request.
    pub(in crate::advisor) fn begin(state: &RequestState) -> Self {
        Self {
            number: state.begin_turn(),
            messages: None,
        }
    }

    /// The scope of a round that sends only the newest of `messages`, if any are given.
    pub(in crate::advisor) fn with_messages(&self, messages: Option<History>) -> Self {
        Self {
            number: self.number,
            messages,
        }
    }

    /// What the memory at address `memory` has loaded for this turn.
    pub(super) fn recalled(&self, state: &RequestState, memory: usize) -> Option<Loaded> {
        let recalled = state.get::<Recalled>()?;
        let recalled = recalled.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = recalled
            .iter()
            .find(|(turn, of, _)| (*turn, *of) == (self.number, memory));
        own.map(|(_, _, loaded)| loaded.clone())
    }

    /// Keeps what the memory at address `memory` has loaded.
    pub(super) fn keep(&self, state: &RequestState, memory: usize, loaded: Loaded) {
        let recalled = state.get_or_insert_with(Recalled::default);
        let mut recalled = recalled.0.lock().unwrap_or_else(PoisonError::into_inner);
        recalled.push((self.number, memory, loaded));
    }
}
