//! Advisors and providers that write down what passes through them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use vernal_core::Error;
use vernal_core::advisor::{
    Advisor, AdvisorChain, BaseAdvisor, CallFuture, ChatClientRequest, ChatClientResponse,
    EventStream, ToolAdvisor,
};
use vernal_core::client::ChatClientRequestSpec;
use vernal_core::tool::{ToolCallback, ToolCallbackProvider, ToolProviderError};

/// What was written down, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    pub(crate) fn add(&self, note: impl Into<String>) {
        self.0.lock().unwrap().push(note.into());
    }

    /// What was written down since the last time.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    /// An advisor that notes `> name` on the way in and `< name` on the way out.
    pub(crate) fn probe(&self, name: &'static str, order: i32) -> Probe {
        Probe {
            name,
            order,
            notes: self.clone(),
        }
    }
}

pub(crate) struct Probe {
    name: &'static str,
    order: i32,
    notes: Notes,
}

impl BaseAdvisor for Probe {
    fn name(&self) -> &str {
        self.name
    }

    fn order(&self) -> i32 {
        self.order
    }

    async fn before(&self, request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        self.notes.add(format!("> {}", self.name));
        Ok(request)
    }

    async fn after(&self, response: ChatClientResponse) -> Result<ChatClientResponse, Error> {
        self.notes.add(format!("< {}", self.name));
        Ok(response)
    }
}

/// A tool advisor of somebody else's, which runs no tools.
pub(crate) struct OtherLoop {
    pub(crate) name: &'static str,
    pub(crate) order: i32,
}

impl Advisor for OtherLoop {
    fn name(&self) -> &str {
        self.name
    }

    fn order(&self) -> i32 {
        self.order
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        rest.next_call(request)
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        rest.next_stream(request)
    }

    fn as_tool_advisor(&self) -> Option<&dyn ToolAdvisor> {
        Some(self)
    }
}

impl ToolAdvisor for OtherLoop {}

/// A provider of fixed tools that counts how often it is asked.
#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) name: &'static str,
    /// The tools, or `None` for a provider that fails.
    pub(crate) tools: Option<Vec<Arc<dyn ToolCallback>>>,
    pub(crate) asked: Arc<AtomicUsize>,
}

impl Provider {
    pub(crate) fn new(name: &'static str, tools: Vec<Arc<dyn ToolCallback>>) -> Self {
        Self {
            name,
            tools: Some(tools),
            asked: Arc::default(),
        }
    }

    pub(crate) fn failing(name: &'static str) -> Self {
        Self {
            name,
            tools: None,
            asked: Arc::default(),
        }
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl ToolCallbackProvider for Provider {
    fn name(&self) -> &str {
        self.name
    }

    fn tool_callbacks(
        &self,
    ) -> BoxFuture<'_, Result<Vec<Arc<dyn ToolCallback>>, ToolProviderError>> {
        Box::pin(async {
            self.asked.fetch_add(1, Ordering::SeqCst);
            self.tools
                .clone()
                .ok_or_else(|| ToolProviderError::new("no route to host"))
        })
    }
}

/// The request called and then streamed.
pub(crate) async fn both_ways(
    request: &ChatClientRequestSpec,
) -> [Result<ChatClientResponse, Error>; 2] {
    [request.call().await, request.stream().response().await]
}
