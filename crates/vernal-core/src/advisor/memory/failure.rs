use std::error::Error as StdError;
use std::fmt;

use crate::memory::MemoryError;

/// What a memory could not do, with the name of the repository.
#[derive(Debug)]
pub(crate) struct MemoryFailure {
    pub(super) repository: String,
    pub(super) task: Task,
    pub(crate) cause: MemoryError,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Task {
    Load,
    Store,
}

impl fmt::Display for MemoryFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            repository,
            task,
            cause,
        } = self;
        let task = match task {
            Task::Load => "loaded from",
            Task::Store => "stored in",
        };
        write!(
            f,
            "the conversation could not be {task} the repository `{repository}`: {cause}"
        )?;
        if cause.is_unavailable() {
            f.write_str("; `on_unavailable` can let turns go on without it")?;
        }
        Ok(())
    }
}

impl StdError for MemoryFailure {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.cause)
    }
}
