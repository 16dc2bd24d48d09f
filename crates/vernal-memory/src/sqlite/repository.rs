use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use vernal_core::memory::{ChatMemoryRepository, ConversationId, MemoryError, MemoryFuture};
use vernal_core::message::{Message, MessageId};

use super::SqliteChatMemoryRepositoryBuilder;
use super::problem::Problem;
use super::queries;
use super::worker::Worker;
use crate::failure::Operation;
use crate::record::{messages, records};

const STORE: &str = "sqlite";

/// Keeps conversations in a SQLite database. Copies share its connection.
#[derive(Clone)]
pub struct SqliteChatMemoryRepository {
    pub(super) worker: Arc<Worker>,
    pub(super) limit: Duration,
}

impl SqliteChatMemoryRepository {
    /// Opens a file, which is created if need be.
    ///
    /// # Errors
    /// When the file cannot be opened, is no SQLite database, or was written by a later version.
    pub async fn open(path: impl Into<PathBuf>) -> Result<Self, MemoryError> {
        Self::builder(path).open().await
    }

    /// A database in the memory of this process; it is gone with the last copy.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn in_memory() -> Result<Self, MemoryError> {
        SqliteChatMemoryRepositoryBuilder::memory().build()
    }

    /// Settings for a file.
    pub fn builder(path: impl Into<PathBuf>) -> SqliteChatMemoryRepositoryBuilder {
        SqliteChatMemoryRepositoryBuilder::file(path.into())
    }

    /// Whether the database can be used: opens it if need be.
    ///
    /// # Errors
    /// What keeps it from being used.
    pub async fn check(&self) -> Result<(), MemoryError> {
        self.run(Operation::of(STORE, "open the database"), |_| Ok(()))
            .await
    }

    async fn run<T: Send + 'static>(
        &self,
        operation: Operation<'_>,
        work: impl FnOnce(&mut Connection) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, MemoryError> {
        let done = async {
            self.worker
                .run(work)
                .await
                .map_err(|problem| problem.of(&operation))
        };
        operation.within(self.limit, done).await
    }
}

impl ChatMemoryRepository for SqliteChatMemoryRepository {
    fn name(&self) -> &str {
        STORE
    }

    fn load<'a>(
        &'a self,
        conversation: &'a ConversationId,
        newest: Option<usize>,
    ) -> MemoryFuture<'a, Vec<Arc<Message>>> {
        Box::pin(async move {
            let operation = Operation::on(STORE, "load", conversation);
            let id = conversation.clone();
            let load = move |connection: &mut _| queries::load(connection, id.as_str(), newest);
            messages(self.run(operation, load).await?, &operation)
        })
    }

    fn append<'a>(
        &'a self,
        conversation: &'a ConversationId,
        messages: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, ()> {
        Box::pin(async move {
            let operation = Operation::on(STORE, "append to", conversation);
            let records = records(messages, &operation)?;
            if records.is_empty() {
                return Ok(());
            }
            let id = conversation.clone();
            let append =
                move |connection: &mut _| queries::append(connection, id.as_str(), &records);
            self.run(operation, append).await
        })
    }

    fn replace_through<'a>(
        &'a self,
        conversation: &'a ConversationId,
        through: MessageId,
        replacement: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, bool> {
        Box::pin(async move {
            let operation = Operation::on(STORE, "replace messages of", conversation);
            let records = records(replacement, &operation)?;
            let (id, through) = (conversation.clone(), through.to_string());
            let replace = move |connection: &mut _| {
                queries::replace_through(connection, id.as_str(), &through, &records)
            };
            self.run(operation, replace).await
        })
    }

    fn delete<'a>(&'a self, conversation: &'a ConversationId) -> MemoryFuture<'a, ()> {
        Box::pin(async move {
            let operation = Operation::on(STORE, "delete", conversation);
            let id = conversation.clone();
            self.run(operation, move |connection| {
                queries::delete(connection, id.as_str())
            })
            .await
        })
    }

    fn conversations<'a>(
        &'a self,
        after: Option<&'a ConversationId>,
        limit: usize,
    ) -> MemoryFuture<'a, Vec<ConversationId>> {
        Box::pin(async move {
            let operation = Operation::of(STORE, "list conversations");
            let after = after.cloned();
            let list = move |connection: &mut _| {
                queries::conversations(
                    connection,
                    after.as_ref().map(ConversationId::as_str),
                    limit,
                )
            };
            let ids = self.run(operation, list).await?;
            ids.into_iter().map(ConversationId::new).collect()
        })
    }
}

impl fmt::Debug for SqliteChatMemoryRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SqliteChatMemoryRepository")
    }
}
