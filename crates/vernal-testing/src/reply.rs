use std::sync::Arc;

use vernal_core::message::{FinishReason, Message, Part, PartContent, Role, ToolCall, Usage};
use vernal_core::model::{ChatResponse, Generation, ModelError, ModelEvent, ResponseMetadata};

/// One answer in a script.
///
/// What is added to it keeps its order: text before a call stays before it.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Reply {
    pieces: Vec<Piece>,
    finish_reason: Option<FinishReason>,
    metadata: ResponseMetadata,
    error: Option<ModelError>,
}

/// What a stream yields for itself.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// Neighbours are one part of the message.
    Text(Arc<str>),
    /// A call whose id is made from its position.
    Call(ToolCall),
    Part(Part),
}

impl Reply {
    /// An answer without anything in it.
    pub fn empty() -> Self {
        Self::default()
    }

    /// An answer of text.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::empty().and_text(text)
    }

    /// An answer that asks for a tool, with an id made from the position of the call.
    pub fn call(name: impl Into<Arc<str>>, arguments: impl Into<Arc<str>>) -> Self {
        Self::empty().and_call(name, arguments)
    }

    /// No answer but an error, after whatever else the reply holds was streamed.
    pub fn error(error: ModelError) -> Self {
        Self {
            error: Some(error),
            ..Self::empty()
        }
    }

    /// Adds a piece of text; a stream yields each piece for itself.
    pub fn and_text(mut self, text: impl Into<Arc<str>>) -> Self {
        self.pieces.push(Piece::Text(text.into()));
        self
    }

    /// Adds reasoning.
    pub fn and_reasoning(self, text: impl Into<Arc<str>>) -> Self {
        self.and_part(PartContent::Reasoning(text.into()))
    }

    /// Adds a call, with an id made from its position: `call_0`, `call_1`, …
    pub fn and_call(mut self, name: impl Into<Arc<str>>, arguments: impl Into<Arc<str>>) -> Self {
        let id = format!("call_{}", self.calls().count());
        self.pieces
            .push(Piece::Call(ToolCall::new(id, name, arguments)));
        self
    }

    /// Adds a call as it is.
    pub fn and_tool_call(self, call: ToolCall) -> Self {
        self.and_part(PartContent::ToolCall(call))
    }

    /// Adds a part as it is, for example one with data of a provider.
    pub fn and_part(mut self, part: impl Into<Part>) -> Self {
        self.pieces.push(Piece::Part(part.into()));
        self
    }

    /// Says why the answer ended; otherwise it is told from the calls.
    pub fn finish(mut self, reason: FinishReason) -> Self {
        self.finish_reason = Some(reason);
        self
    }

    /// Says what the answer cost.
    pub fn usage(mut self, usage: Usage) -> Self {
        self.metadata.usage = Some(usage);
        self
    }

    /// Says what the provider calls the answer and the request.
    pub fn ids(mut self, response: impl Into<Arc<str>>, request: impl Into<Arc<str>>) -> Self {
        self.metadata.id = Some(response.into());
        self.metadata.request_id = Some(request.into());
        self
    }

    /// Ends in an error after what the reply holds was streamed; a plain call gets the error only.
    pub fn then_error(mut self, error: ModelError) -> Self {
        self.error = Some(error);
        self
    }

    fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Call(call)
            | Piece::Part(Part {
                content: PartContent::ToolCall(call),
                ..
            }) => Some(call),
            _ => None,
        })
    }

    /// What a plain call gets.
    pub(crate) fn response(&self) -> Result<ChatResponse, ModelError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let message = Message::new(Role::Assistant, self.parts());
        let generation = Generation::new(message, Some(self.reason()));
        let mut metadata = self.metadata.clone();
        metadata.model = Some("scripted".into());
        Ok(ChatResponse::of(generation, metadata))
    }

    /// Why the answer ended.
    pub(crate) fn reason(&self) -> FinishReason {
        let told = || match self.calls().next() {
            Some(_) => FinishReason::ToolCalls,
            None => FinishReason::Stop,
        };
        self.finish_reason.clone().unwrap_or_else(told)
    }

    #[cfg(feature = "fakes")]
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    #[cfg(feature = "fakes")]
    pub(crate) fn metadata(&self) -> &ResponseMetadata {
        &self.metadata
    }

    #[cfg(feature = "fakes")]
    pub(crate) fn failure(&self) -> Option<&ModelError> {
        self.error.as_ref()
    }

    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(more) => text.push_str(more),
                Piece::Call(call) => {
                    flush(&mut text, &mut parts);
                    parts.push(PartContent::ToolCall(call.clone()).into());
                }
                Piece::Part(part) => {
                    flush(&mut text, &mut parts);
                    parts.push(part.clone());
                }
            }
        }
        flush(&mut text, &mut parts);
        parts
    }

    /// What a stream yields.
    pub(crate) fn events(&self) -> Vec<Result<ModelEvent, ModelError>> {
        let mut events = Vec::new();
        let mut calls = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => events.push(ModelEvent::TextDelta(text.clone())),
                Piece::Call(call) => {
                    events.extend(events_of_call(calls, call));
                    calls += 1;
                }
                Piece::Part(part) => match &part.content {
                    PartContent::Text(text) => events.push(ModelEvent::TextDelta(text.clone())),
                    PartContent::Reasoning(text) => {
                        events.push(ModelEvent::ReasoningDelta(text.clone()));
                    }
                    PartContent::ToolCall(call) => {
                        events.extend(events_of_call(calls, call));
                        calls += 1;
                    }
                    _ => {}
                },
            }
        }
        let end = self
            .response()
            .map(|response| ModelEvent::Completed(Box::new(response)));
        events.into_iter().map(Ok).chain([end]).collect()
    }
}

fn flush(text: &mut String, parts: &mut Vec<Part>) {
    if !text.is_empty() {
        parts.push(Part::text(std::mem::take(text)));
    }
}

/// A call begins, and its arguments come in two pieces.
fn events_of_call(index: usize, call: &ToolCall) -> impl Iterator<Item = ModelEvent> {
    let (id, name) = (Some(call.id.clone()), call.name.clone());
    let pieces = halves(call.arguments.as_str()).map(|piece| ModelEvent::ToolCallDelta {
        index,
        arguments: piece.into(),
    });
    std::iter::once(ModelEvent::ToolCallStarted { index, id, name }).chain(pieces)
}

/// A text in two pieces, cut anywhere.
fn halves(text: &str) -> [&str; 2] {
    let mut middle = text.len() / 2;
    while !text.is_char_boundary(middle) {
        middle += 1;
    }
    let (first, second) = text.split_at(middle);
    [first, second]
}
