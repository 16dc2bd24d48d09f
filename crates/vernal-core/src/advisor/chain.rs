use std::fmt;
use std::sync::Arc;

use futures::{Stream, StreamExt, stream};

use super::around::order;
use super::{
    Advisor, AdvisorSpec, CallFuture, ChatClientRequest, ChatClientResponse, ChatEvent,
    EventStream, MemoryAdvisor, RequestState, ToolAdvisor,
};
use crate::Error;
use crate::message::History;
use crate::model::{
    ChatModel, ChatOptions, ModelError, ModelErrorKind, ModelEvent, ModelStream, Prompt,
};

/// The rest of a chain of advisors, with the model at its end.
///
/// Immutable and cheap to clone; it can be run any number of times, from any task, and runs the same
/// advisors each time (rule ORD-5).
#[derive(Clone)]
pub struct AdvisorChain {
    chain: Arc<Chain>,
    position: usize,
}

struct Chain {
    advisors: Box<[Arc<dyn Advisor>]>,
    model: Arc<dyn ChatModel>,
}

/// The loop that a client registers where a chain has none.
#[derive(Clone)]
pub(crate) struct AutomaticLoop {
    pub(crate) advisor: Arc<dyn ToolAdvisor>,
    /// Whether it is registered where neither client nor request says.
    pub(crate) is_enabled: bool,
}

impl AdvisorChain {
    /// A chain of these advisors, sorted by order; equal orders keep their place (rule ORD-4).
    pub fn new(advisors: Vec<Arc<dyn Advisor>>, model: Arc<dyn ChatModel>) -> Self {
        let mut advisors = advisors;
        advisors.sort_by_key(|advisor| advisor.order());
        Self {
            chain: Arc::new(Chain {
                advisors: advisors.into(),
                model,
            }),
            position: 0,
        }
    }

    /// The chain of a client's or request's advisors, with the tool loop where it belongs (rules
    /// AUTO-1 to AUTO-3). An automatic loop stands after advisors of its own order.
    pub(crate) fn with_tool_loop(
        spec: &AdvisorSpec,
        tool_loop: &AutomaticLoop,
        model: Arc<dyn ChatModel>,
    ) -> Result<Self, Error> {
        let mut advisors = spec.advisors().to_vec();
        let loops: Vec<_> = advisors
            .iter()
            .filter(|a| a.as_tool_advisor().is_some())
            .collect();
        match loops.as_slice() {
            [] if spec.auto_register().unwrap_or(tool_loop.is_enabled) => {
                let tool_loop = &tool_loop.advisor;
                let inside = |a: &Arc<dyn Advisor>| a.order() > tool_loop.order();
                let is_replayed = advisors
                    .iter()
                    .any(|a| inside(a) && replays(&**a).is_some());
                let replayed =
                    is_replayed.then(|| tool_loop.disable_internal_conversation_history());
                advisors.push(replayed.flatten().unwrap_or_else(|| tool_loop.clone()));
            }
            [] | [_] => {}
            several => {
                let names: Vec<_> = several
                    .iter()
                    .map(|advisor| format!("`{}` (order {})", advisor.name(), advisor.order()))
                    .collect();
                return Err(Error::setup(format!(
                    "a chain can have one tool advisor, but it has {}: {}; leave out all but one",
                    several.len(),
                    names.join(", ")
                )));
            }
        }
        let chain = Self::new(advisors, model);
        chain.check_loop()?;
        chain.check_memories()?;
        Ok(chain)
    }

    /// The loop's order, whoever made it (rule ORD-3), and who sends what it leaves out (rule LOOP-5).
    fn check_loop(&self) -> Result<(), Error> {
        let mut advisors = self.chain.advisors.iter();
        let Some(tool_loop) = advisors.find_map(|advisor| advisor.as_tool_advisor()) else {
            return Ok(());
        };
        order::check_loop(tool_loop.name(), tool_loop.order())?;
        if tool_loop.sends_newest_only() && !advisors.any(|inside| replays(&**inside).is_some()) {
            tracing::warn!(
                advisor = tool_loop.name(),
                "the tool loop sends only the newest of a turn, and no memory inside of it sends the rest; \
                 leave `disable_internal_conversation_history` away, or give a memory a greater order"
            );
        }
        Ok(())
    }

    /// A memory inside of the loop must be able to keep what happens there (rule AUTO-6).
    fn check_memories(&self) -> Result<(), Error> {
        let advisors = self.chain.advisors.iter();
        let inside = advisors.skip_while(|advisor| advisor.as_tool_advisor().is_none());
        for memory in inside.filter_map(|advisor| replays(&**advisor)) {
            if !memory.stores_tool_messages() {
                return Err(Error::setup(format!(
                    "the memory `{}` (order {}) is inside of the tool loop, but its repository `{}` \
                     cannot store tool messages; leave the order away to put it outside, or use \
                     another repository",
                    memory.name(),
                    memory.order(),
                    memory.repository_name()
                )));
            }
        }
        Ok(())
    }

    /// Whether the model at the end can be held to a schema by its provider in a request with these
    /// options; see [`ChatModel::supports_response_schema`].
    pub fn supports_response_schema(&self, options: &ChatOptions) -> bool {
        self.chain.model.supports_response_schema(options)
    }

    /// Whether the tool loop is still to come, so that running the rest of the chain is a whole turn.
    pub fn has_tool_advisor(&self) -> bool {
        let mut rest = self.chain.advisors.iter().skip(self.position);
        rest.any(|advisor| advisor.as_tool_advisor().is_some())
    }

