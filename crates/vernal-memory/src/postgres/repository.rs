use std::fmt;
use std::sync::Arc;

use vernal_core::memory::{ChatMemoryRepository, ConversationId, MemoryError, MemoryFuture};
use vernal_core::message::{Message, MessageId};

use super::PostgresChatMemoryRepositoryBuilder;
use super::problem::Problem;
use super::queries;
use super::sessions::Sessions;
use crate::failure::Operation;
use crate::record::{messages, records};

pub(super) const STORE: &str = "postgres";

/// Keeps conversations in a PostgreSQL database. Copies share its connections.
#[derive(Clone)]
pub struct PostgresChatMemoryRepository {
    pub(super) sessions: Arc<Sessions>,
}

impl PostgresChatMemoryRepository {
    /// Settings for the database at a URL, such as `postgres://user:password@host/database`.
    pub fn builder(url: impl Into<String>) -> PostgresChatMemoryRepositoryBuilder {
        PostgresChatMemoryRepositoryBuilder::new(url.into())
    }

    /// Whether the database can be used: connects and makes the tables if need be.
    ///
    /// # Errors
    /// What keeps it from being used.
    pub async fn check(&self) -> Result<(), MemoryError> {
        let operation = Operation::of(STORE, "open the database");
        self.within(operation, async {
            let session = self.sessions.take().await?;
            session.give_back();
            Ok(())
        })
        .await
    }

    /// The work in bounded time, its problems as errors of the operation.
    async fn within<T>(
        &self,
        operation: Operation<'_>,
        work: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, MemoryError> {
        let work = async { work.await.map_err(|problem| problem.of(&operation)) };
        operation.within(self.sessions.limits.operation, work).await
    }
}

impl ChatMemoryRepository for PostgresChatMemoryRepository {
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
            let load = async {
                let mut session = self.sessions.take().await?;
                let bodies =
                    queries::load(session.client()?, conversation.as_str(), newest).await?;
                session.give_back();
                Ok(bodies)
            };
            messages(self.within(operation, load).await?, &operation)
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
            let append = async {
                let mut session = self.sessions.take().await?;
                queries::append(session.client()?, conversation.as_str(), &records).await?;
                session.give_back();
                Ok(())
            };
            self.within(operation, append).await
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
            let (id, through) = (conversation.as_str(), through.to_string());
            let replace = async {
                let mut session = self.sessions.take().await?;
                let client = session.client()?;
                let done = queries::replace_through(client, id, &through, &records).await?;
                session.give_back();
                Ok(done)
            };
            self.within(operation, replace).await
        })
    }

    fn delete<'a>(&'a self, conversation: &'a ConversationId) -> MemoryFuture<'a, ()> {
        Box::pin(async move {
            let operation = Operation::on(STORE, "delete", conversation);
            let delete = async {
                let mut session = self.sessions.take().await?;
                queries::delete(session.client()?, conversation.as_str()).await?;
                session.give_back();
                Ok(())
            };
            self.within(operation, delete).await
        })
    }

    fn conversations<'a>(
        &'a self,
        after: Option<&'a ConversationId>,
        limit: usize,
    ) -> MemoryFuture<'a, Vec<ConversationId>> {
        Box::pin(async move {
            let operation = Operation::of(STORE, "list conversations");
            let list = async {
                let mut session = self.sessions.take().await?;
                let after = after.map(ConversationId::as_str);
                let ids = queries::conversations(session.client()?, after, limit).await?;
                session.give_back();
                Ok(ids)
            };
            let ids = self.within(operation, list).await?;
            ids.into_iter().map(ConversationId::new).collect()
        })
    }
}

impl fmt::Debug for PostgresChatMemoryRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PostgresChatMemoryRepository")
    }
}
