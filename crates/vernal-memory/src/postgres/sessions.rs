//! Connections: a pool of them, each with limits of its own, and none that may be in an odd state.

use std::time::Duration;

use deadpool_postgres::{
    Client, Hook, HookError, Manager, ManagerConfig, Object, Pool, RecyclingMethod,
};
use tokio::sync::OnceCell;
use tokio_postgres::{Config, NoTls};

use super::problem::Problem;
use super::schema;

/// The bounds of waits, and how many connections there may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) connect: Duration,
    pub(super) operation: Duration,
    pub(super) connections: usize,
}

/// A pool of connections to a database whose tables are up to date.
pub(super) struct Sessions {
    pool: Pool,
    pub(super) limits: Limits,
    migrated: OnceCell<()>,
}

impl Sessions {
    pub(super) fn new(mut config: Config, limits: Limits) -> Result<Self, Problem> {
        config.connect_timeout(limits.connect);
        if config.get_application_name().is_none() {
            config.application_name("vernal-memory");
        }
        let recycling = ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        };
        let manager = Manager::from_config(config, NoTls, recycling);
        // The server itself stops what nobody waits for any more, and frees its locks.
        let limit = limits.operation.as_millis().max(1);
        let settings = format!(
            "SET statement_timeout = {limit}; SET idle_in_transaction_session_timeout = {limit}; \
             SET default_transaction_isolation = 'read committed'"
        );
        let prepare = Hook::async_fn(move |client, _| {
            let settings = settings.clone();
            Box::pin(async move {
                client
                    .batch_execute(&settings)
                    .await
                    .map_err(HookError::Backend)
            })
        });
        let pool = Pool::builder(manager)
            .max_size(limits.connections)
            .create_timeout(Some(limits.connect))
            .wait_timeout(Some(limits.operation))
            .runtime(deadpool_postgres::Runtime::Tokio1)
            .post_create(prepare)
            .build()
            .map_err(|_| Problem::NoPool)?;
        Ok(Self {
            pool,
            limits,
            migrated: OnceCell::new(),
        })
    }

    /// A connection; the tables are up to date.
    pub(super) async fn take(&self) -> Result<Session<'_>, Problem> {
        let mut session = Session {
            pool: &self.pool,
            client: Some(self.pool.get().await?),
        };
        let client = session.client()?;
        self.migrated
            .get_or_try_init(|| schema::migrate(client, schema::MIGRATIONS))
            .await?;
        Ok(session)
    }
}

/// A connection in use. Unless it is given back it is closed: after an error, or when its user went
/// away in the middle, nobody knows what it is about to say.
pub(super) struct Session<'a> {
    pool: &'a Pool,
    client: Option<Client>,
}

impl Session<'_> {
    pub(super) fn client(&mut self) -> Result<&mut Client, Problem> {
        self.client.as_mut().ok_or(Problem::NoPool)
    }

    /// Gives the connection back, for others to use: it has done its work, nothing is pending.
    pub(super) fn give_back(mut self) {
        drop(self.client.take());
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let Some(client) = self.client.take() else {
            return;
        };
        drop(Object::take(client));
        // What broke this one broke the idle ones too, more often than not.
        self.pool.retain(|_, _| false);
    }
}
