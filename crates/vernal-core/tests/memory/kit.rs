//! Clients with a memory, ways to send a request, and transcripts as they read.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use vernal_core::Error;
use vernal_core::advisor::{
    BaseAdvisor, ChatClientRequest, ChatClientResponse, MessageChatMemoryAdvisor,
    MessageChatMemoryAdvisorBuilder, order,
};
use vernal_core::client::{ChatClient, ChatClientBuilder, ChatClientRequestSpec};
use vernal_core::memory::ChatMemory;
use vernal_core::message::Message;
use vernal_core::tool::{FunctionToolCallback, ToolCallback, ToolError, ToolMetadata};
use vernal_testing::ScriptedModel;

use crate::store::Store;

/// The orders that put a memory outside of the loop and inside of it.
pub(crate) const OUTSIDE: i32 = MessageChatMemoryAdvisor::DEFAULT_ORDER;
pub(crate) const INSIDE: i32 = order::HIGHEST_PRECEDENCE + 400;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    Call,
    Stream,
}

pub(crate) const WAYS: [Way; 2] = [Way::Call, Way::Stream];

impl Way {
    pub(crate) async fn send(
        self,
        request: &ChatClientRequestSpec,
    ) -> Result<ChatClientResponse, Error> {
        match self {
            Self::Call => request.call().await,
            Self::Stream => request.stream().response().await,
        }
    }

    /// Sends it and gives it up while a tool runs.
    pub(crate) async fn give_up(self, request: &ChatClientRequestSpec) {
        let patience = Duration::from_millis(30);
        let ended = tokio::time::timeout(patience, self.send(request)).await;
        assert!(ended.is_err(), "it should have been running still");
    }
}

pub(crate) fn memory(store: &Store, order: i32) -> MessageChatMemoryAdvisorBuilder {
    MessageChatMemoryAdvisor::builder(ChatMemory::new(store.clone())).order(order)
}

/// A client with the tools of [`tools`] and a memory.
pub(crate) fn client(model: &ScriptedModel, store: &Store, order: i32) -> ChatClient {
    builder(model)
        .default_advisors(memory(store, order).build())
        .build()
        .unwrap()
}

pub(crate) fn builder(model: &ScriptedModel) -> ChatClientBuilder {
    ChatClient::builder(model.clone())
        .default_system("Be brief.")
        .default_tools(tools())
}

/// `look` answers, `tell` answers the user directly, `wait` takes for ever, `break` ends the turn.
pub(crate) fn tools() -> Vec<Arc<dyn ToolCallback>> {
    let direct = ToolMetadata::builder().return_direct(true).build();
    let wait = || async {
        tokio::time::sleep(Duration::from_secs(600)).await;
        "late"
    };
    let fail = || Err::<String, _>(ToolError::fatal("broken"));
    vec![
        Arc::new(
            FunctionToolCallback::builder("look", || "seen")
                .build()
                .unwrap(),
        ),
        Arc::new(
            FunctionToolCallback::builder("tell", || "told")
                .tool_metadata(direct)
                .build()
                .unwrap(),
        ),
        Arc::new(FunctionToolCallback::builder("wait", wait).build().unwrap()),
        Arc::new(
            FunctionToolCallback::builder("break", fail)
                .build()
                .unwrap(),
        ),
    ]
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
        assert!(
            ids.insert(message.id()),
            "a message occurs twice: {lines:#?}"
        );
        let answered: Vec<_> = message
            .tool_responses()
            .map(|r| r.call_id.clone())
            .collect();
        assert_eq!(answered, open, "calls and answers differ: {lines:#?}");
        open = message.tool_calls().map(|call| call.id.clone()).collect();
    }
    assert!(open.is_empty(), "unanswered calls: {lines:#?}");
}

/// The requests that a model got, checked, as they read.
pub(crate) fn asked(model: &ScriptedModel) -> Vec<Vec<String>> {
    let prompts = model.prompts();
    for prompt in &prompts {
        assert_valid(prompt.messages());
    }
    prompts
        .iter()
        .map(|prompt| read(prompt.messages()))
        .collect()
}

/// Writes down the messages of requests at its place in the chain.
#[derive(Clone)]
pub(crate) struct Watch {
    pub(crate) order: i32,
    pub(crate) seen: Arc<Mutex<Vec<Vec<String>>>>,
}

impl Watch {
    pub(crate) fn at(order: i32) -> Self {
        Self {
            order,
            seen: Arc::default(),
        }
    }

    pub(crate) fn take(&self) -> Vec<Vec<String>> {
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

impl BaseAdvisor for Watch {
    fn name(&self) -> &str {
        "watch"
    }

    fn order(&self) -> i32 {
        self.order
    }

    async fn before(&self, request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        self.seen
            .lock()
            .unwrap()
            .push(read(request.prompt().messages()));
        Ok(request)
    }
}
