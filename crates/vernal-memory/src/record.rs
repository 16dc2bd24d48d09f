//! Messages as they lie in a store: an id, and the JSON text of the whole.

use std::collections::HashSet;
use std::sync::Arc;

use vernal_core::memory::{MemoryError, MemoryErrorKind};
use vernal_core::message::Message;

use crate::failure::Operation;

/// A message to be stored.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    /// The message's id, 32 hexadecimal digits.
    pub(crate) id: String,
    /// The message's JSON; it is never parsed by a database.
    pub(crate) body: String,
}

/// The messages as records; one that occurs twice comes once, in its first place.
pub(crate) fn records(
    messages: &[Arc<Message>],
    operation: &Operation<'_>,
) -> Result<Vec<Record>, MemoryError> {
    let mut seen = HashSet::new();
    let distinct = messages.iter().filter(|message| seen.insert(message.id()));
    distinct.map(|message| record(message, operation)).collect()
}

fn record(message: &Message, operation: &Operation<'_>) -> Result<Record, MemoryError> {
    let id = message.id().to_string();
    match serde_json::to_string(message) {
        Ok(body) => Ok(Record { id, body }),
        Err(error) => Err(operation.failed(
            MemoryErrorKind::InvalidRequest,
            format_args!("message {id} cannot be written as JSON"),
            "leave it out",
            error,
        )),
    }
}

/// The messages whose bodies these are.
pub(crate) fn messages<S: AsRef<str>>(
    bodies: impl IntoIterator<Item = S>,
    operation: &Operation<'_>,
) -> Result<Vec<Arc<Message>>, MemoryError> {
    let bodies = bodies.into_iter();
    bodies
        .map(|body| message(body.as_ref(), operation))
        .collect()
}

fn message(body: &str, operation: &Operation<'_>) -> Result<Arc<Message>, MemoryError> {
    serde_json::from_str(body).map(Arc::new).map_err(|error| {
        let said = error.to_string();
        operation.failed(
            MemoryErrorKind::Data,
            format_args!("a stored message cannot be read: {said}"),
            "use the version of vernal that wrote it, or delete the conversation",
            error,
        )
    })
}
