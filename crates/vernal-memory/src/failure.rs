//! Errors of stores in one form: what was asked of which store, what went wrong, what mends it.

use std::error::Error;
use std::fmt::{self, Display};
use std::future::Future;
use std::time::Duration;

use vernal_core::memory::{ConversationId, MemoryError, MemoryErrorKind};

/// How many characters of a conversation's id an error shows.
const SHOWN: usize = 80;

/// What is being asked of a store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation<'a> {
    /// The store's name.
    pub(crate) store: &'static str,
    /// What is being done, as in `cannot append to`.
    pub(crate) doing: &'static str,
    /// The conversation it is about, if it is about one.
    pub(crate) conversation: Option<&'a ConversationId>,
}

impl<'a> Operation<'a> {
    pub(crate) fn on(store: &'static str, doing: &'static str, on: &'a ConversationId) -> Self {
        Self {
            store,
            doing,
            conversation: Some(on),
        }
    }

    pub(crate) fn of(store: &'static str, doing: &'static str) -> Self {
        Self {
            store,
            doing,
            conversation: None,
        }
    }

    /// The error for what went wrong, with what mends it and the error beneath.
    pub(crate) fn failed(
        &self,
        kind: MemoryErrorKind,
        what: impl Display,
        fix: &str,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> MemoryError {
        MemoryError::with_source(kind, self.line(what, fix), source)
    }

    /// The error for what went wrong, with what mends it.
    pub(crate) fn refused(
        &self,
        kind: MemoryErrorKind,
        what: impl Display,
        fix: &str,
    ) -> MemoryError {
        MemoryError::new(kind, self.line(what, fix))
    }

    /// The error when the store did not answer in time.
    pub(crate) fn timed_out(&self, limit: Duration) -> MemoryError {
        self.refused(
            MemoryErrorKind::Timeout,
            format_args!("no answer within {limit:?}"),
            "check the store's load, or give it more time with `operation_timeout`; repeating is safe",
        )
    }

    /// The error when the store's layout is of a later version than this one.
    pub(crate) fn newer_layout(&self, found: i64, known: i64) -> MemoryError {
        self.refused(
            MemoryErrorKind::Data,
            format_args!(
                "its layout has version {found}; this version of vernal-memory knows {known}"
            ),
            "use the version of vernal-memory that wrote it, or a later one",
        )
    }

    /// The work, or an error after `limit`.
    pub(crate) async fn within<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, MemoryError>>,
    ) -> Result<T, MemoryError> {
        tokio::time::timeout(limit, work)
            .await
            .unwrap_or_else(|_| Err(self.timed_out(limit)))
    }

    fn line(&self, what: impl Display, fix: &str) -> String {
        one_line(&format!("{self}: {what}; {fix}"))
    }
}

impl Display for Operation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: cannot {}", self.store, self.doing)?;
        let Some(conversation) = self.conversation else {
            return Ok(());
        };
        let id = conversation.as_str();
        match id.char_indices().nth(SHOWN) {
            None => write!(f, " conversation {id:?}"),
            Some((end, _)) => {
                write!(f, " conversation {:?}…", id.get(..end).unwrap_or_default())
            }
        }
    }
}

/// What a driver or a server said, on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split(['\n', '\r'])
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

/// An error's text and those of the errors beneath it.
#[cfg(any(feature = "postgres", feature = "redis", feature = "neo4j"))]
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut beneath = error.source();
    while let Some(error) = beneath {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        beneath = error.source();
    }
    text
}

/// The error of this type that an error is, or that is beneath it.
#[cfg(any(feature = "postgres", feature = "neo4j"))]
pub(crate) fn find<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    let mut found = Some(error);
    while let Some(error) = found {
        if let Some(wanted) = error.downcast_ref() {
            return Some(wanted);
        }
        found = error.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_with_store_operation_conversation_and_fix() {
        let id = ConversationId::new("user\n42").unwrap();
        let operation = Operation::on("redis", "append to", &id);
        let error = operation.refused(MemoryErrorKind::Store, "it said\r\n  no", "ask again");
        let line = "redis: cannot append to conversation \"user\\n42\": it said, no; ask again";
        assert_eq!(error.to_string(), line);
    }

    #[test]
    fn a_long_id_is_cut_between_characters() {
        let id = ConversationId::new("가".repeat(170)).unwrap();
        let shown = Operation::on("redis", "load", &id).to_string();
        assert!(
            shown.ends_with("가\"…") && shown.chars().count() < 120,
            "{shown}"
        );
    }
}
