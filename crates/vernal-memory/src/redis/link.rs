//! The connection: made at the first use, shared by all, and made anew after it broke.

use std::time::Duration;

use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::cluster_async::ClusterConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, Pipeline, RedisFuture, RedisResult, Value};

use crate::slot::{Slot, Taken};

/// How often a cluster's client follows a move or a failover within one operation.
const CLUSTER_RETRIES: u32 = 4;

/// The bounds of waits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) connect: Duration,
    pub(super) operation: Duration,
}

enum Server {
    Single(Client),
    Cluster(Box<ClusterClient>),
}

/// Where the data is, and the connection to it.
pub(super) struct Link {
    server: Server,
    pub(super) limits: Limits,
    slot: Slot<Connection>,
}

impl Link {
    pub(super) fn new(urls: &[String], cluster: bool, limits: Limits) -> RedisResult<Self> {
        let server = if cluster {
            let builder = ClusterClientBuilder::new(urls.iter().map(String::as_str))
                .connection_timeout(limits.connect)
                .response_timeout(limits.operation)
                .retries(CLUSTER_RETRIES);
            Server::Cluster(Box::new(builder.build()?))
        } else {
            Server::Single(Client::open(urls.first().map_or("", String::as_str))?)
        };
        Ok(Self {
            server,
            limits,
            slot: Slot::new(),
        })
    }

    /// The connection, which all users share.
    pub(super) async fn take(&self) -> RedisResult<Taken<Connection>> {
        self.slot.take(|| self.connect()).await
    }

    /// Has the next user connect anew, unless that happened already.
    pub(super) fn forget(&self, taken: &Taken<Connection>) {
        self.slot.forget(taken);
    }

    async fn connect(&self) -> RedisResult<Connection> {
        let settings = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.limits.connect))
            .set_response_timeout(Some(self.limits.operation));
        Ok(match &self.server {
            Server::Single(client) => Connection::Single(
                client
                    .get_multiplexed_async_connection_with_config(&settings)
                    .await?,
            ),
            Server::Cluster(client) => Connection::Cluster(client.get_async_connection().await?),
        })
    }
}

/// A connection that many use at once.
#[derive(Clone)]
pub(super) enum Connection {
    Single(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::Single(connection) => connection.req_packed_command(cmd),
            Self::Cluster(connection) => connection.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        cmd: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::Single(connection) => connection.req_packed_commands(cmd, offset, count),
            Self::Cluster(connection) => connection.req_packed_commands(cmd, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::Single(connection) => connection.get_db(),
            Self::Cluster(connection) => connection.get_db(),
        }
    }
}
