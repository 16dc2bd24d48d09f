use std::pin::pin;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::builder::{MessageChatMemoryAdvisorBuilder, OnUnavailable};
use super::failure::{MemoryFailure, Task};
use super::{MemoryAdvisor, transcript};
use crate::Error;
use crate::advisor::around::order;
use crate::advisor::base::forward;
use crate::advisor::emitter::{Emitter, stream_of};
use crate::advisor::ready::Deadline;
use crate::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, EventStream,
};
use crate::memory::{ChatMemory, ConversationId, MemoryError};
use crate::message::{History, Message, Role};

/// Gives requests the messages of their conversation, and keeps what is said.
///
/// By default it stands outside of the tool loop: the history is loaded once, and the user's messages
/// and the answer are kept when the turn has succeeded (rule MEM-2). With an order greater than the
/// loop's it stands inside: every round sees the history and the whole open turn, and every message
/// of the turn is kept, calls and answers too (rule MEM-3). Either way a turn is kept as a whole, in
/// one append at its end; a turn that failed or was cancelled leaves nothing. Messages before the
/// last answer in a request are the application's own and are not kept.
///
/// A response that leaves its calls to the application ends no turn: send the calls, their answers
/// and the user's messages in the next request, and what the user said is kept then.
///
/// ```
/// use vernal_core::advisor::MessageChatMemoryAdvisor;
/// use vernal_core::client::ChatClient;
/// use vernal_core::memory::{ChatMemory, InMemoryChatMemoryRepository};
/// # use vernal_testing::ScriptedModel;
///
/// # futures::executor::block_on(async {
/// # let model = ScriptedModel::new().says("Hello, Ada.").says("Ada.");
/// let memory = ChatMemory::new(InMemoryChatMemoryRepository::new());
/// let client = ChatClient::builder(model)
///     .default_advisors(MessageChatMemoryAdvisor::new(memory))
///     .build()?;
///
/// client.prompt("I am Ada.").conversation("user-42").call().await?;
/// let answer = client.prompt("Who am I?").conversation("user-42").call().await?;
/// assert_eq!(answer.content(), "Ada.");
/// # Ok::<(), vernal_core::Error>(()) }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct MessageChatMemoryAdvisor(pub(super) MessageChatMemoryAdvisorBuilder);

impl MessageChatMemoryAdvisor {
    /// Where the memory stands unless it is told otherwise: outside of the loop (rule ORD-2).
    pub const DEFAULT_ORDER: i32 = order::HIGHEST_PRECEDENCE + 200;

    /// A memory outside of the loop. A repository is taken as a memory with the default window.
    pub fn new(memory: impl Into<ChatMemory>) -> Self {
        Self::builder(memory).build()
    }

    /// A builder, to say where the memory stands.
    pub fn builder(memory: impl Into<ChatMemory>) -> MessageChatMemoryAdvisorBuilder {
        MessageChatMemoryAdvisorBuilder::new(memory.into())
    }

    /// The memory.
    pub fn memory(&self) -> &ChatMemory {
        &self.0.memory
    }

    fn conversation_of<'a>(
        &self,
        request: &'a ChatClientRequest,
    ) -> Result<&'a ConversationId, Error> {
        let conversation = request.conversation();
        conversation.ok_or_else(|| ChatClientRequest::without_conversation(self))
    }

    /// A request of a turn, or a round of one.
    async fn run(
        &self,
        mut request: ChatClientRequest,
        rest: AdvisorChain,
        events: Emitter,
    ) -> Result<ChatClientResponse, Error> {
        let conversation = self.conversation_of(&request)?.clone();
        let asked = request.prompt().messages().clone();
        let said = transcript::without_system(&asked);
        let history = self.recall(&request, &conversation).await?;
        let open_turn = transcript::completed(request.turn_messages(), &said);
        let system = request.prompt().messages().iter();
        let system = system.filter(|message| message.role() == Role::System);
        let messages = self.memory().compose(system.cloned(), &history, &open_turn);
        *request.prompt_mut().messages_mut() = messages;

        let (is_inside, deadline) = (request.turn_scope().is_some(), request.given_deadline());
        let composed = is_inside.then(|| request.prompt().messages().clone());
        let mut response = if events.is_heard() {
            forward(rest.next_stream(request), &events).await?
        } else {
            rest.next_call(request).await?
        };
        if let Some(composed) = composed {
            transcript::forget_replayed(&mut response, &asked, &composed);
        } else {
            let kept = transcript::ends(&said, response.chat_response());
            let mut keeping = pin!(Some(self.keep(&conversation, kept)));
            let kept = Deadline::limit(deadline, keeping.as_mut()).await;
            kept.map_err(|error| error.with_response(&response))?;
        }
        Ok(response)
    }

    /// The history: loaded once for a turn, so that all its rounds see the same.
    async fn recall(
        &self,
        request: &ChatClientRequest,
        conversation: &ConversationId,
    ) -> Result<Arc<[Arc<Message>]>, Error> {
        let this = std::ptr::from_ref(self) as usize;
        let scope = request.turn_scope();
        let state = request.state();
        if let Some(recalled) = scope.and_then(|scope| scope.recalled(state, this)) {
            return Ok(recalled);
        }
        let loaded = self.memory().load(conversation).await;
        let loaded = loaded.or_else(|cause| self.without(Task::Load, cause))?;
        let loaded: Arc<[_]> = loaded.into();
        if let Some(scope) = scope {
            scope.keep(state, this, loaded.clone());
        }
        Ok(loaded)
    }

    async fn keep(
        &self,
        conversation: &ConversationId,
        messages: Vec<Arc<Message>>,
    ) -> Result<(), Error> {
        let kept = self.memory().append(conversation, messages).await;
        kept.or_else(|cause| self.without(Task::Store, cause))
    }

    /// Goes on without what could not be done, if that was chosen (rule MEM-8).
    fn without<T: Default>(&self, task: Task, cause: MemoryError) -> Result<T, Error> {
        let degrade = self.0.on_unavailable == OnUnavailable::Degrade && cause.is_unavailable();
        let repository = self.repository_name().to_owned();
        let failure = MemoryFailure {
            repository,
            task,
            cause,
        };
        if !degrade {
            return Err(Error::advisor(self.name(), failure));
        }
        tracing::warn!(
            repository = failure.repository,
            error = %failure.cause,
            "a turn goes on without its memory: {}",
            match task {
                Task::Load => "the history could not be loaded",
                Task::Store => "it could not be stored",
            }
        );
        Ok(T::default())
    }
}

impl Advisor for MessageChatMemoryAdvisor {
    fn name(&self) -> &str {
        "message-chat-memory"
    }

    fn order(&self) -> i32 {
        self.0.order
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        Box::pin(async move { self.run(request, rest, Emitter::silent()).await })
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        stream_of(move |events| async move { self.run(request, rest, events).await })
    }

    fn as_memory_advisor(&self) -> Option<&dyn MemoryAdvisor> {
        Some(self)
    }
}

impl MemoryAdvisor for MessageChatMemoryAdvisor {
    fn replays_full_turn(&self) -> bool {
        true
    }

    fn repository_name(&self) -> &str {
        self.memory().repository().name()
    }

    fn stores_tool_messages(&self) -> bool {
        self.memory().repository().stores_tool_messages()
    }

    fn commit_turn<'a>(
        &'a self,
        request: &'a ChatClientRequest,
        messages: &'a History,
    ) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let conversation = self.conversation_of(request)?;
            self.keep(conversation, transcript::whole(messages)).await
        })
    }
}
