use std::fmt;
use std::sync::Arc;

use futures::{Stream, StreamExt, stream};

use super::{
    Advisor, AdvisorSpec, CallFuture, ChatClientRequest, ChatClientResponse, ChatEvent,
    EventStream, MemoryAdvisor, RequestState, ToolCallingAdvisor,
};
use crate::Error;
use crate::message::History;
use crate::model::{ChatModel, ModelError, ModelErrorKind, ModelEvent, ModelStream};

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
        tool_loop: &Arc<ToolCallingAdvisor>,
        model: Arc<dyn ChatModel>,
    ) -> Result<Self, Error> {
        let mut advisors = spec.advisors().to_vec();
        let loops: Vec<_> = advisors
            .iter()
            .filter(|a| a.as_tool_advisor().is_some())
            .collect();
        match loops.as_slice() {
            [] if spec.auto_register() => {
                let inside = |a: &Arc<dyn Advisor>| a.order() > tool_loop.order();
                let is_replayed = advisors
                    .iter()
                    .any(|a| inside(a) && replays(&**a).is_some());
                advisors.push(match is_replayed {
                    true => Arc::new(tool_loop.without_own_history()),
                    false => tool_loop.clone(),
                });
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
        chain.check_memories()?;
        Ok(chain)
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
                let response = self.chain.model.call(request.into_prompt());
                Box::pin(
                    async move { Ok(ChatClientResponse::new(response.await?).with_state(state)) },
                )
            }
        }
    }

    /// As [`next_call`](Self::next_call), streamed.
    pub fn next_stream(&self, request: ChatClientRequest) -> EventStream {
        match self.chain.advisors.get(self.position) {
            Some(advisor) => advisor.clone().advise_stream(request, self.rest()),
            None => {
                let (round, state) = (request.round(), request.state().clone());
                let events = up_to_its_answer(self.chain.model.stream(request.into_prompt()));
                Box::pin(events.map(move |event| Ok(in_round(event?, round, &state))))
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

/// A model's event as an event of the request.
fn in_round(event: ModelEvent, round: u32, state: &RequestState) -> ChatEvent {
    match event {
        ModelEvent::Completed(response) => ChatEvent::Done {
            response: Box::new(ChatClientResponse::new(*response).with_state(state.clone())),
        },
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
