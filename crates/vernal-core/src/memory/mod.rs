//! Memory of conversations: where messages are kept, and how much of them a request gets to see.
//!
//! A [`ChatMemoryRepository`] keeps messages; [`InMemoryChatMemoryRepository`] keeps them in this
//! process, the crate `vernal-memory` in databases. What one round or turn appends is stored whole or
//! not at all. A [`ChatMemory`] is a repository with a [`MemoryWindow`] onto it.
//!
//! ```
//! use std::sync::Arc;
//! use vernal_core::memory::{ChatMemoryRepository, ConversationId, InMemoryChatMemoryRepository};
//! use vernal_core::message::Message;
//!
//! # futures::executor::block_on(async {
//! let repository = InMemoryChatMemoryRepository::new();
//! let conversation = ConversationId::new("user-42")?;
//! let turn = [Arc::new(Message::user("Hi!")), Arc::new(Message::assistant("Hello."))];
//! repository.append(&conversation, &turn).await?;
//! repository.append(&conversation, &turn).await?; // again, as after a lost connection: no effect
//! assert_eq!(repository.load(&conversation, None).await?.len(), 2);
//! # Ok::<(), vernal_core::memory::MemoryError>(()) }).unwrap();
//! ```

mod chat_memory;
mod conversation;
mod error;
mod in_memory;
mod repository;
mod summary;
mod turns;
mod window;

pub use chat_memory::ChatMemory;
pub use conversation::ConversationId;
pub use error::{MemoryError, MemoryErrorKind};
pub use in_memory::InMemoryChatMemoryRepository;
pub use repository::{ChatMemoryRepository, MemoryFuture};
pub(crate) use turns::{open_turn_start, said_now};
pub(crate) use window::estimated_tokens;
pub use window::{MemoryWindow, TokenCounter};
