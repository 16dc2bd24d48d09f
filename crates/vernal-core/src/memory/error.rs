use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

/// Why messages could not be kept or read.
///
/// Opaque: ask it with its predicates. Its text is one line without addresses' credentials.
#[derive(Clone)]
pub struct MemoryError(Arc<Inner>);

struct Inner {
    kind: MemoryErrorKind,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The kinds of failures, for repositories to make and for the predicates to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemoryErrorKind {
    /// What was asked for cannot be meant.
    InvalidRequest,
    /// No connection to the store, or it broke: whether the last append took place is not known, and
    /// appending the same messages again is safe.
    Connection,
    /// The store did not answer in time; the same holds.
    Timeout,
    /// Stored data was written by a newer version of vernal, or is damaged.
    Data,
    /// The store refused.
    Store,
}

impl MemoryError {
    /// An error of a kind, with its line of text.
    pub fn new(kind: MemoryErrorKind, message: impl Into<String>) -> Self {
        Self(Arc::new(Inner {
            kind,
            message: message.into(),
            source: None,
        }))
    }

    /// An error of a kind, with its line of text and the error beneath.
    pub fn with_source(
        kind: MemoryErrorKind,
        message: impl Into<String>,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self(Arc::new(Inner {
            kind,
            message: message.into(),
            source: Some(source.into()),
        }))
    }

    /// What went wrong.
    pub fn kind(&self) -> MemoryErrorKind {
        self.0.kind
    }

    /// Whether the store could not be reached, or not in time.
    pub fn is_unavailable(&self) -> bool {
        matches!(
            self.0.kind,
            MemoryErrorKind::Connection | MemoryErrorKind::Timeout
        )
    }

    /// Whether the store did not answer in time.
    pub fn is_timeout(&self) -> bool {
        self.0.kind == MemoryErrorKind::Timeout
    }

    /// Whether stored data could not be read.
    pub fn is_data(&self) -> bool {
        self.0.kind == MemoryErrorKind::Data
    }
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryError")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .finish_non_exhaustive()
    }
}

impl StdError for MemoryError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
