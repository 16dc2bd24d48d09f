use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::turns::turn_starts;
use crate::message::{Message, PartContent};

/// How many tokens a message is taken to have.
pub type TokenCounter = Arc<dyn Fn(&Message) -> usize + Send + Sync>;

/// How much of a conversation a request gets to see.
///
/// A window shows whole turns, the newest ones: it starts at a message of the user, never parts a
/// call from its answer, and shows all of the open turn even where that alone is more than the limit
/// (rule MEM-6). The open turn counts towards the limit.
///
/// ```
/// use vernal_core::memory::MemoryWindow;
///
/// let newest = MemoryWindow::messages(50);
/// let cheap = MemoryWindow::tokens(8_000);
/// let exact = MemoryWindow::tokens_counted(8_000, |message| message.text().split(' ').count());
/// # let _ = (newest, cheap, exact);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum MemoryWindow {
    /// The whole conversation.
    Whole,
    /// At most this many messages.
    Messages(usize),
    /// Messages of at most this many tokens together.
    Tokens {
        /// The most tokens.
        max: usize,
        /// What counts the tokens of a message.
        counter: TokenCounter,
    },
}

impl MemoryWindow {
    /// The messages that are shown where nothing else is said.
    pub const DEFAULT_MAX_MESSAGES: usize = 20;

    /// Everything.
    pub fn whole() -> Self {
        Self::Whole
    }

    /// At most `max` messages. With 0 only the open turn is seen.
    pub fn messages(max: usize) -> Self {
        Self::Messages(max)
    }

    /// At most about `max` tokens, where a token is taken to be four characters of text, of a call's
    /// name and arguments, or of an answer. Media count as nothing.
    pub fn tokens(max: usize) -> Self {
        Self::tokens_counted(max, estimated_tokens)
    }

    /// At most `max` tokens as `counter` counts them; it is asked for every message of every request,
    /// so it should be quick.
    pub fn tokens_counted(
        max: usize,
        counter: impl Fn(&Message) -> usize + Send + Sync + 'static,
    ) -> Self {
        Self::Tokens {
            max,
            counter: Arc::new(counter),
        }
    }

    /// The part of `history` that is seen before the messages of `open_turn`: its end, from a message
    /// of the user on, or nothing. Where `open_turn` is empty, the last turn of `history` is taken to
    /// be open.
    pub fn visible<'a>(
        &self,
        history: &'a [Arc<Message>],
        open_turn: &[Arc<Message>],
    ) -> &'a [Arc<Message>] {
        let mut room = self.max().saturating_sub(self.size(open_turn));
        let mut first = history.len();
        for start in turn_starts(history).rev() {
            let size = self.size(part(history, start..first));
            let is_open = open_turn.is_empty() && first == history.len();
            if size > room && !is_open {
                break;
            }
            room = room.saturating_sub(size);
            first = start;
        }
        part(history, first..history.len())
    }

    /// This window with half of the room.
    pub(super) fn halved(&self) -> Self {
        match self {
            Self::Whole => Self::Whole,
            Self::Messages(max) => Self::Messages(max / 2),
            Self::Tokens { max, counter } => Self::Tokens {
                max: max / 2,
                counter: counter.clone(),
            },
        }
    }

    /// Whether these messages are more than can be seen.
    pub(super) fn is_exceeded_by(&self, messages: &[Arc<Message>]) -> bool {
        self.size(messages) > self.max()
    }

    /// How many of the newest messages are worth loading at first; `None` for all.
    pub(super) fn first_load(&self) -> Option<usize> {
        match self {
            Self::Whole => None,
            // One more, to know whether the oldest of them begins a turn.
            Self::Messages(max) => max.checked_add(1),
            Self::Tokens { .. } => Some(64),
        }
    }

    /// Whether older messages than these, the newest of a conversation, cannot be seen.
    pub(super) fn is_filled_by(&self, newest: &[Arc<Message>]) -> bool {
        self.is_exceeded_by(newest) && turn_starts(newest).any(|start| start > 0)
    }

    fn max(&self) -> usize {
        match self {
            Self::Whole => usize::MAX,
            Self::Messages(max) | Self::Tokens { max, .. } => *max,
        }
    }

    fn size(&self, messages: &[Arc<Message>]) -> usize {
        match self {
            Self::Whole => 0,
            Self::Messages(_) => messages.len(),
            Self::Tokens { counter, .. } => messages
                .iter()
                .fold(0, |sum, message| sum.saturating_add(counter(message))),
        }
    }
}

impl Default for MemoryWindow {
    fn default() -> Self {
        Self::Messages(Self::DEFAULT_MAX_MESSAGES)
    }
}

impl fmt::Debug for MemoryWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("Whole"),
            Self::Messages(max) => write!(f, "Messages({max})"),
            Self::Tokens { max, .. } => write!(f, "Tokens({max})"),
        }
    }
}

fn part(messages: &[Arc<Message>], range: Range<usize>) -> &[Arc<Message>] {
    messages.get(range).unwrap_or_default()
}

/// A quarter of the characters, rounded up.
pub(crate) fn estimated_tokens(message: &Message) -> usize {
    let characters = message.parts().iter().map(|part| match &part.content {
        PartContent::Text(text) | PartContent::Reasoning(text) | PartContent::Refusal(text) => {
            text.chars().count()
        }
        PartContent::ToolCall(call) => {
            call.name.chars().count() + call.arguments.as_str().chars().count()
        }
        PartContent::ToolResponse(response) => response.text().chars().count(),
        PartContent::Media(_) | PartContent::Opaque => 0,
    });
    characters.sum::<usize>().div_ceil(4)
}
