use std::pin::pin;
use std::sync::Arc;

use super::ToolCallingAdvisorBuilder;
use crate::Error;
use crate::advisor::around::order;
use crate::advisor::base::forward;
use crate::advisor::emitter::{Emitter, stream_of};
use crate::advisor::hooks::{HookList, OpenLoop};
use crate::advisor::memory;
use crate::advisor::ready::Deadline;
use crate::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, ChatEvent,
    EventStream, RoundKind, ToolAdvisor,
};
use crate::calling::{
    ExecutionEvent, Failure, Surroundings, ToolCallingManager, ToolExecutionEligibilityChecker,
    TurnStep,
};
use crate::model::ChatResponse;

/// The tool loop: calls the model, runs the tools it asks for, and calls it again until it answers.
///
/// A client registers one by itself (rule AUTO-1); build one to change its order, its limits, its
/// eligibility check, or to give it [hooks](crate::advisor::ToolLoopHooks):
///
/// ```
/// use vernal_core::advisor::ToolCallingAdvisor;
/// use vernal_core::calling::ToolCallingManager;
///
/// let tool_loop = ToolCallingAdvisor::builder()
///     .tool_calling_manager(ToolCallingManager::builder().max_rounds(8).build()?)
///     .build()?;
/// # let _ = tool_loop;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ToolCallingAdvisor {
    pub(super) order: i32,
    pub(super) manager: ToolCallingManager,
    pub(super) eligibility: Option<ToolExecutionEligibilityChecker>,
    pub(super) own_history: bool,
    pub(super) reset_choice: bool,
    pub(super) hooks: HookList,
}

impl ToolCallingAdvisor {
    /// Where the loop stands unless it is told otherwise (rule ORD-2).
    pub const DEFAULT_ORDER: i32 = order::HIGHEST_PRECEDENCE + 300;

    /// A builder that starts from the defaults.
    pub fn builder() -> ToolCallingAdvisorBuilder {
        ToolCallingAdvisorBuilder(Self::default())
    }

    /// A loop at its default place that executes with `manager`.
    pub fn with_manager(manager: ToolCallingManager) -> Self {
        Self {
            manager,
            ..Self::default()
        }
    }

    /// Runs a turn. `call` and `stream` differ only in whether `events` are heard.
    async fn run(
        &self,
        request: ChatClientRequest,
        rest: AdvisorChain,
        events: Emitter,
    ) -> Result<ChatClientResponse, Error> {
        let mut open = OpenLoop::new(request, &self.hooks, events.is_heard(), self.own_history);
        let of_request = open.request.given_deadline();
        let of_turn = self.manager.turn_timeout().and_then(Deadline::of_turn);
        let nearest = of_request.into_iter().chain(of_turn);
        let nearest = nearest.min_by_key(|deadline| deadline.at);
        let result = {
            let mut rounds = pin!(Some(self.rounds(&mut open, &rest, &events, nearest)));
            Deadline::limit(nearest, rounds.as_mut()).await
        };
        let result = match result {
            Ok(()) => {
                let mut commit = pin!(Some(commit(&open, &rest)));
                Deadline::limit(of_request, commit.as_mut()).await
            }
            error => error,
        };
        open.close(result)
    }

    /// All rounds, until the turn is done.
    async fn rounds(
        &self,
        open: &mut OpenLoop<'_>,
        rest: &AdvisorChain,
        events: &Emitter,
        deadline: Option<Deadline>,
    ) -> Result<(), Error> {
        open.initialize().await?;
        while !matches!(open.turn.step(), TurnStep::Done(_)) {
            self.round(open, rest, events, deadline).await?;
        }
        Ok(())
    }

