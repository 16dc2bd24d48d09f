//! Conversations kept in databases: repositories for Vernal's chat memory.
//!
//! Each is a [`ChatMemoryRepository`](vernal_core::memory::ChatMemoryRepository) behind a feature of
//! its own; none is on by default.
//!
//! | feature | repository | store |
//! |---|---|---|
//! | `sqlite` | `SqliteChatMemoryRepository` | a file, or the memory of this process |
//! | `postgres` | `PostgresChatMemoryRepository` | PostgreSQL 12 or later |
//! | `redis` | `RedisChatMemoryRepository` | Redis 6.2 or later, one server or a cluster |
//! | `neo4j` | `Neo4jChatMemoryRepository` | Neo4j 5, over Bolt |
//!
//! ```no_run
//! # #[cfg(feature = "sqlite")]
//! # async fn example(
//! #     model: impl vernal_core::model::ChatModel,
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//! use vernal_core::advisor::MessageChatMemoryAdvisor;
//! use vernal_core::client::ChatClient;
//! use vernal_core::memory::ChatMemory;
//! use vernal_memory::SqliteChatMemoryRepository;
//!
//! let repository = SqliteChatMemoryRepository::open("conversations.db").await?;
//! let memory = MessageChatMemoryAdvisor::new(ChatMemory::new(repository));
//! let client = ChatClient::builder(model).default_advisors(memory).build()?;
//! let answer = client.prompt("Where were we?").conversation("user-42").call().await?;
//! println!("{}", answer.content());
//! # Ok(()) }
//! ```
//!
//! What all of them keep to:
//! - Messages are stored as the JSON text that they serialise to, every part and every provider's
//!   opaque data byte for byte (rule MEM-7).
//! - An append is one change, whole or not at all, next to each other however many processes append
//!   at the same time. Repeating it has no effect, so an append whose outcome is not known is safe
//!   to repeat.
//! - Conversations are listed in the byte order of their ids.
//! - Every wait has a limit. A lost connection is an error of that operation, whose kind tells it
//!   ([`MemoryErrorKind::Connection`](vernal_core::memory::MemoryErrorKind)), and the next operation
//!   connects again.
//! - The layout has a version. An older one is brought forward when the store is opened; a newer
//!   one is an error that says so.
//! - Errors are one line that names the store, the operation, the conversation and what mends it;
//!   never a password.
//!
//! `vernal_testing::memory_conformance` is the suite that checks them; it takes any repository.

#[cfg(feature = "neo4j")]
pub mod neo4j;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "redis")]
pub mod redis;
#[cfg(feature = "sqlite")]
pub mod sqlite;

#[doc(hidden)]
#[path = "steps.rs"]
pub mod __steps;
#[cfg(any(
    feature = "sqlite",
    feature = "postgres",
    feature = "redis",
    feature = "neo4j"
))]
mod failure;
#[cfg(any(
    feature = "sqlite",
    feature = "postgres",
    feature = "redis",
    feature = "neo4j"
))]
mod record;
#[cfg(any(feature = "redis", feature = "neo4j"))]
mod slot;

#[cfg(feature = "neo4j")]
pub use neo4j::{Neo4jChatMemoryRepository, Neo4jChatMemoryRepositoryBuilder};
#[cfg(feature = "postgres")]
pub use postgres::{PostgresChatMemoryRepository, PostgresChatMemoryRepositoryBuilder};
#[cfg(feature = "redis")]
pub use redis::{RedisChatMemoryRepository, RedisChatMemoryRepositoryBuilder};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteChatMemoryRepository, SqliteChatMemoryRepositoryBuilder};