    /// Refuses to run an advisor outside of the tool loop that is about single model calls.
    pub(super) fn check_inside(&self, advisor: &dyn Advisor, why: &str) -> Result<(), Error> {
        if !self.has_tool_advisor() {
            return Ok(());
        }
        let (name, order) = (advisor.name(), advisor.order());
        Err(Error::setup(format!(
            "the advisor `{name}` (order {order}) is outside of the tool loop, where {why}; leave its \
             order away to put it inside"
        )))
    }

    /// The memories still to come.
    pub(crate) fn memories(&self) -> impl Iterator<Item = &dyn MemoryAdvisor> {
        let rest = self.chain.advisors.iter().skip(self.position);
        rest.filter_map(|advisor| advisor.as_memory_advisor())
    }

    /// Tells the memories still to come, those inside of the loop, that a turn has succeeded: see
    /// [`MemoryAdvisor::commit_turn`]. For a tool advisor of one's own; the built-in loop does it.
    ///
    /// # Errors
    /// The first memory's that fails.
    pub async fn commit_turn(
        &self,
        request: &ChatClientRequest,
        messages: &History,
    ) -> Result<(), Error> {
        for memory in self.memories() {
            memory.commit_turn(request, messages).await?;
        }
        Ok(())
    }

    /// Runs the next advisor, or the model where there is none.
    pub fn next_call(&self, request: ChatClientRequest) -> CallFuture {
        match self.chain.advisors.get(self.position) {
            Some(advisor) => advisor.clone().advise_call(request, self.rest()),
            None => {
                let state = request.state().clone();
                let (sent, told) = request.into_sent();
                let response = self.chain.model.call(told);
                Box::pin(async move {
                    state.paid().called();
                    let response = response.await?;
                    state.paid().answered(&response);
                    let response = ChatClientResponse::new(response);
                    Ok(response.with_state(state).with_prompt(sent))
                })
            }
        }
    }

    /// As [`next_call`](Self::next_call), streamed.
    pub fn next_stream(&self, request: ChatClientRequest) -> EventStream {
        match self.chain.advisors.get(self.position) {
            Some(advisor) => advisor.clone().advise_stream(request, self.rest()),
            None => {
                let (round, state) = (request.round(), request.state().clone());
                let (sent, told) = request.into_sent();
                let events = up_to_its_answer(self.chain.model.stream(told));
                state.paid().called();
                let mut source = Some((sent, state));
                Box::pin(events.map(move |event| Ok(in_round(event?, round, &mut source))))
            }
        }
    }

    /// The names and orders of the advisors still to come, in the order in which they run.
    pub fn advisors(&self) -> impl Iterator<Item = (&str, i32)> {
        let rest = self.chain.advisors.iter().skip(self.position);
        rest.map(|advisor| (advisor.name(), advisor.order()))
    }

    fn rest(&self) -> Self {
        Self {
            chain: self.chain.clone(),
            position: self.position + 1,
        }
    }
}

/// The advisor as a memory that sends the open turn on, if it is one.
fn replays(advisor: &dyn Advisor) -> Option<&dyn MemoryAdvisor> {
    let memory = advisor.as_memory_advisor()?;
    memory.replays_full_turn().then_some(memory)
}

/// A model's stream up to its complete answer or its error, after which it is let go of. One that
/// just stops ends in an error.
fn up_to_its_answer(events: ModelStream) -> impl Stream<Item = Result<ModelEvent, ModelError>> {
    stream::unfold(Some(events), |events| async move {
        let mut events = events?;
        let event = events.next().await.unwrap_or_else(|| {
            let text = "the model's stream ended before its answer was complete";
            Err(ModelError::new(ModelErrorKind::Response, text))
        });
        let is_last = matches!(event, Err(_) | Ok(ModelEvent::Completed(_)));
        Some((event, (!is_last).then_some(events)))
    })
}

/// What a model streams, as events of a request outside of any loop.
pub(crate) fn events_of_model(
    events: ModelStream,
) -> impl Stream<Item = Result<ChatEvent, Error>> + Send {
    up_to_its_answer(events).map(|event| Ok(in_round(event?, 1, &mut None)))
}

/// What a response comes from.
type Source = Option<(Prompt, RequestState)>;

/// A model's event as an event of the request.
fn in_round(event: ModelEvent, round: u32, source: &mut Source) -> ChatEvent {
    match event {
        ModelEvent::Completed(response) => {
            let response = ChatClientResponse::new(*response);
            let response = match source.take() {
                Some((sent, state)) => {
                    state.paid().answered(response.chat_response());
                    response.with_state(state).with_prompt(sent)
                }
                None => response,
            };
            ChatEvent::Done {
                response: Box::new(response),
            }
        }
        ModelEvent::TextDelta(text) => ChatEvent::TextDelta { round, text },
        ModelEvent::ReasoningDelta(text) => ChatEvent::ReasoningDelta { round, text },
        ModelEvent::ToolCallStarted { index, id, name } => ChatEvent::ToolCallStarted {
            round,
            index,
            id,
            name,
        },
        ModelEvent::ToolCallDelta { index, arguments } => ChatEvent::ToolCallDelta {
            round,
            index,
            arguments,
        },
    }
}

impl fmt::Debug for AdvisorChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.advisors()).finish()
    }
}
