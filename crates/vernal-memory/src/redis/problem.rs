use redis::{ErrorKind, RedisError, ServerErrorKind};
use vernal_core::memory::{MemoryError, MemoryErrorKind};

use crate::failure::{Operation, chain};

/// What can go wrong beneath an operation.
#[derive(Debug)]
pub(super) enum Problem {
    /// The client's error, or the server's.
    Redis(RedisError),
    /// The conversation has a later layout.
    NewerLayout { found: i64, known: i64 },
    /// A stored value is none of vernal's.
    Foreign,
}

impl From<RedisError> for Problem {
    fn from(error: RedisError) -> Self {
        Self::Redis(error)
    }
}

impl Problem {
    /// Whether the connection should not be used again.
    pub(super) fn is_of_the_connection(&self) -> bool {
        matches!(self, Self::Redis(error) if !matches!(advice(error).0, MemoryErrorKind::Store))
    }

    /// The error of the operation that met this.
    pub(super) fn of(self, operation: &Operation<'_>) -> MemoryError {
        match self {
            Self::NewerLayout { found, known } => operation.newer_layout(found, known),
            Self::Foreign => operation.refused(
                MemoryErrorKind::Data,
                "a key holds something that vernal did not write",
                "keep other programs away from its keys, or choose another `key_prefix`",
            ),
            Self::Redis(error) => {
                let (kind, fix) = advice(&error);
                operation.failed(kind, chain(&error), fix, error)
            }
        }
    }
}

const UNREACHABLE: &str = "check that the server runs and can be reached; repeating is safe";

fn advice(error: &RedisError) -> (MemoryErrorKind, &'static str) {
    use ServerErrorKind::{BusyLoading, ClusterDown, MasterDown, NoPerm, ReadOnly, TryAgain};
    if error.is_timeout() {
        return (MemoryErrorKind::Timeout, UNREACHABLE);
    }
    match error.kind() {
        ErrorKind::Io | ErrorKind::ClusterConnectionNotFound => {
            (MemoryErrorKind::Connection, UNREACHABLE)
        }
        ErrorKind::Server(BusyLoading | ClusterDown | MasterDown | TryAgain | ReadOnly) => {
            (MemoryErrorKind::Connection, UNREACHABLE)
        }
        ErrorKind::AuthenticationFailed => (
            MemoryErrorKind::Store,
            "check the user and the password in the URL",
        ),
        ErrorKind::Server(NoPerm) => (
            MemoryErrorKind::Store,
            "give the user the right to run scripts on its keys",
        ),
        _ if error.code() == Some("NOAUTH") => {
            (MemoryErrorKind::Store, "put the password into the URL")
        }
        _ if error.code() == Some("OOM") => (
            MemoryErrorKind::Store,
            "give the server more memory, or conversations a `time_to_live`",
        ),
        _ if error.is_connection_dropped() || error.is_unrecoverable_error() => {
            (MemoryErrorKind::Connection, UNREACHABLE)
        }
        _ => (MemoryErrorKind::Store, "the server's log may say more"),
    }
}
