//! The connection: opened at the first use, and again after it failed.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::Connection;

use super::problem::Problem;
use super::schema;

/// Where the data is.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// In a file.
    File(PathBuf),
    /// In this process, for as long as the repository lives.
    Memory,
}

/// A database that is opened when it is needed.
pub(super) struct Database {
    place: Place,
    busy: Duration,
    open: Option<Connection>,
}

impl Database {
    pub(super) fn new(place: Place, busy: Duration) -> Self {
        Self {
            place,
            busy,
            open: None,
        }
    }

    /// Does the work on the connection. After a failure of the file itself the next work opens anew.
    pub(super) fn with<T>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self.open.is_none() {
            self.open = Some(self.connect()?);
        }
        let Some(connection) = self.open.as_mut() else {
            return Err(Problem::Gone);
        };
        let done = work(connection);
        let lost = done.as_ref().is_err_and(Problem::is_of_the_file);
        if lost && matches!(self.place, Place::File(_)) {
            self.open = None;
        }
        done
    }

    fn connect(&self) -> Result<Connection, Problem> {
        let mut connection = match &self.place {
            Place::File(path) => Connection::open(path)?,
            Place::Memory => Connection::open_in_memory()?,
        };
        connection.busy_timeout(self.busy)?;
        // Answers with the mode, which is `memory` for a database in memory.
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.set_prepared_statement_cache_capacity(16);
        schema::migrate(&mut connection, schema::MIGRATIONS)?;
        Ok(connection)
    }
}
