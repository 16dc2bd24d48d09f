//! Conversations in PostgreSQL, 12 or later.
//!
//! The tables `vernal_memory_schema`, `vernal_conversation` and `vernal_message` are made at the
//! first use, in the first schema of the connection's search path, under an advisory lock so that
//! many processes can start at once. An append is one statement: it locks the conversation's row, so
//! that appends of other processes come before or after it, never between its messages.
//!
//! ```no_run
//! use std::sync::Arc;
//! use vernal_core::memory::{ChatMemoryRepository, ConversationId};
//! use vernal_core::message::Message;
//! use vernal_memory::PostgresChatMemoryRepository;
//!
//! # async fn example() -> Result<(), vernal_core::memory::MemoryError> {
//! let url = "postgres://vernal:password@localhost/conversations";
//! let repository = PostgresChatMemoryRepository::builder(url).open().await?;
//! let conversation = ConversationId::new("user-42")?;
//! repository.append(&conversation, &[Arc::new(Message::user("Hi!"))]).await?;
//! # Ok(()) }
//! ```
//!
//! Connections are not encrypted: keep the server on a network of its own, or reach it through a
//! proxy that encrypts. There is no time to live: delete conversations by what the application knows.

mod builder;
mod problem;
mod queries;
mod repository;
mod schema;
mod sessions;

pub use builder::PostgresChatMemoryRepositoryBuilder;
pub use repository::PostgresChatMemoryRepository;
