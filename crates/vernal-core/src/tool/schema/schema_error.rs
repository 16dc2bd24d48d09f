use super::json::{Document, NodeId, path};
use super::value::shortened;

/// Why a schema cannot be a tool's input schema. The text continues "the input schema of the tool …".
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(pub(super) String);

/// The error of a value that is not what its keyword needs.
pub(super) fn wrong(document: &Document<'_>, at: NodeId, expected: &str) -> SchemaError {
    let pointer = path::pointer(document, at);
    let value = shortened(document.raw(at));
    SchemaError(format!("must have {expected} at `{pointer}`, not {value}"))
}
