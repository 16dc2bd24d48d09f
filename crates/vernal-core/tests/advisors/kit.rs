//! Ways to send a request, models and tools, and transcripts as they read.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::StreamExt;
use vernal_core::Error;
use vernal_core::advisor::{ChatClientResponse, ChatEvent};
use vernal_core::client::{ChatClient, ChatClientBuilder, ChatClientRequestSpec};
use vernal_core::message::{History, Message, Role, Usage};
use vernal_core::model::{
    ChatModel, ChatOptions, ModelError, ModelErrorKind, ModelFuture, ModelStream, Prompt,
};
use vernal_core::tool::FunctionToolCallback;
use vernal_testing::{Reply, ScriptedModel};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Call,
    Stream,
}

pub(crate) const WAYS: [Way; 2] = [Way::Call, Way::Stream];

/// What came of a request.
pub(crate) struct Sent {
    pub(crate) result: Result<ChatClientResponse, Error>,
    /// What a stream yielded before its end; nothing for a call.
    pub(crate) events: Vec<ChatEvent>,
}

impl Way {
    pub(crate) async fn send(self, request: &ChatClientRequestSpec) -> Sent {
        let mut events = Vec::new();
        if self == Self::Call {
            let result = request.call().await;
            return Sent { result, events };
        }
        let mut stream = request.stream();
        loop {
            match StreamExt::next(&mut stream).await.expect("an end") {
                Ok(ChatEvent::Done { response }) => {
                    assert!(StreamExt::next(&mut stream).await.is_none());
                    let result = Ok(*response);
                    return Sent { result, events };
                }
                Ok(event) => events.push(event),
                Err(error) => {
                    assert!(StreamExt::next(&mut stream).await.is_none());
                    let result = Err(error);
                    return Sent { result, events };
                }
            }
        }
    }
}

impl Sent {
    pub(crate) fn response(self) -> ChatClientResponse {
        self.result.unwrap()
    }

    pub(crate) fn error(self) -> Error {
        self.result.expect_err("an error")
    }

    /// The pieces of text that a stream yielded.
    pub(crate) fn deltas(&self) -> Vec<String> {
        let text = |event: &ChatEvent| match event {
            ChatEvent::TextDelta { text, .. } => Some(text.to_string()),
            _ => None,
        };
        self.events.iter().filter_map(text).collect()
    }
}

/// A model whose provider can hold answers to a schema where `can` says so.
#[derive(Clone)]
pub(crate) struct Native {
    pub(crate) model: ScriptedModel,
    pub(crate) can: fn(&ChatOptions) -> bool,
}

impl ChatModel for Native {
    fn name(&self) -> &str {
        "native"
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        self.model.call(prompt)
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        self.model.stream(prompt)
    }

    fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        (self.can)(options)
    }
}

/// A client with the tool `look`, which counts its runs.
pub(crate) fn looking(model: impl ChatModel) -> (ChatClientBuilder, Runs) {
    let runs = Runs::default();
    let counted = runs.clone();
    let look = FunctionToolCallback::builder("look", move || {
        counted.0.fetch_add(1, Ordering::SeqCst);
        "seen"
    });
    let builder = ChatClient::builder(model).default_tools(look.build().unwrap());
    (builder, runs)
}

#[derive(Clone, Default)]
pub(crate) struct Runs(Arc<AtomicUsize>);

impl Runs {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

pub(crate) fn failure(kind: ModelErrorKind) -> ModelError {
    ModelError::new(kind, format!("failed: {kind:?}"))
}

/// A text that costs so many tokens.
pub(crate) fn costs(text: &str, input: u64, output: u64) -> Reply {
    Reply::text(text).usage(Usage::new(input, output))
}

/// A call of `look` that costs so many tokens.
pub(crate) fn looks(input: u64, output: u64) -> Reply {
    Reply::call("look", "{}").usage(Usage::new(input, output))
}

/// A transcript, a line for each message.
pub(crate) fn read<'a>(messages: impl IntoIterator<Item = &'a Arc<Message>>) -> Vec<String> {
    messages.into_iter().map(line).collect()
}

fn line(message: &Arc<Message>) -> String {
    let calls = message.tool_calls().map(|call| format!("{}()", call.name));
    let answers = message.tool_responses();
    let answers = answers.map(|answer| format!("{}={}", answer.name, answer.text()));
    let text = message.text();
    let pieces = (!text.is_empty()).then(|| text.into_owned()).into_iter();
    let pieces: Vec<_> = pieces.chain(calls).chain(answers).collect();
    format!("{:?}: {}", message.role(), pieces.join(" ")).to_lowercase()
}

/// Each message occurs once, and each call has its answer right after it.
pub(crate) fn assert_valid<'a>(messages: impl IntoIterator<Item = &'a Arc<Message>>) {
    let messages: Vec<_> = messages.into_iter().collect();
    let lines = read(messages.iter().copied());
    let mut ids = HashSet::new();
    let mut open: Vec<Arc<str>> = Vec::new();
    for message in messages {
        assert!(ids.insert(message.id()), "twice: {lines:#?}");
        let answered: Vec<_> = message
            .tool_responses()
            .map(|r| r.call_id.clone())
            .collect();
        assert_eq!(answered, open, "calls and answers differ: {lines:#?}");
        open = message.tool_calls().map(|call| call.id.clone()).collect();
    }
    assert!(open.is_empty(), "unanswered calls: {lines:#?}");
}

/// The messages of a transcript after the system message, which has to be valid.
pub(crate) fn said(messages: Option<&History>) -> Vec<String> {
    let messages = messages.expect("messages");
    assert_valid(messages);
    read(messages.iter().filter(|m| m.role() != Role::System))
}

/// The system text of each prompt that a model got.
pub(crate) fn system_texts(model: &ScriptedModel) -> Vec<String> {
    let text = |prompt: &Prompt| {
        let messages = prompt.messages();
        assert_valid(messages);
        let system: Vec<_> = messages
            .iter()
            .filter(|m| m.role() == Role::System)
            .collect();
        assert!(system.len() <= 1, "one system message: {}", system.len());
        system
            .first()
            .map_or_else(String::new, |m| m.text().into_owned())
    };
    model.prompts().iter().map(text).collect()
}

/// The last message of each prompt that a model got, as it reads.
pub(crate) fn last_messages(model: &ScriptedModel) -> Vec<String> {
    let last = |prompt: &Prompt| line(prompt.messages().last().unwrap());
    model.prompts().iter().map(last).collect()
}

/// Things that tools and models note for a test.
#[derive(Clone)]
pub(crate) struct Noted<T>(Arc<Mutex<Vec<T>>>);

impl<T> Default for Noted<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Noted<T> {
    pub(crate) fn note(&self, thing: T) {
        self.0.lock().unwrap().push(thing);
    }

    pub(crate) fn take(&self) -> Vec<T> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}
