//! A repository that can be told to fail, and counts how it is used.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use vernal_core::memory::{
    ChatMemoryRepository, ConversationId, InMemoryChatMemoryRepository, MemoryError,
    MemoryErrorKind, MemoryFuture,
};
use vernal_core::message::{Message, MessageId};

#[derive(Clone, Default)]
pub(crate) struct Store(Arc<State>);

#[derive(Default)]
struct State {
    kept: InMemoryChatMemoryRepository,
    loads: AtomicUsize,
    appends: AtomicUsize,
    fails: Mutex<Failing>,
    takes_no_tools: AtomicBool,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Failing {
    pub(crate) load: Option<MemoryErrorKind>,
    pub(crate) append: Option<MemoryErrorKind>,
}

impl Store {
    pub(crate) fn without_tool_messages() -> Self {
        let store = Self::default();
        store.0.takes_no_tools.store(true, Ordering::SeqCst);
        store
    }

    pub(crate) fn fail(&self, failing: Failing) {
        *self.0.fails.lock().unwrap() = failing;
    }

    /// How often messages were loaded and appended.
    pub(crate) fn uses(&self) -> [usize; 2] {
        [&self.0.loads, &self.0.appends].map(|count| count.load(Ordering::SeqCst))
    }

    /// All that is kept of a conversation.
    pub(crate) async fn kept(&self, conversation: &str) -> Vec<Arc<Message>> {
        let conversation = ConversationId::new(conversation).unwrap();
        self.0.kept.load(&conversation, None).await.unwrap()
    }

    /// Keeps messages as an earlier program did.
    pub(crate) async fn put(&self, conversation: &str, messages: &[Arc<Message>]) {
        let conversation = ConversationId::new(conversation).unwrap();
        self.0.kept.append(&conversation, messages).await.unwrap();
    }
}

fn refuse(kind: Option<MemoryErrorKind>) -> Result<(), MemoryError> {
    kind.map_or(Ok(()), |kind| {
        Err(MemoryError::new(kind, "no route to host"))
    })
}

impl ChatMemoryRepository for Store {
    fn name(&self) -> &str {
        "test-store"
    }

    fn stores_tool_messages(&self) -> bool {
        !self.0.takes_no_tools.load(Ordering::SeqCst)
    }

    fn load<'a>(
        &'a self,
        conversation: &'a ConversationId,
        newest: Option<usize>,
    ) -> MemoryFuture<'a, Vec<Arc<Message>>> {
        self.0.loads.fetch_add(1, Ordering::SeqCst);
        let failing = self.0.fails.lock().unwrap().load;
        Box::pin(async move {
            refuse(failing)?;
            self.0.kept.load(conversation, newest).await
        })
    }

    fn append<'a>(
        &'a self,
        conversation: &'a ConversationId,
        messages: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, ()> {
        self.0.appends.fetch_add(1, Ordering::SeqCst);
        let failing = self.0.fails.lock().unwrap().append;
        Box::pin(async move {
            tokio::task::yield_now().await; // others get their chance to come between
            refuse(failing)?;
            self.0.kept.append(conversation, messages).await
        })
    }

    fn replace_through<'a>(
        &'a self,
        conversation: &'a ConversationId,
        through: MessageId,
        replacement: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, bool> {
        self.0
            .kept
            .replace_through(conversation, through, replacement)
    }

    fn delete<'a>(&'a self, conversation: &'a ConversationId) -> MemoryFuture<'a, ()> {
        self.0.kept.delete(conversation)
    }

    fn conversations<'a>(
        &'a self,
        after: Option<&'a ConversationId>,
        limit: usize,
    ) -> MemoryFuture<'a, Vec<ConversationId>> {
        self.0.kept.conversations(after, limit)
    }
}
