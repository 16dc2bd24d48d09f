use rusqlite::{Error, ErrorCode};
use vernal_core::memory::{MemoryError, MemoryErrorKind};

use crate::failure::Operation;

/// What can go wrong beneath an operation.
#[derive(Debug)]
pub(super) enum Problem {
    /// SQLite's own error.
    Sqlite(Error),
    /// The tables are of a later version.
    NewerLayout { found: i64, known: i64 },
    /// There is no connection, or the thread that holds it ended.
    Gone,
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Problem {
    fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Sqlite(error) => error.sqlite_error_code(),
            Self::NewerLayout { .. } | Self::Gone => None,
        }
    }

    /// Whether the file cannot be read or written, so that opening it again may help.
    pub(super) fn is_of_the_file(&self) -> bool {
        use ErrorCode::{CannotOpen, DatabaseCorrupt, NotADatabase, ReadOnly, SystemIoFailure};
        let of_the_file = [
            CannotOpen,
            DatabaseCorrupt,
            NotADatabase,
            ReadOnly,
            SystemIoFailure,
        ];
        self.code().is_some_and(|code| of_the_file.contains(&code))
    }

    /// Whether somebody else holds a lock.
    pub(super) fn is_of_a_lock(&self) -> bool {
        use ErrorCode::{DatabaseBusy, DatabaseLocked};
        matches!(self.code(), Some(DatabaseBusy | DatabaseLocked))
    }

    /// The error of the operation that met this.
    pub(super) fn of(self, operation: &Operation<'_>) -> MemoryError {
        let code = self.code();
        let error = match self {
            Self::NewerLayout { found, known } => return operation.newer_layout(found, known),
            Self::Gone => {
                let fix = "make the repository anew";
                return operation.refused(MemoryErrorKind::Connection, "its thread ended", fix);
            }
            Self::Sqlite(error) => error,
        };
        let (kind, fix) = advice(code);
        let said = error.to_string();
        operation.failed(kind, said, fix, error)
    }
}

fn advice(code: Option<ErrorCode>) -> (MemoryErrorKind, &'static str) {
    match code {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
            MemoryErrorKind::Timeout,
            "another process holds the file's lock; repeat it, or wait longer with `operation_timeout`",
        ),
        Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => (
            MemoryErrorKind::Connection,
            "check that the file's folder exists and can be read and written",
        ),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => (
            MemoryErrorKind::Store,
            "give the process the right to write the file and its folder",
        ),
        Some(ErrorCode::DiskFull) => (MemoryErrorKind::Store, "free some space, then repeat it"),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => (
            MemoryErrorKind::Data,
            "name another file, or restore this one",
        ),
        _ => (
            MemoryErrorKind::Store,
            "the file's tables may not be vernal's own",
        ),
    }
}
