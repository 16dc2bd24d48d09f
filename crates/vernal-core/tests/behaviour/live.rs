//! A model whose streams a test writes by hand, event by event.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::{FutureExt, StreamExt, stream};
use vernal_core::advisor::ChatEvent;
use vernal_core::client::ChatEventStream;
use vernal_core::message::{Message, Part, PartContent, Role, ToolCall};
use vernal_core::model::{
    ChatModel, ChatResponse, Generation, ModelError, ModelEvent, ModelFuture, ModelStream, Prompt,
    ResponseMetadata,
};

type Item = Result<ModelEvent, ModelError>;

/// Each stream of the model is one channel, whose other end the test holds.
pub(crate) struct LiveModel(Arc<Mutex<VecDeque<UnboundedReceiver<Item>>>>);

/// The other end of one stream of a [`LiveModel`].
pub(crate) struct Wire(UnboundedSender<Item>);

pub(crate) fn live<const N: usize>() -> (LiveModel, [Wire; N]) {
    let mut receivers = VecDeque::new();
    let wires = [(); N].map(|()| {
        let (sender, receiver) = unbounded();
        receivers.push_back(receiver);
        Wire(sender)
    });
    (LiveModel(Arc::new(Mutex::new(receivers))), wires)
}

impl Wire {
    pub(crate) fn send(&self, event: ModelEvent) {
        self.0.unbounded_send(Ok(event)).unwrap();
    }

    pub(crate) fn text(&self, text: &str) {
        self.send(ModelEvent::TextDelta(text.into()));
    }

    pub(crate) fn call_started(&self, name: &str) {
        self.send(ModelEvent::ToolCallStarted {
            index: 0,
            id: None,
            name: name.into(),
        });
    }

    pub(crate) fn arguments(&self, piece: &str) {
        self.send(ModelEvent::ToolCallDelta {
            index: 0,
            arguments: piece.into(),
        });
    }

    /// Ends the stream with an answer of text.
    pub(crate) fn completes_with_text(self, text: &str) {
        self.send(ModelEvent::Completed(Box::new(ChatResponse::text(text))));
    }

    /// Ends the stream with an answer of calls.
    pub(crate) fn completes_with_calls(self, calls: &[(&str, &str)]) {
        let call = |(at, (name, arguments)): (usize, &(&str, &str))| {
            Part::from(PartContent::ToolCall(ToolCall::new(
                format!("id-{at}"),
                *name,
                *arguments,
            )))
        };
        let parts = calls.iter().enumerate().map(call).collect();
        let generation = Generation::new(Message::new(Role::Assistant, parts), None);
        let response = ChatResponse::of(generation, ResponseMetadata::default());
        self.send(ModelEvent::Completed(Box::new(response)));
    }

    pub(crate) fn fails(self, error: ModelError) {
        self.0.unbounded_send(Err(error)).unwrap();
    }

    /// Whether nobody listens to the stream any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.is_closed()
    }
}

impl LiveModel {
    fn next(&self) -> UnboundedReceiver<Item> {
        self.0
            .lock()
            .unwrap()
            .pop_front()
            .expect("the model is called once too often")
    }
}

impl ChatModel for LiveModel {
    fn name(&self) -> &str {
        "live"
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        let mut events = self.stream(prompt);
        Box::pin(async move {
            loop {
                match events
                    .next()
                    .await
                    .expect("a stream ends with its answer")?
                {
                    ModelEvent::Completed(response) => return Ok(*response),
                    _ => continue,
                }
            }
        })
    }

    fn stream(&self, _prompt: Prompt) -> ModelStream {
        let model = Self(self.0.clone());
        stream::once(async move { model.next() }).flatten().boxed()
    }
}

/// The event that can be seen now; `None` where the stream waits for the model or a tool.
pub(crate) fn now(events: &mut ChatEventStream) -> Option<String> {
    events.next().now_or_never().map(|item| match item {
        Some(Ok(event)) => line(&event),
        Some(Err(error)) => format!("error {error}"),
        None => "end".to_owned(),
    })
}

/// All events that can be seen now.
pub(crate) fn all_now(events: &mut ChatEventStream) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(line) = now(events) {
        let ended = line == "end";
        seen.push(line);
        if ended {
            break;
        }
    }
    seen
}

pub(crate) fn event_lines(events: &[ChatEvent]) -> Vec<String> {
    events.iter().map(line).collect()
}

/// An event to compare: its round, what happened, and the details that matter.
fn line(event: &ChatEvent) -> String {
    match event {
        ChatEvent::TextDelta { round, text } => format!("{round} text {text}"),
        ChatEvent::ReasoningDelta { round, text } => format!("{round} reasoning {text}"),
        ChatEvent::ToolCallStarted {
            round, index, name, ..
        } => {
            format!("{round} call {index} {name}")
        }
        ChatEvent::ToolCallDelta {
            round,
            index,
            arguments,
        } => {
            format!("{round} arguments {index} {arguments}")
        }
        ChatEvent::RoundFinished { round, kind, usage } => match usage {
            Some(usage) => format!("{round} finished {kind:?} {}", usage.total_tokens),
            None => format!("{round} finished {kind:?}"),
        },
        ChatEvent::ToolExecutionStarted { round, call } => {
            format!("{round} runs {} {}", call.name, call.arguments)
        }
        ChatEvent::ToolResult {
            round, response, ..
        } => {
            format!("{round} result {} {:?}", response.name, response.outcome)
        }
        ChatEvent::Done { response } => {
            format!(
                "done {} {}",
                response.content(),
                response.usage().total_tokens
            )
        }
        other => format!("{other:?}"),
    }
}
