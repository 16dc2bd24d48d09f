use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use neo4rs::ConfigBuilder;
use vernal_core::memory::{MemoryError, MemoryErrorKind};

use super::Neo4jChatMemoryRepository;
use super::graph::Database;
use super::repository::STORE;
use crate::failure::Operation;

/// Makes a [`Neo4jChatMemoryRepository`].
#[derive(Clone)]
#[must_use = "a builder does nothing until `build` or `open`"]
pub struct Neo4jChatMemoryRepositoryBuilder {
    url: String,
    user: String,
    password: String,
    database: Option<String>,
    operation_timeout: Duration,
    max_connections: usize,
}

impl Neo4jChatMemoryRepositoryBuilder {
    pub(super) fn new(url: String) -> Self {
        Self {
            url,
            user: String::new(),
            password: String::new(),
            database: None,
            operation_timeout: Duration::from_secs(10),
            max_connections: 8,
        }
    }

    /// The user and the password.
    pub fn credentials(mut self, user: impl Into<String>, password: impl Into<String>) -> Self {
        self.user = user.into();
        self.password = password.into();
        self
    }

    /// The database; the server's default unless given.
    pub fn database(mut self, name: impl Into<String>) -> Self {
        self.database = Some(name.into());
        self
    }

    /// The longest wait for an operation, a new connection included; 10 seconds unless given.
    pub fn operation_timeout(mut self, limit: Duration) -> Self {
        self.operation_timeout = limit;
        self
    }

    /// How many connections there may be; 8 unless given.
    pub fn max_connections(mut self, count: usize) -> Self {
        self.max_connections = count.max(1);
        self
    }

    /// The repository; it connects at the first use.
    ///
    /// # Errors
    /// When the URL is none of Neo4j's.
    pub fn build(self) -> Result<Neo4jChatMemoryRepository, MemoryError> {
        let limit = self.operation_timeout;
        let mut config = ConfigBuilder::default()
            .uri(self.url)
            .user(self.user)
            .password(self.password)
            .connection_timeout(limit)
            .max_connections(self.max_connections);
        if let Some(database) = self.database {
            config = config.db(database);
        }
        // The parser's own text can hold parts of the URL, so it is not passed on.
        let database = config
            .build()
            .and_then(|config| Database::new(config, limit));
        let database = database.map_err(|_| {
            let operation = Operation::of(STORE, "read the URL");
            let fix = "write it as bolt://HOST:PORT, and give user and password to `credentials`";
            operation.refused(MemoryErrorKind::InvalidRequest, "it is no Neo4j URL", fix)
        })?;
        Ok(Neo4jChatMemoryRepository {
            database: Arc::new(database),
        })
    }

    /// The repository, connected, with its constraints made and its layout brought up to date.
    ///
    /// # Errors
    /// When the URL is none of Neo4j's, the server cannot be reached or refuses, or the layout is of
    /// a later version.
    pub async fn open(self) -> Result<Neo4jChatMemoryRepository, MemoryError> {
        let repository = self.build()?;
        repository.check().await?;
        Ok(repository)
    }
}

impl fmt::Debug for Neo4jChatMemoryRepositoryBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neo4jChatMemoryRepositoryBuilder")
            .field("database", &self.database)
            .field("operation_timeout", &self.operation_timeout)
            .field("max_connections", &self.max_connections)
            .finish_non_exhaustive()
    }
}
