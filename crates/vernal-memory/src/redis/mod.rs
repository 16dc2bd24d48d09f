//! Conversations in Redis 6.2 or later, one server or a cluster; no modules.
//!
//! A conversation is one hash, so it is in one slot of a cluster, expires as a whole and is evicted
//! as a whole. An append is one script, which the server runs without a break. The ids of
//! conversations are kept in 16 sorted sets besides, so that the list needs no scan of all keys; an
//! id is in its set before its conversation exists, and a list shows those that do.
//!
//! ```no_run
//! use std::sync::Arc;
//! use std::time::Duration;
//! use vernal_core::memory::{ChatMemoryRepository, ConversationId};
//! use vernal_core::message::Message;
//! use vernal_memory::RedisChatMemoryRepository;
//!
//! # async fn example() -> Result<(), vernal_core::memory::MemoryError> {
//! let month = Duration::from_secs(30 * 24 * 3600);
//! let repository = RedisChatMemoryRepository::builder("redis://:password@localhost/")
//!     .time_to_live(month) // after the last append
//!     .open()
//!     .await?;
//! let conversation = ConversationId::new("user-42")?;
//! repository.append(&conversation, &[Arc::new(Message::user("Hi!"))]).await?;
//! # Ok(()) }
//! ```
//!
//! What survives a crash of the server is up to its settings: `appendonly yes` keeps what was
//! acknowledged if the process dies, and `appendfsync always` also if the machine does. A replica
//! that takes over may lack the last appends. Connections are not encrypted: keep the server on a
//! network of its own, or reach it through a proxy that encrypts.

mod builder;
mod index;
mod keys;
mod link;
mod problem;
mod repository;
mod scripts;

pub use builder::RedisChatMemoryRepositoryBuilder;
pub use repository::RedisChatMemoryRepository;
