use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use vernal_core::memory::{MemoryError, MemoryErrorKind};

use super::RedisChatMemoryRepository;
use super::keys::Keys;
use super::link::{Limits, Link};
use super::repository::STORE;
use crate::failure::Operation;

/// Makes a [`RedisChatMemoryRepository`].
#[derive(Clone)]
#[must_use = "a builder does nothing until `build` or `open`"]
pub struct RedisChatMemoryRepositoryBuilder {
    urls: Vec<String>,
    cluster: bool,
    limits: Limits,
    prefix: String,
    time_to_live: Option<Duration>,
}

impl RedisChatMemoryRepositoryBuilder {
    pub(super) fn new(urls: Vec<String>, cluster: bool) -> Self {
        let limits = Limits {
            connect: Duration::from_secs(5),
            operation: Duration::from_secs(10),
        };
        Self {
            urls,
            cluster,
            limits,
            prefix: "vernal:memory:".to_owned(),
            time_to_live: None,
        }
    }

    /// The longest wait for a new connection; 5 seconds unless given.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.limits.connect = limit;
        self
    }

    /// The longest wait for an operation, a new connection included; 10 seconds unless given.
    pub fn operation_timeout(mut self, limit: Duration) -> Self {
        self.limits.operation = limit;
        self
    }

    /// How long a conversation is kept after its last append; for ever unless given. Whole
    /// milliseconds, at least one.
    pub fn time_to_live(mut self, time: Duration) -> Self {
        self.time_to_live = Some(time);
        self
    }

    /// What all keys begin with; `vernal:memory:` unless given. No `{` or `}`, which in a cluster
    /// would put all conversations into one slot.
    pub fn key_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// The repository; it connects at the first use.
    ///
    /// # Errors
    /// When a URL is none of Redis', or the prefix has a `{` or `}`.
    pub fn build(self) -> Result<RedisChatMemoryRepository, MemoryError> {
        let operation = Operation::of(STORE, "read the settings");
        if self.prefix.contains(['{', '}']) {
            let what = format_args!("the key prefix {:?} has a `{{` or `}}`", self.prefix);
            let fix = "choose one without";
            return Err(operation.refused(MemoryErrorKind::InvalidRequest, what, fix));
        }
        // The parser's own text can hold parts of the URL, so it is not passed on.
        let link = Link::new(&self.urls, self.cluster, self.limits).map_err(|_| {
            let fix = "write it as redis://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for @";
            operation.refused(MemoryErrorKind::InvalidRequest, "it is no Redis URL", fix)
        })?;
        let keys = Keys::new(self.prefix);
        let time_to_live = self.time_to_live;
        Ok(RedisChatMemoryRepository {
            link: Arc::new(link),
            keys: Arc::new(keys),
            time_to_live,
        })
    }

    /// The repository, connected.
    ///
    /// # Errors
    /// When a URL is none of Redis', or the server cannot be reached or refuses.
    pub async fn open(self) -> Result<RedisChatMemoryRepository, MemoryError> {
        let repository = self.build()?;
        repository.check().await?;
        Ok(repository)
    }
}

impl fmt::Debug for RedisChatMemoryRepositoryBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisChatMemoryRepositoryBuilder")
            .field("cluster", &self.cluster)
            .field("limits", &self.limits)
            .field("prefix", &self.prefix)
            .field("time_to_live", &self.time_to_live)
            .finish_non_exhaustive()
    }
}
