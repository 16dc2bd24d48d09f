use super::MessageChatMemoryAdvisor;
use crate::memory::ChatMemory;

/// What becomes of a turn whose memory cannot be reached (rule MEM-8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OnUnavailable {
    /// It fails.
    #[default]
    Fail,
    /// It goes on without history, or without being kept, and a warning is logged that names the
    /// repository. Other errors than a store out of reach still fail the turn.
    Degrade,
}

/// Builds a [`MessageChatMemoryAdvisor`].
#[derive(Debug, Clone)]
#[must_use]
pub struct MessageChatMemoryAdvisorBuilder {
    pub(super) memory: ChatMemory,
    pub(super) order: i32,
    pub(super) on_unavailable: OnUnavailable,
}

impl MessageChatMemoryAdvisorBuilder {
    pub(super) fn new(memory: ChatMemory) -> Self {
        Self {
            memory,
            order: MessageChatMemoryAdvisor::DEFAULT_ORDER,
            on_unavailable: OnUnavailable::default(),
        }
    }

    /// Where the memory stands. With a greater order than that of the loop it is inside, and keeps
    /// every message of a turn.
    pub fn order(mut self, order: i32) -> Self {
        self.order = order;
        self
    }

    /// What becomes of a turn whose memory cannot be reached.
    pub fn on_unavailable(mut self, choice: OnUnavailable) -> Self {
        self.on_unavailable = choice;
        self
    }

    /// The advisor.
    pub fn build(self) -> MessageChatMemoryAdvisor {
        MessageChatMemoryAdvisor(self)
    }
}
