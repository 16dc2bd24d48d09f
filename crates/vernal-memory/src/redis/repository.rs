use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use vernal_core::memory::{ChatMemoryRepository, ConversationId, MemoryError, MemoryFuture};
use vernal_core::message::{Message, MessageId};

use super::RedisChatMemoryRepositoryBuilder;
use super::index;
use super::keys::{Entry, Keys};
use super::link::{Connection, Link};
use super::problem::Problem;
use super::scripts;
use crate::__steps::reached;
use crate::failure::Operation;
use crate::record::{Record, messages, records};

pub(super) const STORE: &str = "redis";

/// Keeps conversations in Redis. Copies share its connection.
#[derive(Clone)]
pub struct RedisChatMemoryRepository {
    pub(super) link: Arc<Link>,
    pub(super) keys: Arc<Keys>,
    pub(super) time_to_live: Option<Duration>,
}

impl RedisChatMemoryRepository {
    /// Settings for one server, at a URL such as `redis://user:password@host:6379/0`.
    pub fn builder(url: impl Into<String>) -> RedisChatMemoryRepositoryBuilder {
        RedisChatMemoryRepositoryBuilder::new(vec![url.into()], false)
    }

    /// Settings for a cluster, some of whose nodes are at these URLs; the others are found.
    pub fn cluster<U: Into<String>>(
        urls: impl IntoIterator<Item = U>,
    ) -> RedisChatMemoryRepositoryBuilder {
        RedisChatMemoryRepositoryBuilder::new(urls.into_iter().map(Into::into).collect(), true)
    }

    /// Whether the server can be used: connects if need be.
    ///
    /// # Errors
    /// What keeps it from being used.
    pub async fn check(&self) -> Result<(), MemoryError> {
        let operation = Operation::of(STORE, "reach the server");
        let ping = async |connection: &mut Connection| {
            Ok(redis::cmd("PING").query_async::<()>(connection).await?)
        };
        self.with(operation, ping).await
    }

    /// The work on the connection in bounded time, its problems as errors of the operation.
    async fn with<T, W>(&self, operation: Operation<'_>, work: W) -> Result<T, MemoryError>
    where
        W: AsyncFnOnce(&mut Connection) -> Result<T, Problem>,
    {
        let mut taken = None;
        let done = operation
            .within(self.link.limits.operation, async {
                let connected = self.link.take().await.map_err(Problem::from);
                let on = taken.insert(connected.map_err(|problem| problem.of(&operation))?);
                work(&mut on.it).await.map_err(|problem| {
                    if problem.is_of_the_connection() {
                        self.link.forget(on);
                    }
                    problem.of(&operation)
                })
            })
            .await;
        if let (Err(error), Some(taken)) = (&done, &taken)
            && error.is_timeout()
        {
            self.link.forget(taken);
        }
        done
    }

    fn time_to_live(&self) -> u64 {
        let time = self.time_to_live.map_or(0, |time| time.as_millis().max(1));
        u64::try_from(time)
            .unwrap_or(u64::MAX)
            .min(i64::MAX as u64 / 2)
    }

    /// Appends. A new conversation is noted among the ids first: one that exists is always noted.
    async fn append_to(
        &self,
        connection: &mut Connection,
        conversation: &ConversationId,
        records: &[Record],
    ) -> Result<(), Problem> {
        let (key, time) = (self.keys.conversation(conversation), self.time_to_live());
        reached("redis: before append");
        if scripts::append(connection, &key, "", time, records).await? {
            reached("redis: after append");
            return Ok(());
        }
        let entry = Entry::new(conversation.clone());
        reached("redis: before the id is noted");
        index::note(connection, &self.keys, &entry).await?;
        reached("redis: after the id is noted");
        scripts::append(connection, &key, &entry.generation, time, records).await?;
        reached("redis: after the first append");
        if self.time_to_live.is_some() {
            // The messages are kept; what this fails to tidy up another one will.
            let _ = index::sweep(connection, &self.keys, conversation).await;
        }
        Ok(())
    }

    async fn forget(
        &self,
        connection: &mut Connection,
        conversation: &ConversationId,
    ) -> Result<(), Problem> {
        let key = self.keys.conversation(conversation);
        let Some(generation) = scripts::delete(connection, &key).await? else {
            return Ok(());
        };
        let entry = Entry {
            id: conversation.clone(),
            generation,
        };
        index::strike(connection, &self.keys, &entry).await
    }
}

impl ChatMemoryRepository for RedisChatMemoryRepository {
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
            let key = self.keys.conversation(conversation);
            let load =
                async |connection: &mut Connection| scripts::load(connection, &key, newest).await;
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
            let append = async |connection: &mut Connection| {
                self.append_to(connection, conversation, &records).await
            };
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
            let (key, time) = (self.keys.conversation(conversation), self.time_to_live());
            let token = Entry::new(conversation.clone()).generation;
            let through = through.to_string();
            let replace = async |connection: &mut Connection| {
                reached("redis: before the replacement");
                let replaced =
                    scripts::replace(connection, &key, &token, time, &through, &records).await?;
                reached("redis: after the replacement");
                Ok(replaced)
            };
            self.with(operation, replace).await
        })
    }

    fn delete<'a>(&'a self, conversation: &'a ConversationId) -> MemoryFuture<'a, ()> {
        Box::pin(async move {
            let operation = Operation::on(STORE, "delete", conversation);
            let delete =
                async |connection: &mut Connection| self.forget(connection, conversation).await;
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
            let list = async |connection: &mut Connection| {
                index::list(connection, &self.keys, after, limit).await
            };
            self.with(operation, list).await
        })
    }
}

impl fmt::Debug for RedisChatMemoryRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisChatMemoryRepository")
            .field("time_to_live", &self.time_to_live)
            .finish_non_exhaustive()
    }
}
