//! What the checks are made of: the store under test, and comparisons that say what is wrong.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use vernal_core::memory::{ChatMemoryRepository, ConversationId, MemoryError};
use vernal_core::message::Message;

/// A handle to a store, as one process has it.
pub(super) type Handle = Arc<dyn ChatMemoryRepository>;

/// The store under test, through two handles.
pub(super) struct Store {
    pub(super) first: Handle,
    pub(super) second: Handle,
    run: String,
    used: Mutex<Vec<ConversationId>>,
}

impl Store {
    pub(super) fn new([first, second]: [Handle; 2]) -> Self {
        // The id of a message is unique, which makes the names of this run so.
        let run = format!("conformance-{}-", Message::user("").id());
        Self {
            first,
            second,
            run,
            used: Mutex::default(),
        }
    }

    /// A check of this name.
    pub(super) fn check(&self, name: &'static str) -> Check<'_> {
        Check { store: self, name }
    }

    /// Deletes the conversations of this run.
    pub(super) async fn forget(&self) {
        let used = std::mem::take(&mut *self.used.lock().unwrap_or_else(PoisonError::into_inner));
        for id in used {
            self.check("clean up").delete(&self.first, &id).await;
        }
    }
}

/// One check, by whose name a failure is reported.
#[derive(Clone, Copy)]
pub(super) struct Check<'a> {
    pub(super) store: &'a Store,
    pub(super) name: &'static str,
}

impl Check<'_> {
    /// A conversation of this run, whose id ends with `name`.
    pub(super) fn conversation(&self, name: &str) -> ConversationId {
        let id = self.got(
            ConversationId::new(format!("{}{name}", self.store.run)),
            "make an id",
        );
        self.store
            .used
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(id.clone());
        id
    }

    /// What all ids of this run begin with.
    pub(super) fn prefix(&self) -> ConversationId {
        self.got(ConversationId::new(self.store.run.as_str()), "make an id")
    }

    pub(super) async fn append(&self, to: &Handle, id: &ConversationId, messages: &[Arc<Message>]) {
        self.got(to.append(id, messages).await, "append");
    }

    pub(super) async fn load(&self, from: &Handle, id: &ConversationId) -> Vec<Arc<Message>> {
        self.got(from.load(id, None).await, "load")
    }

    pub(super) async fn delete(&self, from: &Handle, id: &ConversationId) {
        self.got(from.delete(id).await, "delete");
    }

    /// The conversation must hold exactly these messages, as both handles see it.
    pub(super) async fn holds(&self, id: &ConversationId, wanted: &[Arc<Message>], rule: &str) {
        for handle in [&self.store.first, &self.store.second] {
            self.equal(&self.load(handle, id).await, wanted, rule);
        }
    }

    /// Both lists must be the same, byte for byte in their stored form.
    pub(super) fn equal(&self, found: &[Arc<Message>], wanted: &[Arc<Message>], rule: &str) {
        let (found, wanted) = (texts(found), texts(wanted));
        let first = found
            .iter()
            .zip(&wanted)
            .position(|(found, wanted)| found != wanted);
        if let Some(at) = first {
            let pair = found.get(at).zip(wanted.get(at));
            let (found, wanted) = pair.map(|(f, w)| difference(f, w)).unwrap_or_default();
            self.fails(&format!(
                "{rule}\n  message {at} is …{found}\n  instead of  …{wanted}"
            ));
        }
        let (found, wanted) = (found.len(), wanted.len());
        self.must(
            found == wanted,
            &format!("{rule}: there are {found} messages, not {wanted}"),
        );
    }

    /// The value of a result that must be fine.
    pub(super) fn got<T>(&self, result: Result<T, MemoryError>, doing: &str) -> T {
        result.unwrap_or_else(|error| self.fails(&format!("{doing} failed: {error:?}")))
    }

    /// The value of a task that must have ended well.
    pub(super) fn ended<T, E: Debug>(&self, result: Result<T, E>) -> T {
        result.unwrap_or_else(|error| self.fails(&format!("a task of the check failed: {error:?}")))
    }

    pub(super) fn must(&self, holds: bool, rule: &str) {
        if !holds {
            self.fails(rule);
        }
    }

    #[allow(clippy::panic)] // a failed check of a suite for tests
    fn fails(&self, what: &str) -> ! {
        let repository = self.store.first.name();
        panic!(
            "memory conformance of `{repository}`, {}: {what}",
            self.name
        )
    }
}

fn texts(messages: &[Arc<Message>]) -> Vec<String> {
    let text = |message: &Arc<Message>| {
        serde_json::to_string(message).unwrap_or_else(|error| format!("not JSON: {error}"))
    };
    messages.iter().map(text).collect()
}

/// Both texts from shortly before the place where they part.
fn difference(found: &str, wanted: &str) -> (String, String) {
    let same = found
        .chars()
        .zip(wanted.chars())
        .take_while(|(found, wanted)| found == wanted);
    let start = same.count().saturating_sub(40);
    let part = |text: &str| text.chars().skip(start).take(160).collect::<String>();
    (part(found), part(wanted))
}
