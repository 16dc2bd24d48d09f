use std::fmt;
use std::sync::Arc;

use super::{MemoryError, MemoryErrorKind};

/// Which conversation messages belong to. There is no default: a conversation is always named (rule
/// MEM-1).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConversationId(Arc<str>);

impl ConversationId {
    /// The longest id, in bytes.
    pub const MAX_BYTES: usize = 512;

    /// The conversation of this id: any text that is not blank, in any script.
    ///
    /// # Errors
    /// A blank id, one of more than 512 bytes, or one with a NUL character, which some databases refuse.
    pub fn new(id: impl Into<Arc<str>>) -> Result<Self, MemoryError> {
        let id = id.into();
        let problem = if id.trim().is_empty() {
            "the conversation id is blank; give the id of the conversation, such as a user's"
                .to_owned()
        } else if id.len() > Self::MAX_BYTES {
            format!(
                "the conversation id has {} bytes; at most {} are allowed",
                id.len(),
                Self::MAX_BYTES
            )
        } else if id.contains('\0') {
            "the conversation id contains a NUL character".to_owned()
        } else {
            return Ok(Self(id));
        };
        Err(MemoryError::new(MemoryErrorKind::InvalidRequest, problem))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<ConversationId> for Arc<str> {
    fn from(id: ConversationId) -> Self {
        id.0
    }
}
