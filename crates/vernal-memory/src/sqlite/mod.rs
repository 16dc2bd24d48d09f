//! Conversations in SQLite: a file, or the memory of this process.
//!
//! SQLite is compiled in; nothing has to be installed. A file is opened in WAL mode with full
//! synchronisation: what was appended is there after the process, or the machine, went down.
//! Several processes may use one file; a writer waits for another at most the operation timeout.
//! One thread does the work, so that nothing blocks the runtime.
//!
//! ```no_run
//! use std::sync::Arc;
//! use vernal_core::memory::{ChatMemoryRepository, ConversationId};
//! use vernal_core::message::Message;
//! use vernal_memory::SqliteChatMemoryRepository;
//!
//! # async fn example() -> Result<(), vernal_core::memory::MemoryError> {
//! let repository = SqliteChatMemoryRepository::open("conversations.db").await?;
//! let conversation = ConversationId::new("user-42")?;
//! repository.append(&conversation, &[Arc::new(Message::user("Hi!"))]).await?;
//! # Ok(()) }
//! ```
//!
//! The tables are `vernal_memory_schema`, `vernal_conversation` and `vernal_message`; a file may hold
//! others beside them. There is no time to live: delete conversations by what the application knows.

mod builder;
mod database;
mod problem;
mod queries;
mod repository;
mod schema;
mod worker;

pub use builder::SqliteChatMemoryRepositoryBuilder;
pub use repository::SqliteChatMemoryRepository;
