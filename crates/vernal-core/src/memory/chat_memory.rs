use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::summary::{is_summary, summarise};
use super::turns::without_turns_of;
use super::{ChatMemoryRepository, ConversationId, MemoryError, MemoryWindow};
use crate::message::{History, Message, Role};
use crate::model::ChatModel;

/// What requests get to see of conversations: a repository, and a window onto it.
///
/// Cheap to clone. A [`MessageChatMemoryAdvisor`](crate::advisor::MessageChatMemoryAdvisor) uses it
/// for a client; a loop of one's own uses it by itself:
///
/// ```
/// use vernal_core::memory::{
///     ChatMemory, ConversationId, InMemoryChatMemoryRepository, MemoryWindow,
/// };
/// use vernal_core::message::Message;
///
/// # futures::executor::block_on(async {
/// let memory = ChatMemory::new(InMemoryChatMemoryRepository::new())
///     .with_window(MemoryWindow::messages(3));
/// let conversation = ConversationId::new("user-42")?;
/// for question in ["One?", "Two?"] {
///     let turn = [Message::user(question), Message::assistant("Yes.")];
///     memory.append(&conversation, turn).await?;
/// }
/// let seen = memory.messages(&conversation).await?;
/// assert_eq!(seen.len(), 2, "four were kept, but half a turn is never shown");
/// assert_eq!(seen.get(0).unwrap().text(), "Two?");
/// # Ok::<(), vernal_core::memory::MemoryError>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct ChatMemory {
    repository: Arc<dyn ChatMemoryRepository>,
    window: MemoryWindow,
    /// What writes summaries, if anything does.
    summariser: Option<Arc<dyn ChatModel>>,
}

impl ChatMemory {
    /// A memory of the newest [`MemoryWindow::DEFAULT_MAX_MESSAGES`] messages.
    pub fn new(repository: impl ChatMemoryRepository) -> Self {
        Self {
            repository: Arc::new(repository),
            window: MemoryWindow::default(),
            summariser: None,
        }
    }

    /// The same memory with another window. What is kept does not depend on it.
    #[must_use]
    pub fn with_window(mut self, window: MemoryWindow) -> Self {
        self.window = window;
        self
    }

    /// Has older turns summarised by `model` in place of not showing them: as soon as a conversation is
    /// larger than the window, all but the newest turns, about half a window, are replaced by a
    /// summary. It is shown before the others and is summarised with them in its time.
    ///
    /// What was summarised is gone from the repository. It happens when a turn begins, which waits for
    /// it; the tools and advisors of the turn have no part in it. Where `model` fails, a warning is
    /// logged, the whole conversation is shown, and the next turn tries again. The usage of a turn does
    /// not contain what its summary cost.
    #[must_use]
    pub fn with_summaries(mut self, model: impl ChatModel) -> Self {
        self.summariser = Some(Arc::new(model));
        self
    }

    /// Where the messages are kept.
    pub fn repository(&self) -> &dyn ChatMemoryRepository {
        &*self.repository
    }

    /// How much of it is seen.
    pub fn window(&self) -> &MemoryWindow {
        &self.window
    }

    /// What is seen of a conversation, oldest first; its last turn is taken to be open and is seen
    /// whole (rule MEM-6). System messages are not among them.
    ///
    /// # Errors
    /// The repository's.
    pub async fn messages(&self, conversation: &ConversationId) -> Result<History, MemoryError> {
        let history = self.load(conversation).await?;
        Ok(self.visible(&history, &[]).iter().cloned().collect())
    }

    /// Adds messages to a conversation, all of them or none; system messages are left out (rule
    /// MEM-5), and messages that the conversation has already too.
    ///
    /// # Errors
    /// The repository's.
    pub async fn append<M: Into<Arc<Message>>>(
        &self,
        conversation: &ConversationId,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<(), MemoryError> {
        let messages = messages.into_iter().map(Into::into);
        let messages: Vec<_> = messages.filter(is_kept).collect();
        if messages.is_empty() {
            return Ok(());
        }
        self.repository.append(conversation, &messages).await
    }

    /// Forgets a conversation.
    ///
    /// # Errors
    /// The repository's.
    pub async fn clear(&self, conversation: &ConversationId) -> Result<(), MemoryError> {
        self.repository.delete(conversation).await
    }

    /// The newest messages of a conversation, at least as many as the window can show.
    pub(crate) async fn load(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<Arc<Message>>, MemoryError> {
        if let Some(model) = &self.summariser {
            return self.load_summarised(conversation, &**model).await;
        }
        let mut newest = self.window.first_load();
        loop {
            let mut loaded = self.repository.load(conversation, newest).await?;
            let is_all = newest.is_none_or(|newest| loaded.len() < newest);
            loaded.retain(is_kept);
            if is_all || self.window.is_filled_by(&loaded) {
                return Ok(loaded);
            }
            newest = newest.map(|newest| newest.saturating_mul(4));
        }
    }

    async fn load_summarised(
        &self,
        conversation: &ConversationId,
        model: &dyn ChatModel,
    ) -> Result<Vec<Arc<Message>>, MemoryError> {
        let history = self.load_whole(conversation).await?;
        let kept = self.window.halved().visible(&history, &[]);
        let (old, kept) = history.split_at(history.len() - kept.len());
        let is_due = self.window.is_exceeded_by(&history) && !is_summary(old);
        let Some(last) = old.last().filter(|_| is_due) else {
            return Ok(history);
        };
        let summary = match summarise(model, old).await {
            Ok(summary) => summary,
            Err(error) => {
                let model = model.name();
                tracing::warn!(model, %error, "a conversation could not be summarised");
                return Ok(history);
            }
        };
        let repository = &self.repository;
        let replaced = repository
            .replace_through(conversation, last.id(), &summary)
            .await?;
        if !replaced {
            // Another turn of the conversation has done it at the same time.
            return self.load_whole(conversation).await;
        }
        Ok([&summary, kept].concat())
    }

    async fn load_whole(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<Arc<Message>>, MemoryError> {
        let mut history = self.repository.load(conversation, None).await?;
        history.retain(is_kept);
        Ok(history)
    }

    /// Summaries keep a conversation small: all of it is shown.
    fn visible<'a>(
        &self,
        history: &'a [Arc<Message>],
        open_turn: &[Arc<Message>],
    ) -> &'a [Arc<Message>] {
        match self.summariser {
            Some(_) => MemoryWindow::Whole.visible(history, open_turn),
            None => self.window.visible(history, open_turn),
        }
    }

    /// A request's messages: those of the system first (rule MEM-5), then what is seen of `history`,
    /// then `open_turn`; each message once (rule MEM-4).
    pub(crate) fn compose(
        &self,
        system: impl Iterator<Item = Arc<Message>>,
        history: &[Arc<Message>],
        open_turn: &[Arc<Message>],
    ) -> History {
        let present: HashSet<_> = open_turn.iter().map(|message| message.id()).collect();
        let history = without_turns_of(history, &present);
        let seen = self.visible(&history, open_turn);
        let mut ids = HashSet::new();
        system
            .chain(seen.iter().cloned())
            .chain(open_turn.iter().cloned())
            .filter(|message| ids.insert(message.id()))
            .collect()
    }
}

fn is_kept(message: &Arc<Message>) -> bool {
    message.role() != Role::System
}

impl<R: ChatMemoryRepository> From<R> for ChatMemory {
    fn from(repository: R) -> Self {
        Self::new(repository)
    }
}

impl fmt::Debug for ChatMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatMemory")
            .field("repository", &self.repository.name())
            .field("window", &self.window)
            .finish()
    }
}
