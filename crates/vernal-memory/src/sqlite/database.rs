//! The connection: opened at the first use, and again after it failed.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::problem::Problem;
use super::schema;

/// How long to wait before the mode of a file that others are at is changed again.
const PAUSE: Duration = Duration::from_millis(5);

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
        self.write_ahead(&connection)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.set_prepared_statement_cache_capacity(16);
        schema::migrate(&mut connection, schema::MIGRATIONS)?;
        Ok(connection)
    }

    /// Has changes written ahead. A new file's mode changes only while nobody else is at it, and SQLite
    /// does not wait for that by itself, whatever its busy timeout.
    fn write_ahead(&self, connection: &Connection) -> Result<(), Problem> {
        let began = Instant::now();
        loop {
            // Answers with the mode, which is `memory` for a database in memory.
            let changed = connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()));
            match changed.map_err(Problem::from) {
                Err(problem) if problem.is_of_a_lock() && began.elapsed() < self.busy => {
                    thread::sleep(PAUSE);
                }
                changed => return changed,
            }
        }
    }
}
