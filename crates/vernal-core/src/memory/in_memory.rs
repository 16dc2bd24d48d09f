use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{ChatMemoryRepository, ConversationId, MemoryFuture};
use crate::message::{Message, MessageId};

/// Keeps conversations in this process, and loses them with it. Copies share them.
#[derive(Clone, Default)]
pub struct InMemoryChatMemoryRepository(Arc<Mutex<BTreeMap<ConversationId, Conversation>>>);

#[derive(Default)]
struct Conversation {
    messages: Vec<Arc<Message>>,
    ids: HashSet<MessageId>,
}

impl Conversation {
    fn append(&mut self, messages: &[Arc<Message>]) {
        let new = messages
            .iter()
            .filter(|message| self.ids.insert(message.id()));
        self.messages.extend(new.cloned());
    }

    fn newest(&self, count: usize) -> Vec<Arc<Message>> {
        let skipped = self.messages.len().saturating_sub(count);
        self.messages.iter().skip(skipped).cloned().collect()
    }

    fn replace_through(&mut self, through: MessageId, replacement: &[Arc<Message>]) -> bool {
        let Some(last) = self
            .messages
            .iter()
            .position(|message| message.id() == through)
        else {
            return false;
        };
        let later = self.messages.split_off(last + 1);
        *self = Self::default();
        self.append(replacement);
        self.append(&later);
        true
    }
}

impl InMemoryChatMemoryRepository {
    /// A repository without conversations.
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ConversationId, Conversation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatMemoryRepository for InMemoryChatMemoryRepository {
    fn name(&self) -> &str {
        "in-memory"
    }

    fn load<'a>(
        &'a self,
        conversation: &'a ConversationId,
        newest: Option<usize>,
    ) -> MemoryFuture<'a, Vec<Arc<Message>>> {
        Box::pin(async move {
            let newest = newest.unwrap_or(usize::MAX);
            Ok(self
                .lock()
                .get(conversation)
                .map_or(Vec::new(), |kept| kept.newest(newest)))
        })
    }

    fn append<'a>(
        &'a self,
        conversation: &'a ConversationId,
        messages: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, ()> {
        Box::pin(async move {
            if !messages.is_empty() {
                self.lock()
                    .entry(conversation.clone())
                    .or_default()
                    .append(messages);
            }
            Ok(())
        })
    }

    fn replace_through<'a>(
        &'a self,
        conversation: &'a ConversationId,
        through: MessageId,
        replacement: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, bool> {
        Box::pin(async move {
            let mut conversations = self.lock();
            let kept = conversations.get_mut(conversation);
            Ok(kept.is_some_and(|kept| kept.replace_through(through, replacement)))
        })
    }

    fn delete<'a>(&'a self, conversation: &'a ConversationId) -> MemoryFuture<'a, ()> {
        Box::pin(async move {
            self.lock().remove(conversation);
            Ok(())
        })
    }

    fn conversations<'a>(
        &'a self,
        after: Option<&'a ConversationId>,
        limit: usize,
    ) -> MemoryFuture<'a, Vec<ConversationId>> {
        Box::pin(async move {
            let from = after.map_or(Bound::Unbounded, Bound::Excluded);
            let conversations = self.lock();
            let ids = conversations.range::<ConversationId, _>((from, Bound::Unbounded));
            Ok(ids.take(limit).map(|(id, _)| id.clone()).collect())
        })
    }
}

impl fmt::Debug for InMemoryChatMemoryRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "InMemoryChatMemoryRepository({} conversations)",
            self.lock().len()
        )
    }
}