    /// One round: the model's response, and the tools that it asks for.
    async fn round(
        &self,
        open: &mut OpenLoop<'_>,
        rest: &AdvisorChain,
        events: &Emitter,
        deadline: Option<Deadline>,
    ) -> Result<(), Error> {
        let mut request = open.next_request().await?;
        if let Some(deadline) = deadline {
            request = request.with_deadline(deadline);
        }
        let round = request.round();
        let sent = open.remember(&request);
        let response = if events.is_heard() {
            forward(rest.next_stream(request), events).await?
        } else {
            rest.next_call(request).await?
        };
        let mut response = open.received(sent, response).await?;
        let answered = response.take_answers();
        let response = response.into_chat_response();
        let eligible = match self.is_eligible(&response) {
            Ok(eligible) => eligible,
            Err(error) => {
                // What the response said and cost is not lost.
                open.turn.on_final_response(response);
                return Err(error);
            }
        };
        if events.is_heard() {
            events.put(round_finished(round, eligible, &response));
        }
        if !eligible {
            open.turn.on_final_response(response);
            return Ok(());
        }
        let surroundings = Surroundings {
            deadline: deadline.map(|deadline| deadline.at),
            observer: events.is_heard().then(|| observer(events.clone(), round)),
            answered,
        };
        let options = open.request.prompt().options();
        let advance = self
            .manager
            .advance(&mut open.turn, response, options, surroundings);
        advance.await.map_err(|failure| match failure {
            Failure::Tool(error) => Error::tool(error),
            Failure::UnknownTool { tool_name, known } => Error::unknown_tool(tool_name, known),
        })?;
        if self.reset_choice {
            open.reset_choice();
        }
        open.executed().await
    }

    fn is_eligible(&self, response: &ChatResponse) -> Result<bool, Error> {
        let has_calls = response.has_tool_calls();
        let Some(checker) = &self.eligibility else {
            return Ok(has_calls);
        };
        let required = checker.is_tool_execution_required(response);
        if required && !has_calls {
            return Err(Error::setup(
                "the eligibility checker asks to execute a response without tool calls; let it check \
                 `has_tool_calls()`",
            ));
        }
        Ok(required)
    }
}

/// Tells the memories inside of the loop of a turn that has succeeded.
async fn commit(open: &OpenLoop<'_>, rest: &AdvisorChain) -> Result<(), Error> {
    let TurnStep::Done(end) = open.turn.step() else {
        return Ok(());
    };
    match memory::finished(&open.turn, end) {
        Some(messages) => rest.commit_turn(&open.request, &messages).await,
        None => Ok(()),
    }
}

fn round_finished(round: u32, eligible: bool, response: &ChatResponse) -> ChatEvent {
    let kind = if eligible {
        RoundKind::Commentary
    } else {
        RoundKind::Answer
    };
    ChatEvent::RoundFinished {
        round,
        kind,
        usage: response.metadata.usage,
    }
}

/// Passes what happens to the calls of a round on to whoever watches the stream.
fn observer(events: Emitter, round: u32) -> Arc<dyn Fn(ExecutionEvent) + Send + Sync> {
    Arc::new(move |event| events.put(in_round(event, round)))
}

fn in_round(event: ExecutionEvent, round: u32) -> ChatEvent {
    match event {
        ExecutionEvent::Progress { call_id, progress } => ChatEvent::ToolProgress {
            round,
            call_id,
            progress,
        },
        ExecutionEvent::Started { call } => ChatEvent::ToolExecutionStarted { round, call },
        ExecutionEvent::Finished { response, duration } => ChatEvent::ToolResult {
            round,
            response,
            duration,
        },
    }
}

impl Default for ToolCallingAdvisor {
    fn default() -> Self {
        Self {
            order: Self::DEFAULT_ORDER,
            manager: ToolCallingManager::default(),
            eligibility: None,
            own_history: true,
            reset_choice: true,
            hooks: HookList::default(),
        }
    }
}

impl Advisor for ToolCallingAdvisor {
    fn name(&self) -> &str {
        "tool-calling"
    }

    fn order(&self) -> i32 {
        self.order
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

    fn as_tool_advisor(&self) -> Option<&dyn ToolAdvisor> {
        Some(self)
    }
}

impl ToolAdvisor for ToolCallingAdvisor {
    fn disable_internal_conversation_history(&self) -> Option<Arc<dyn ToolAdvisor>> {
        Some(Arc::new(Self {
            own_history: false,
            ..self.clone()
        }))
    }

    fn sends_newest_only(&self) -> bool {
        !self.own_history
    }
}
