use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Message, Role};

/// An ordered list of messages that many holders share.
///
/// A copy costs one reference count. Adding a message costs no copy while nobody else holds this
/// list, and a list of pointers otherwise: the messages themselves are never copied.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct History(Arc<Vec<Arc<Message>>>);

impl History {
    /// A history without messages.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message at the end.
    pub fn push(&mut self, message: impl Into<Arc<Message>>) {
        Arc::make_mut(&mut self.0).push(message.into());
    }

    /// The number of messages.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no message.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The message at `index`, counted from the oldest.
    pub fn get(&self, index: usize) -> Option<&Arc<Message>> {
        self.0.get(index)
    }

    /// The newest message.
    pub fn last(&self) -> Option<&Arc<Message>> {
        self.0.last()
    }

    /// The messages, oldest first.
    pub fn iter(&self) -> std::slice::Iter<'_, Arc<Message>> {
        self.0.iter()
    }

    /// Whether these are the very messages of another history, in the same order.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let same = |(a, b): (&Arc<Message>, &Arc<Message>)| Arc::ptr_eq(a, b);
        Arc::ptr_eq(&self.0, &other.0)
            || (self.len() == other.len() && self.iter().zip(other).all(same))
    }

    /// The newest message of the user.
    pub fn last_user(&self) -> Option<&Arc<Message>> {
        self.iter()
            .rev()
            .find(|message| message.role() == Role::User)
    }

    /// The messages after the newest message of the user, or all of them where there is none:
    /// what belongs to the current turn in a loop that passes no turn on (rule LIM-2).
    pub(crate) fn since_last_user(&self) -> impl Iterator<Item = &Arc<Message>> {
        let start = self
            .iter()
            .rposition(|m| m.role() == Role::User)
            .map_or(0, |at| at + 1);
        self.iter().skip(start)
    }
}

impl<M: Into<Arc<Message>>> FromIterator<M> for History {
    fn from_iter<I: IntoIterator<Item = M>>(messages: I) -> Self {
        Self(Arc::new(messages.into_iter().map(Into::into).collect()))
    }
}

impl<M: Into<Arc<Message>>> Extend<M> for History {
    fn extend<I: IntoIterator<Item = M>>(&mut self, messages: I) {
        Arc::make_mut(&mut self.0).extend(messages.into_iter().map(Into::into));
    }
}

impl<M: Into<Arc<Message>>> From<Vec<M>> for History {
    fn from(messages: Vec<M>) -> Self {
        messages.into_iter().collect()
    }
}

impl From<Message> for History {
    fn from(message: Message) -> Self {
        std::iter::once(message).collect()
    }
}

impl From<&str> for History {
    fn from(user: &str) -> Self {
        Message::user(user).into()
    }
}

impl From<String> for History {
    fn from(user: String) -> Self {
        Message::user(user).into()
    }
}

impl<'a> IntoIterator for &'a History {
    type Item = &'a Arc<Message>;
    type IntoIter = std::slice::Iter<'a, Arc<Message>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
