//! Memory as advisors: outside of the tool loop, or inside of it.
//!
//! ```
//! use vernal_core::advisor::MessageChatMemoryAdvisor;
//! use vernal_core::client::ChatClient;
//! use vernal_core::memory::{ChatMemory, InMemoryChatMemoryRepository};
//! # use vernal_testing::ScriptedModel;
//!
//! # futures::executor::block_on(async {
//! # let model = ScriptedModel::new().says("Hello, Ada.").says("You are Ada.");
//! let memory = ChatMemory::new(InMemoryChatMemoryRepository::new());
//! // Outside of the loop: what was said and the answer. Behind it, `.order(…)`, every call and result too.
//! let advisor = MessageChatMemoryAdvisor::builder(memory).build();
//!
//! let client = ChatClient::builder(model).default_advisors(advisor).build()?;
//! client.prompt("I am Ada.").conversation("user-42").call().await?;
//! let response = client.prompt("Who am I?").conversation("user-42").call().await?;
//! assert_eq!(response.content(), "You are Ada.");
//! # Ok::<(), vernal_core::Error>(()) }).unwrap();
//! ```

mod advisor;
mod builder;
mod capability;
mod failure;
mod scope;
mod transcript;

pub use advisor::MessageChatMemoryAdvisor;
pub use builder::{MessageChatMemoryAdvisorBuilder, OnUnavailable};
pub use capability::MemoryAdvisor;
pub(crate) use failure::MemoryFailure;
pub(super) use scope::TurnScope;
pub(super) use transcript::finished;
