//! Memory as advisors: outside of the tool loop, or inside of it.

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
