use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::Config;
use vernal_core::memory::{MemoryError, MemoryErrorKind};

use super::PostgresChatMemoryRepository;
use super::repository::STORE;
use super::sessions::{Limits, Sessions};
use crate::failure::Operation;

/// Makes a [`PostgresChatMemoryRepository`].
#[derive(Clone)]
#[must_use = "a builder does nothing until `build` or `open`"]
pub struct PostgresChatMemoryRepositoryBuilder {
    url: String,
    limits: Limits,
}

impl PostgresChatMemoryRepositoryBuilder {
    pub(super) fn new(url: String) -> Self {
        let limits = Limits {
            connect: Duration::from_secs(5),
            operation: Duration::from_secs(10),
            connections: 8,
        };
        Self { url, limits }
    }

    /// The longest wait for a new connection; 5 seconds unless given.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.limits.connect = limit;
        self
    }

    /// The longest wait for an operation, a new connection included; 10 seconds unless given. The
    /// server gives up after it too.
    pub fn operation_timeout(mut self, limit: Duration) -> Self {
        self.limits.operation = limit;
        self
    }

    /// How many connections there may be; 8 unless given.
    pub fn max_connections(mut self, count: usize) -> Self {
        self.limits.connections = count.max(1);
        self
    }

    /// The repository; it connects at the first use.
    ///
    /// # Errors
    /// When the URL is none of PostgreSQL's.
    pub fn build(self) -> Result<PostgresChatMemoryRepository, MemoryError> {
        let operation = Operation::of(STORE, "read the URL");
        // The parser's own text can hold parts of the URL, so it is not passed on.
        let config = Config::from_str(&self.url)
            .ok()
            .filter(|config| !config.get_hosts().is_empty());
        let config = config.ok_or_else(|| {
            let fix = "write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for @";
            operation.refused(
                MemoryErrorKind::InvalidRequest,
                "it is no PostgreSQL URL",
                fix,
            )
        })?;
        let sessions =
            Sessions::new(config, self.limits).map_err(|problem| problem.of(&operation))?;
        Ok(PostgresChatMemoryRepository {
            sessions: Arc::new(sessions),
        })
    }

    /// The repository, connected, with its tables brought up to date.
    ///
    /// # Errors
    /// When the URL is none of PostgreSQL's, the server cannot be reached or refuses, or the tables
    /// were made by a later version.
    pub async fn open(self) -> Result<PostgresChatMemoryRepository, MemoryError> {
        let repository = self.build()?;
        repository.check().await?;
        Ok(repository)
    }
}

impl fmt::Debug for PostgresChatMemoryRepositoryBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PostgresChatMemoryRepositoryBuilder");
        shown.field("limits", &self.limits).finish_non_exhaustive()
    }
}
