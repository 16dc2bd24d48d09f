use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, TryStreamExt, stream};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::assemble::Assembled;
use super::{ChatClient, ChatEventStream, EntityRequest, assemble};
use crate::Error;
use crate::advisor::{AdvisorSpec, ChatClientResponse, IntoAdvisors, StateValues};
use crate::message::{History, Message};
use crate::model::{ChatOptions, Finding, Prompt};
use crate::tool::{IntoTools, ToolContext, ToolSource};

/// A request of a [`ChatClient`], to be completed and then called or streamed.
///
/// It can be sent any number of times; each time is a turn of its own, for a memory too.
#[derive(Clone)]
#[must_use = "a request does nothing until it is called or streamed"]
pub struct ChatClientRequestSpec {
    pub(super) client: ChatClient,
    pub(super) prompt: Prompt,
    pub(super) system: Option<Arc<str>>,
    pub(super) user: Vec<Arc<Message>>,
    pub(super) tools: Vec<ToolSource>,
    pub(super) context: ToolContext,
    pub(super) options: Option<Arc<ChatOptions>>,
    pub(super) advisors: AdvisorSpec,
    pub(super) conversation: Option<Arc<str>>,
    pub(super) state: StateValues,
}

impl ChatClientRequestSpec {
    pub(super) fn new(client: ChatClient, prompt: Prompt) -> Self {
        Self {
            client,
            prompt,
            system: None,
            user: Vec::new(),
            tools: Vec::new(),
            context: ToolContext::empty(),
            options: None,
            advisors: AdvisorSpec::default(),
            conversation: None,
            state: StateValues::default(),
        }
    }

    /// The system message, in place of the client's and of any in the prompt.
    pub fn system(mut self, text: impl Into<Arc<str>>) -> Self {
        self.system = Some(text.into());
        self
    }

    /// Adds a message of the user at the end.
    pub fn user(mut self, text: impl Into<Arc<str>>) -> Self {
        self.user.push(Arc::new(Message::user(text)));
        self
    }

    /// Replaces the prompt's messages.
    pub fn messages(mut self, messages: impl Into<History>) -> Self {
        self.prompt = self.prompt.with_messages(messages.into());
        self
    }

    /// Adds tools for this request to the client's default tools (rule TOOLS-3).
    pub fn tools(mut self, tools: impl IntoTools) -> Self {
        tools.collect_tools(&mut self.tools);
        self
    }

    /// What tools get and the model does not; over the client's entries (rule CTX-1).
    pub fn tool_context(mut self, context: impl Into<ToolContext>) -> Self {
        self.context = self.context.merged_with(&context.into());
        self
    }

    /// Settings of this request, over the client's.
    pub fn options(mut self, options: impl Into<Arc<ChatOptions>>) -> Self {
        self.options = Some(options.into());
        self
    }

    /// Adds advisors, or settings of theirs, to this request.
    pub fn advisors(mut self, advisors: impl IntoAdvisors) -> Self {
        advisors.collect_advisors(&mut self.advisors);
        self
    }

    /// The conversation that the request belongs to; a memory needs it (rule MEM-1). See
    /// [`ConversationId`](crate::memory::ConversationId) for what an id may be.
    pub fn conversation(mut self, id: impl Into<Arc<str>>) -> Self {
        self.conversation = Some(id.into());
        self
    }

    /// A value for the advisors and hooks of this request, by its type; they find it in the request's
    /// [`state`](crate::advisor::ChatClientRequest::state). Sending the request again shares the value
    /// and nothing else of the state.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.state.put(Arc::new(value));
        self
    }

    /// Sends the request and waits for the answer. Dropping the future cancels the request and the
    /// tools that run.
    ///
    /// # Errors
    /// A request that is put together wrongly, a provider, the model, or a fatal tool error; see
    /// [`Error`].
    pub fn call(&self) -> BoxFuture<'static, Result<ChatClientResponse, Error>> {
        let spec = self.clone();
        Box::pin(async move {
            let Assembled { request, chain, .. } = assemble::assemble(&spec).await?;
            drop(spec);
            let state = request.state().clone();
            match chain.next_call(request).await {
                Ok(response) => Ok(response.with_state(state)),
                Err(error) => Err(error.with_paid(&state)),
            }
        })
    }

    /// The request for an answer that is a `T`; awaiting it sends it. The model is asked for JSON that
    /// fits the type's schema, natively where its provider has that, and a wrong answer is corrected a
    /// few times. Tools may be called on the way.
    pub fn entity<T: DeserializeOwned + JsonSchema + 'static>(&self) -> EntityRequest<T> {
        EntityRequest::new(self.clone())
    }

    /// What the model's adapter knows of the request before it is sent: what tools lose on the way,
    /// names that are mapped, limits (rule SCH-8). Providers are asked for their tools; the model is
    /// asked nothing. Advisors, which may change the request, do not run.
    ///
    /// # Errors
    /// A request that is put together wrongly, or a provider; see [`Error`].
    pub fn check(&self) -> BoxFuture<'static, Result<Vec<Finding>, Error>> {
        let spec = self.clone();
        Box::pin(async move {
            let Assembled { request, .. } = assemble::assemble(&spec).await?;
            Ok(spec.client.model().check(request.prompt().options()))
        })
    }

    /// Sends the request and yields what happens. Nothing is sent before the stream is polled; errors
    /// are items; dropping the stream cancels the request and the tools that run (rule STR-3).
    pub fn stream(&self) -> ChatEventStream {
        let spec = self.clone();
        let assembled = async move {
            let Assembled {
                request,
                chain,
                unavailable,
            } = assemble::assemble(&spec).await?;
            let state = request.state().clone();
            let first = stream::iter(unavailable.into_iter().map(Ok));
            let events = chain.next_stream(request);
            let events = events.map(move |event| match event {
                Ok(event) => Ok(event.with_state(&state)),
                Err(error) => Err(error.with_paid(&state)),
            });
            Ok::<_, Error>(first.chain(events))
        };
        ChatEventStream::new(Box::pin(assembled.into_stream().try_flatten()))
    }
}

impl fmt::Debug for ChatClientRequestSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatClientRequestSpec")
            .field("client", &self.client)
            .field("messages", &self.prompt.messages().len())
            .finish_non_exhaustive()
    }
}
