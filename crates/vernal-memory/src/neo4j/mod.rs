//! Conversations in Neo4j 5, over Bolt.
//!
//! A conversation is a node `:VernalConversation`, each of its messages a node `:VernalMessage` that
//! it `:HOLDS`; the number in `position` gives the order. An append is one statement, which is a
//! transaction of its own: it locks the conversation's node before it reads anything. The constraints
//! are made at the first use, and the layout's version stands in a node `:VernalMemorySchema`.
//!
//! ```no_run
//! use std::sync::Arc;
//! use vernal_core::memory::{ChatMemoryRepository, ConversationId};
//! use vernal_core::message::Message;
//! use vernal_memory::Neo4jChatMemoryRepository;
//!
//! # async fn example() -> Result<(), vernal_core::memory::MemoryError> {
//! let repository = Neo4jChatMemoryRepository::builder("bolt://localhost:7687")
//!     .credentials("neo4j", "password")
//!     .open()
//!     .await?;
//! let conversation = ConversationId::new("user-42")?;
//! repository.append(&conversation, &[Arc::new(Message::user("Hi!"))]).await?;
//! # Ok(()) }
//! ```
//!
//! The tests ran on Neo4j Community 5.26. A `bolt+s` URL encrypts. A cluster is reached through one
//! of its members that writes: the driver does not route. There is no time to live: delete
//! conversations by what the application knows.

mod builder;
mod graph;
mod problem;
mod queries;
mod repository;
mod schema;

pub use builder::Neo4jChatMemoryRepositoryBuilder;
pub use repository::Neo4jChatMemoryRepository;
