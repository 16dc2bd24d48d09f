use std::io;

use deadpool_postgres::{HookError, PoolError};
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;
use vernal_core::memory::{MemoryError, MemoryErrorKind};

use crate::failure::{Operation, chain, find};

/// What can go wrong beneath an operation.
#[derive(Debug)]
pub(super) enum Problem {
    /// The driver's error, or the server's.
    Postgres(Error),
    /// No connection was free, or made, in time.
    NoConnectionInTime,
    /// There is no pool of connections.
    NoPool,
    /// The tables are of a later version.
    NewerLayout { found: i64, known: i64 },
    /// The database keeps text in an encoding that cannot hold all of it.
    Encoding(String),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::Postgres(error)
    }
}

impl From<PoolError> for Problem {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
                Self::Postgres(error)
            }
            PoolError::Timeout(_) => Self::NoConnectionInTime,
            _ => Self::NoPool,
        }
    }
}

impl Problem {
    /// The error of the operation that met this.
    pub(super) fn of(self, operation: &Operation<'_>) -> MemoryError {
        let error = match self {
            Self::Postgres(error) => error,
            Self::NewerLayout { found, known } => return operation.newer_layout(found, known),
            Self::NoConnectionInTime => {
                return operation.refused(
                    MemoryErrorKind::Timeout,
                    "no connection in time",
                    "check that the server can be reached, or allow more with `max_connections`",
                );
            }
            Self::NoPool => {
                let fix = "use it in a tokio runtime";
                return operation.refused(
                    MemoryErrorKind::Store,
                    "no connections can be made",
                    fix,
                );
            }
            Self::Encoding(found) => {
                return operation.refused(
                    MemoryErrorKind::Store,
                    format_args!("the database's encoding is {found}"),
                    "make one with ENCODING 'UTF8', which holds every text",
                );
            }
        };
        let (kind, fix) = advice(&error);
        operation.failed(kind, chain(&error), fix, error)
    }
}

const UNREACHABLE: &str = "check that the server runs and can be reached; repeating is safe";

fn advice(error: &Error) -> (MemoryErrorKind, &'static str) {
    if let Some(state) = error.code() {
        return state_advice(state);
    }
    match find::<io::Error>(error).map(io::Error::kind) {
        Some(io::ErrorKind::TimedOut) => (MemoryErrorKind::Timeout, UNREACHABLE),
        Some(_) => (MemoryErrorKind::Connection, UNREACHABLE),
        None if error.is_closed() => (MemoryErrorKind::Connection, UNREACHABLE),
        None => (
            MemoryErrorKind::Store,
            "check the URL's settings, such as sslmode and password",
        ),
    }
}

fn state_advice(state: &SqlState) -> (MemoryErrorKind, &'static str) {
    let connection = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    match state.code().get(..2) {
        _ if connection.contains(state) => (MemoryErrorKind::Connection, UNREACHABLE),
        Some("08") => (MemoryErrorKind::Connection, UNREACHABLE),
        _ if [SqlState::QUERY_CANCELED, SqlState::LOCK_NOT_AVAILABLE].contains(state) => (
            MemoryErrorKind::Timeout,
            "check the server's load, or give it more time with `operation_timeout`; repeating is safe",
        ),
        Some("28") => (MemoryErrorKind::Store, "check the user and the password"),
        Some("3D") => (
            MemoryErrorKind::Store,
            "make the database, or name another one",
        ),
        Some("42") => (
            MemoryErrorKind::Store,
            "give the user the right to make and use its tables",
        ),
        Some("53") => (
            MemoryErrorKind::Store,
            "give the server more room, then repeat it",
        ),
        _ => (MemoryErrorKind::Store, "the server's log says more"),
    }
}
