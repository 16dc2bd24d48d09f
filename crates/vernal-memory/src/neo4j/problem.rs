use std::io;

use neo4rs::{DeError, Error};
use vernal_core::memory::{MemoryError, MemoryErrorKind};

use crate::failure::{Operation, chain, find};

/// What can go wrong beneath an operation.
#[derive(Debug)]
pub(super) enum Problem {
    /// The driver's error, or the server's.
    Neo4j(Box<Error>),
    /// The layout is of a later version.
    NewerLayout { found: i64, known: i64 },
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::Neo4j(Box::new(error))
    }
}

impl From<DeError> for Problem {
    fn from(error: DeError) -> Self {
        Error::from(error).into()
    }
}

impl Problem {
    /// Whether the connections should not be used again.
    pub(super) fn is_of_the_connection(&self) -> bool {
        use MemoryErrorKind::{Connection, Timeout};
        matches!(self, Self::Neo4j(error) if matches!(advice(error).0, Connection | Timeout))
    }

    /// Whether a node was deleted between being found and being used.
    pub(super) fn is_a_lost_race(&self) -> bool {
        let Self::Neo4j(error) = self else {
            return false;
        };
        matches!(&**error, Error::Neo4j(said) if said.code() == "Neo.ClientError.Statement.EntityNotFound")
    }

    /// The error of the operation that met this.
    pub(super) fn of(self, operation: &Operation<'_>) -> MemoryError {
        match self {
            Self::NewerLayout { found, known } => operation.newer_layout(found, known),
            Self::Neo4j(error) => {
                let (kind, fix) = advice(&error);
                operation.failed(kind, chain(&*error), fix, error)
            }
        }
    }
}

const UNREACHABLE: &str = "check that the server runs and can be reached; repeating is safe";
const BUSY: &str =
    "check the server's load, or give it more time with `operation_timeout`; repeating is safe";
const CREDENTIALS: &str = "check user and password";

fn advice(error: &Error) -> (MemoryErrorKind, &'static str) {
    use MemoryErrorKind::{Connection, Data, Store, Timeout};
    match error {
        Error::Neo4j(said) => code_advice(said.code()),
        Error::AuthenticationError(_) => (Store, CREDENTIALS),
        Error::DeserializationError(_) | Error::ConversionError => (
            Data,
            "keep other programs away from the nodes :VernalConversation and :VernalMessage",
        ),
        Error::ConnectionTimedOut => (Timeout, UNREACHABLE),
        Error::UnsupportedVersion(..) | Error::ProtocolMismatch(_) => {
            (Store, "name the port on which the server speaks Bolt")
        }
        other => match find::<io::Error>(other).map(io::Error::kind) {
            Some(io::ErrorKind::TimedOut) => (Timeout, UNREACHABLE),
            // What is left of the driver's errors are conversations that broke off.
            _ => (Connection, UNREACHABLE),
        },
    }
}

fn code_advice(code: &str) -> (MemoryErrorKind, &'static str) {
    use MemoryErrorKind::{Connection, Store, Timeout};
    let mut parts = code.split('.').skip(1);
    match (parts.next(), parts.next(), parts.next()) {
        (_, Some("Security"), _) => (Store, CREDENTIALS),
        (_, Some("Database"), Some("DatabaseNotFound")) => (Store, "name a database that exists"),
        (_, Some("Transaction"), Some(what)) if what.contains("Time") => (Timeout, BUSY),
        (Some("TransientError"), Some("Transaction"), _) => (Timeout, BUSY),
        (Some("TransientError"), Some("General" | "Database"), _) => (Connection, UNREACHABLE),
        (_, Some("Cluster"), _) => (Connection, "name a member of the cluster that writes"),
        _ => (Store, "the server's log may say more"),
    }
}
