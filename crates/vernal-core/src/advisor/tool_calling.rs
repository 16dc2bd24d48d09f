use std::sync::Arc;

use tokio::time::Instant;

use super::around::order;
use super::base::forward;
use super::emitter::{Emitter, stream_of};
use super::memory;
use super::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, ChatEvent,
    EventStream, RoundKind, ToolAdvisor,
};
use crate::Error;
use crate::calling::{
    ExecutionEvent, Failure, Surroundings, ToolCallingManager, ToolExecutionEligibilityChecker,
    Turn, TurnEnd, TurnStep,
};
use crate::message::{History, Message, Role};

/// The tool loop: calls the model, runs the tools it asks for, and calls it again until it answers.
///
/// A client registers one by itself (rule AUTO-1); build one to change its order, its limits or its
/// eligibility check:
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
    order: i32,
    manager: ToolCallingManager,
    eligibility: Option<ToolExecutionEligibilityChecker>,
    own_history: bool,
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

    /// The same loop for a chain with a memory inside that replays the turn (rule AUTO-4).
    pub(super) fn without_own_history(&self) -> Self {
        Self {
            own_history: false,
            ..self.clone()
        }
    }

    /// Runs a turn. `call` and `stream` differ only in whether `events` are heard.
    async fn run(
        &self,
        mut request: ChatClientRequest,
        rest: AdvisorChain,
        events: Emitter,
    ) -> Result<ChatClientResponse, Error> {
        let mut turn = Turn::start(std::mem::take(request.prompt_mut().messages_mut()));
        request.begin_turn();
        let timeout = self.manager.turn_timeout();
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        loop {
            let round = self.round(&mut turn, &request, &rest, &events, deadline);
            let result = match timeout.zip(deadline) {
                None => round.await,
                Some((given, deadline)) => tokio::time::timeout_at(deadline, round)
                    .await
                    .unwrap_or_else(|_| Err(Error::turn_timeout(given))),
            };
            if let Err(error) = result {
                return Err(error.with_progress(&turn));
            }
            if let TurnStep::Done(end) = turn.step() {
                if let Some(messages) = memory::finished(&turn, end) {
                    let committed = rest.commit_turn(&request, &messages).await;
                    committed.map_err(|error| error.with_progress(&turn))?;
                }
                return Ok(response_of(&turn, end).with_state(request.state().clone()));
            }
        }
    }

    /// One round: the model's response, and the tools that it asks for.
    async fn round(
        &self,
        turn: &mut Turn,
        request: &ChatClientRequest,
        rest: &AdvisorChain,
        events: &Emitter,
        deadline: Option<Instant>,
    ) -> Result<(), Error> {
        let round = turn.rounds() + 1;
        let (messages, whole) = match self.own_history || round == 1 {
            true => (turn.messages().clone(), None),
            false => (newest(turn.messages()), Some(turn.messages().clone())),
        };
        let prompt = request.prompt().with_messages(messages);
        let round_request = request.for_round(prompt, round, whole);
        let response = if events.is_heard() {
            forward(rest.next_stream(round_request), events).await?
        } else {
            rest.next_call(round_request).await?
        };
        let response = response.into_chat_response();
        let eligible = match self.is_eligible(&response) {
            Ok(eligible) => eligible,
            Err(error) => {
                turn.on_final_response(response);
                return Err(error);
            }
        };
        if events.is_heard() {
            let kind = if eligible {
                RoundKind::Commentary
            } else {
                RoundKind::Answer
            };
            events.put(ChatEvent::RoundFinished {
                round,
                kind,
                usage: response.metadata.usage,
            });
        }
        if !eligible {
            turn.on_final_response(response);
            return Ok(());
        }
        let options = request.prompt().options();
        let surroundings = Surroundings {
            deadline,
            observer: events.is_heard().then(|| observer(events.clone(), round)),
        };
        self.manager
            .advance(
                turn,
                response,
                options.tools(),
                options.tool_context(),
                surroundings,
            )
            .await
            .map_err(|failure| match failure {
                Failure::Tool(error) => Error::tool(error),
                Failure::UnknownTool { tool_name, known } => Error::unknown_tool(tool_name, known),
            })
    }

    fn is_eligible(&self, response: &crate::model::ChatResponse) -> Result<bool, Error> {
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

/// What a loop without a history of its own sends: the system messages, and what came in with the
/// newest answers (rule LOOP-5).
fn newest(turn: &History) -> History {
    let is_tool = |message: &Arc<Message>| message.role() == Role::Tool;
    let start = turn.iter().rposition(is_tool).unwrap_or(0);
    let is_sent = |at: usize, role| at >= start || role == Role::System;
    let messages = turn.iter().enumerate();
    let messages = messages.filter(|(at, message)| is_sent(*at, message.role()));
    messages.map(|(_, message)| message.clone()).collect()
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

fn response_of(turn: &Turn, end: &TurnEnd) -> ChatClientResponse {
    let response = end
        .response()
        .cloned()
        .unwrap_or_else(|| crate::model::ChatResponse::text(""));
    ChatClientResponse::of_turn(response, turn.messages().clone(), turn.rounds())
}

impl Default for ToolCallingAdvisor {
    fn default() -> Self {
        Self {
            order: Self::DEFAULT_ORDER,
            manager: ToolCallingManager::default(),
            eligibility: None,
            own_history: true,
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

impl ToolAdvisor for ToolCallingAdvisor {}

/// Builds a [`ToolCallingAdvisor`].
#[derive(Debug, Clone)]
#[must_use]
pub struct ToolCallingAdvisorBuilder(ToolCallingAdvisor);

impl ToolCallingAdvisorBuilder {
    /// What executes the calls, with its limits.
    pub fn tool_calling_manager(mut self, manager: ToolCallingManager) -> Self {
        self.0.manager = manager;
        self
    }

    /// Where the loop stands: strictly between the two bounds of [`order`] (rule ORD-3).
    pub fn advisor_order(mut self, order: i32) -> Self {
        self.0.order = order;
        self
    }

    /// What decides whether calls are executed or left to the caller (rule LOOP-2).
    pub fn tool_execution_eligibility_checker(
        mut self,
        checker: ToolExecutionEligibilityChecker,
    ) -> Self {
        self.0.eligibility = Some(checker);
        self
    }

    /// Sends only the system messages and the newest tool message in later rounds, for a memory inside
    /// of the loop replays the rest (rule LOOP-5); what is counted does not change. An automatic
    /// loop finds that out by itself (rule AUTO-4).
    pub fn disable_internal_conversation_history(mut self) -> Self {
        self.0.own_history = false;
        self
    }

    /// The loop.
    ///
    /// # Errors
    /// The order is one of the two bounds (rule ORD-3).
    pub fn build(self) -> Result<ToolCallingAdvisor, Error> {
        let order = self.0.order;
        if order == order::HIGHEST_PRECEDENCE || order == order::LOWEST_PRECEDENCE {
            return Err(Error::setup(format!(
                "the tool loop's order is {order}, but must lie strictly between {} and {}, so that \
                 something can stand outside and inside of it",
                order::HIGHEST_PRECEDENCE,
                order::LOWEST_PRECEDENCE
            )));
        }
        Ok(self.0)
    }
}
