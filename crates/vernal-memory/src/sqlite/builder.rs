use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use vernal_core::memory::MemoryError;

use super::SqliteChatMemoryRepository;
use super::database::{Database, Place};
use super::worker::Worker;

/// Makes a [`SqliteChatMemoryRepository`].
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `build` or `open`"]
pub struct SqliteChatMemoryRepositoryBuilder {
    place: Place,
    operation_timeout: Duration,
}

impl SqliteChatMemoryRepositoryBuilder {
    pub(super) fn file(path: PathBuf) -> Self {
        Self {
            place: Place::File(path),
            operation_timeout: Duration::from_secs(10),
        }
    }

    pub(super) fn memory() -> Self {
        Self {
            place: Place::Memory,
            operation_timeout: Duration::from_secs(10),
        }
    }

    /// The longest wait for an operation, other processes' locks included; 10 seconds unless given.
    pub fn operation_timeout(mut self, limit: Duration) -> Self {
        self.operation_timeout = limit;
        self
    }

    /// The repository; the file is opened, and created if need be, at the first use.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn build(self) -> Result<SqliteChatMemoryRepository, MemoryError> {
        let limit = self.operation_timeout;
        let worker = Worker::start(Database::new(self.place, limit))?;
        Ok(SqliteChatMemoryRepository {
            worker: Arc::new(worker),
            limit,
        })
    }

    /// The repository, with its file opened and its tables brought up to date.
    ///
    /// # Errors
    /// When the file cannot be opened, is no SQLite database, or was written by a later version.
    pub async fn open(self) -> Result<SqliteChatMemoryRepository, MemoryError> {
        let repository = self.build()?;
        repository.check().await?;
        Ok(repository)
    }
}
