//! The thread that holds the database: SQLite blocks, and the runtime must not.

use std::sync::mpsc;
use std::thread;

use rusqlite::Connection;
use tokio::sync::oneshot;
use vernal_core::memory::{MemoryError, MemoryErrorKind};

use super::database::Database;
use super::problem::Problem;
use crate::failure::Operation;

type Job = Box<dyn FnOnce(&mut Database) + Send>;

/// A handle to the thread; the thread ends with the last handle.
#[derive(Debug)]
pub(super) struct Worker(mpsc::Sender<Job>);

impl Worker {
    pub(super) fn start(mut database: Database) -> Result<Self, MemoryError> {
        let (sender, jobs) = mpsc::channel::<Job>();
        let work = move || jobs.into_iter().for_each(|job| job(&mut database));
        let thread = thread::Builder::new()
            .name("vernal-sqlite".to_owned())
            .spawn(work);
        thread.map(|_| Self(sender)).map_err(|error| {
            Operation::of("sqlite", "start a thread").failed(
                MemoryErrorKind::Store,
                error.to_string(),
                "raise the limit on threads",
                error,
            )
        })
    }

    /// Does the work on the thread. It is done even if nobody waits for it any more, as whole as ever.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let (answer, answered) = oneshot::channel();
        let job = move |database: &mut Database| {
            let _ = answer.send(database.with(work));
        };
        self.0.send(Box::new(job)).map_err(|_| Problem::Gone)?;
        answered.await.unwrap_or(Err(Problem::Gone))
    }
}
