use std::sync::{Arc, LazyLock};

use tokio::time::Instant;

use super::ChatOptions;
use crate::message::History;

/// Shared by all prompts without options.
static NO_OPTIONS: LazyLock<Arc<ChatOptions>> = LazyLock::new(Arc::default);

/// What a model is asked: messages and options. A copy is two reference counts.
#[derive(Debug, Clone)]
pub struct Prompt {
    messages: History,
    options: Arc<ChatOptions>,
    deadline: Option<Instant>,
}

impl Prompt {
    /// A prompt of messages (a text is a user message) and options.
    pub fn new(messages: impl Into<History>, options: impl Into<Arc<ChatOptions>>) -> Self {
        Self {
            messages: messages.into(),
            options: options.into(),
            deadline: None,
        }
    }

    /// Whether no options were given.
    pub(crate) fn has_no_options(&self) -> bool {
        Arc::ptr_eq(&self.options, &NO_OPTIONS)
    }

    /// The messages, oldest first.
    pub fn messages(&self) -> &History {
        &self.messages
    }

    /// The messages, to be changed.
    pub fn messages_mut(&mut self) -> &mut History {
        &mut self.messages
    }

    /// The options.
    pub fn options(&self) -> &ChatOptions {
        &self.options
    }

    /// The options, shared.
    pub fn shared_options(&self) -> &Arc<ChatOptions> {
        &self.options
    }

    /// The options, to be changed; they are copied first if somebody else holds them.
    pub fn options_mut(&mut self) -> &mut ChatOptions {
        Arc::make_mut(&mut self.options)
    }

    /// Takes the options of another prompt.
    pub(crate) fn share_options_of(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.options, &other.options) {
            self.options = other.options.clone();
        }
    }

    /// The same options with other messages.
    #[must_use]
    pub fn with_messages(&self, messages: History) -> Self {
        Self {
            messages,
            options: self.options.clone(),
            deadline: self.deadline,
        }
    }

    /// When nobody waits for the answer any more, if somebody said so: a model need not begin what
    /// cannot be done by then, such as a wait before the next try. It is the caller who ends the call.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The prompt with a deadline, unless it has a nearer one. A client sets it: see
    /// [`RequestDeadlineAdvisor`](crate::advisor::RequestDeadlineAdvisor) and
    /// [`turn_timeout`](crate::calling::ToolCallingManagerBuilder::turn_timeout).
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        let nearest = self.deadline.filter(|own| *own <= deadline);
        self.deadline = nearest.or(Some(deadline));
        self
    }
}

impl From<&str> for Prompt {
    fn from(user: &str) -> Self {
        Self::new(user, NO_OPTIONS.clone())
    }
}

impl From<String> for Prompt {
    fn from(user: String) -> Self {
        Self::new(user, NO_OPTIONS.clone())
    }
}

impl From<History> for Prompt {
    fn from(messages: History) -> Self {
        Self::new(messages, NO_OPTIONS.clone())
    }
}

impl Default for Prompt {
    fn default() -> Self {
        Self::new(History::new(), NO_OPTIONS.clone())
    }
}
