use std::fmt;
use std::sync::Arc;

use neo4rs::Graph;
use vernal_core::memory::{ChatMemoryRepository, ConversationId, MemoryError, MemoryFuture};
use vernal_core::message::{Message, MessageId};

use super::Neo4jChatMemoryRepositoryBuilder;
use super::graph::Database;
use super::problem::Problem;
use super::queries;
use crate::failure::Operation;
use crate::record::{messages, records};

pub(super) const STORE: &str = "neo4j";

/// Keeps conversations in a Neo4j database. Copies share its connections.
#[derive(Clone)]
pub struct Neo4jChatMemoryRepository {
    pub(super) database: Arc<Database>,
}

impl Neo4jChatMemoryRepository {
    /// Settings for the server at a URL such as `bolt://localhost:7687`.
    pub fn builder(url: impl Into<String>) -> Neo4jChatMemoryRepositoryBuilder {
        Neo4jChatMemoryRepositoryBuilder::new(url.into())
    }

    /// Whether the database can be used: connects and makes its constraints if need be.
    ///
    /// # Errors
    /// What keeps it from being used.
    pub async fn check(&self) -> Result<(), MemoryError> {
        let operation = Operation::of(STORE, "open the database");
        self.with(operation, async |graph: &Graph| {
            Ok(graph.run(neo4rs::query("RETURN 1")).await?)
        })
        .await
    }

    /// The work on the graph in bounded time, its problems as errors of the operation.
    async fn with<T, W>(&self, operation: Operation<'_>, work: W) -> Result<T, MemoryError>
    where
        W: AsyncFnOnce(&Graph) -> Result<T, Problem>,
    {
        let work = async {
            let session = self.database.take().await?;
            // The driver's futures are deep; a compiler that looks through all of them gives up.
            let result = Box::pin(work(session.graph())).await;
            session.settle(result)
        };
        let work = async { work.await.map_err(|problem| problem.of(&operation)) };
        operation.within(self.database.limit, work).await
    }
}

impl ChatMemoryRepository for Neo4jChatMemoryRepository {
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
            let load = async |graph: &Graph| queries::load(graph, conversation, newest).await;
            messages(self.with(operation, load).await?, &operation)
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
            let append = async |graph: &Graph| queries::append(graph, conversation, &records).await;
            self.with(operation, append).await
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
            let through = through.to_string();
            let replace = async |graph: &Graph| {
                queries::replace_through(graph, conversation, &through, &records).await
            };
            self.with(operation, replace).await
        })
    }

    fn delete<'a>(&'a self, conversation: &'a ConversationId) -> MemoryFuture<'a, ()> {
        Box::pin(async move {
            let operation = Operation::on(STORE, "delete", conversation);
            let delete = async |graph: &Graph| queries::delete(graph, conversation).await;
            self.with(operation, delete).await
        })
    }

    fn conversations<'a>(
        &'a self,
        after: Option<&'a ConversationId>,
        limit: usize,
    ) -> MemoryFuture<'a, Vec<ConversationId>> {
        Box::pin(async move {
            let operation = Operation::of(STORE, "list conversations");
            let list = async |graph: &Graph| queries::conversations(graph, after, limit).await;
            let ids = self.with(operation, list).await?;
            ids.into_iter().map(ConversationId::new).collect()
        })
    }
}

impl fmt::Debug for Neo4jChatMemoryRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Neo4jChatMemoryRepository")
    }
}
