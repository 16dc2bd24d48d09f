use std::sync::Arc;

use super::ChatResponse;

/// What a model's stream yields.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ModelEvent {
    /// A piece of the answer's text.
    TextDelta(Arc<str>),
    /// A piece of the model's reasoning.
    ReasoningDelta(Arc<str>),
    /// A tool call has begun; it is not complete before [`Completed`](Self::Completed).
    ToolCallStarted {
        /// Which call of the answer, counted from 0.
        index: usize,
        /// Its id, where it is known already.
        id: Option<Arc<str>>,
        /// The tool's name.
        name: Arc<str>,
    },
    /// A piece of a call's arguments, as text.
    ToolCallDelta {
        /// Which call of the answer, counted from 0.
        index: usize,
        /// The piece.
        arguments: Arc<str>,
    },
    /// The whole answer; nothing follows.
    Completed(Box<ChatResponse>),
}
