//! Connections: a pool of them, given up as a whole when one breaks.

use std::time::Duration;

use futures::FutureExt;
use neo4rs::{Config, Error, Graph};

use super::problem::Problem;
use super::schema;
use crate::slot::{Slot, Taken};

/// Where the data is.
pub(super) struct Database {
    config: Config,
    pub(super) limit: Duration,
    slot: Slot<Graph>,
}

impl Database {
    /// A database that is connected to when it is needed.
    pub(super) fn new(config: Config, limit: Duration) -> Result<Self, Error> {
        // Connects to nothing yet; it only looks at the URL.
        Graph::connect(config.clone())?;
        Ok(Self {
            config,
            limit,
            slot: Slot::new(),
        })
    }

    /// The graph, with its layout up to date.
    pub(super) async fn take(&self) -> Result<Session<'_>, Problem> {
        let taken = self.slot.take(|| self.connect().boxed()).await?;
        Ok(Session {
            database: self,
            taken,
            done: false,
        })
    }

    async fn connect(&self) -> Result<Graph, Problem> {
        let graph = Graph::connect(self.config.clone())?;
        schema::migrate(&graph, schema::MIGRATIONS).await?;
        Ok(graph)
    }
}

/// The graph in use. Unless its user is done, its connections are given up: one of them may be in the
/// middle of something, and what broke it broke the others too, more often than not.
pub(super) struct Session<'a> {
    database: &'a Database,
    taken: Taken<Graph>,
    done: bool,
}

impl Session<'_> {
    pub(super) fn graph(&self) -> &Graph {
        &self.taken.it
    }

    /// Passes the result on; the connections can be used again, unless it speaks against it.
    pub(super) fn settle<T>(mut self, result: Result<T, Problem>) -> Result<T, Problem> {
        self.done = !result.as_ref().is_err_and(Problem::is_of_the_connection);
        result
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.database.slot.forget(&self.taken);
        }
    }
}
