//! What is said in a conversation: messages made of ordered parts, and a history that is cheap to share.
//!
//! A [`Message`] has a [`Role`] and ordered [`Part`]s; each part may carry the opaque data of the
//! provider that made it, kept byte for byte so that it can be sent back (design rule 5). A
//! [`History`] shares its messages: many rounds and requests hold one copy.
//!
//! ```
//! use vernal_core::message::{History, Message};
//!
//! let mut history = History::from_iter([Message::system("Be brief."), Message::user("Hi!")]);
//! let sent = history.clone(); // shares both messages
//! history.push(Message::assistant("Hello."));
//! assert_eq!(sent.len(), 2);
//! assert_eq!(history.last().unwrap().text(), "Hello.");
//! ```

mod encoded;
mod finish;
mod history;
mod id;
mod media;
#[allow(clippy::module_inception)] // the file of the type `Message`
mod message;
mod part;
mod role;
mod tool_call;
mod tool_response;
mod usage;
mod version;

pub use encoded::{DialectKey, EncodedOnce};
pub use finish::FinishReason;
pub use history::History;
pub use id::MessageId;
pub use media::{Media, MediaSource};
pub use message::Message;
pub use part::{Part, PartContent, ProviderData};
pub use role::Role;
pub use tool_call::{RawArguments, ToolCall};
pub use tool_response::{ToolContent, ToolOutcome, ToolResponse};
pub use usage::Usage;
pub(crate) use version::FormatVersion;
