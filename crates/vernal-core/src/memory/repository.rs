use std::sync::Arc;

use futures::future::BoxFuture;

use super::{ConversationId, MemoryError};
use crate::message::{Message, MessageId};

/// A running access to a store.
pub type MemoryFuture<'a, T> = BoxFuture<'a, Result<T, MemoryError>>;

/// Where the messages of conversations are kept.
///
/// A repository keeps every kind of message whole, every part and every provider's opaque data byte
/// for byte, in the order in which they were appended (rule MEM-7). The suite
/// `vernal_testing::memory_conformance` checks all that is asked for here.
pub trait ChatMemoryRepository: Send + Sync + 'static {
    /// The name by which errors and logs speak of the repository.
    fn name(&self) -> &str;

    /// Whether tool calls and their answers are kept, so that the repository may stand inside of the
    /// tool loop (rule AUTO-6).
    fn stores_tool_messages(&self) -> bool {
        true
    }

    /// The messages of a conversation, oldest first; with `newest`, only that many of the newest. A
    /// conversation that does not exist has none.
    fn load<'a>(
        &'a self,
        conversation: &'a ConversationId,
        newest: Option<usize>,
    ) -> MemoryFuture<'a, Vec<Arc<Message>>>;

    /// Adds messages at the end, all of them or none, next to each other whatever else is appended at
    /// the same time. A message whose id the conversation has already is left out, so that an append
    /// whose outcome is not known can be repeated.
    fn append<'a>(
        &'a self,
        conversation: &'a ConversationId,
        messages: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, ()>;

    /// Puts `replacement` in the place of every message up to and including `through`, as one change.
    /// Messages that were appended since are kept. Nothing happens, and `false` is given, where the
    /// conversation has no message `through`.
    fn replace_through<'a>(
        &'a self,
        conversation: &'a ConversationId,
        through: MessageId,
        replacement: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, bool>;

    /// Forgets a conversation; one that does not exist is forgotten already.
    fn delete<'a>(&'a self, conversation: &'a ConversationId) -> MemoryFuture<'a, ()>;

    /// The conversations there are, sorted by id: at most `limit` of those after `after`.
    fn conversations<'a>(
        &'a self,
        after: Option<&'a ConversationId>,
        limit: usize,
    ) -> MemoryFuture<'a, Vec<ConversationId>>;
}

impl<R: ChatMemoryRepository + ?Sized> ChatMemoryRepository for Arc<R> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn stores_tool_messages(&self) -> bool {
        (**self).stores_tool_messages()
    }

    fn load<'a>(
        &'a self,
        conversation: &'a ConversationId,
        newest: Option<usize>,
    ) -> MemoryFuture<'a, Vec<Arc<Message>>> {
        (**self).load(conversation, newest)
    }

    fn append<'a>(
        &'a self,
        conversation: &'a ConversationId,
        messages: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, ()> {
        (**self).append(conversation, messages)
    }

    fn replace_through<'a>(
        &'a self,
        conversation: &'a ConversationId,
        through: MessageId,
        replacement: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, bool> {
        (**self).replace_through(conversation, through, replacement)
    }

    fn delete<'a>(&'a self, conversation: &'a ConversationId) -> MemoryFuture<'a, ()> {
        (**self).delete(conversation)
    }

    fn conversations<'a>(
        &'a self,
        after: Option<&'a ConversationId>,
        limit: usize,
    ) -> MemoryFuture<'a, Vec<ConversationId>> {
        (**self).conversations(after, limit)
    }
}
