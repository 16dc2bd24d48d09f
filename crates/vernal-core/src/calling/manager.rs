use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::answers::{Answers, OpenBatch};
use super::error::Kind;
use super::execute::{Execution, Observer};
use super::settings::Settings;
use super::within::within;
use super::{
    NotWithin, ToolCallLimitExceeded, ToolCallLimits, ToolCallingError, ToolCallingManagerBuilder,
    ToolExecutionError, ToolExecutionResult, Turn, TurnEnd, TurnStep,
};
use crate::message::ToolResponse;
use crate::model::{ChatOptions, ChatResponse, Prompt};
use crate::tool::name::listed;

/// How many calls of a batch run at the same time, unless configured (rule EXE-1).
pub const DEFAULT_MAX_CONCURRENCY: usize = 8;

/// Executes the tool calls of model responses, under limits.
///
/// It holds settings and no state: one manager serves any number of turns at the same time (rule
/// LIM-10). A copy is one reference count.
#[derive(Debug, Clone, Default)]
pub struct ToolCallingManager(pub(super) Arc<Settings>);

/// How the calls of a response ended in the strict sense: what the caller has to be told.
pub(crate) enum Failure {
    Tool(ToolExecutionError),
    UnknownTool { tool_name: Arc<str>, known: String },
}

impl ToolCallingManager {
    /// A builder that starts from the defaults.
    pub fn builder() -> ToolCallingManagerBuilder {
        ToolCallingManagerBuilder::new()
    }

    /// The limits.
    pub fn limits(&self) -> &ToolCallLimits {
        &self.0.limits
    }

    /// How long a whole turn may take.
    pub fn turn_timeout(&self) -> Option<Duration> {
        self.0.turn_timeout
    }

    /// How many blocking tools run at this moment, those included that nobody waits for any more (rule
    /// EXE-3).
    pub fn running_blocking_tools(&self) -> usize {
        self.0.blocking.running()
    }

    /// Executes the calls of a response to `prompt`, with the tools and the context of its options.
    ///
    /// What follows the newest user message of the prompt counts towards the limits; a loop that adds
    /// user messages of its own keeps a [`Turn`] and uses
    /// [`execute_in_turn`](Self::execute_in_turn) instead (rule LIM-2).
    ///
    /// # Errors
    /// No tool calls, a limit, a fatal tool error, the manager's `turn_timeout`, or an unknown tool where
    /// names are strict; a `turn_timeout` without a tokio runtime. All but the first carry the partial result.
    pub async fn execute_tool_calls(
        &self,
        prompt: &Prompt,
        response: &ChatResponse,
    ) -> Result<ToolExecutionResult, ToolCallingError> {
        let mut turn = Turn::from_history(prompt.messages().clone());
        self.execute_in_turn(&mut turn, prompt.options(), response)
            .await
    }

    /// Executes the calls of a response that belongs to `turn`, with the tools and the context of
    /// `options`.
    ///
    /// # Errors
    /// As [`execute_tool_calls`](Self::execute_tool_calls).
    pub async fn execute_in_turn(
        &self,
        turn: &mut Turn,
        options: &ChatOptions,
        response: &ChatResponse,
    ) -> Result<ToolExecutionResult, ToolCallingError> {
        if !response.has_tool_calls() {
            return Err(ToolCallingError(Kind::NoToolCalls));
        }
        let timeout = self.turn_timeout();
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let surroundings = Surroundings {
            deadline,
            ..Surroundings::default()
        };
        let advance = self.advance(turn, response.clone(), options, surroundings);
        let result = match timeout.zip(deadline) {
            None => Ok(advance.await),
            Some((given, deadline)) => within(deadline, advance).await.map_err(|why| (why, given)),
        };
        let partial = Box::new(ToolExecutionResult::of(turn));
        let failure = match result {
            Ok(advanced) => advanced.err(),
            Err((NotWithin::TooLate, given)) => {
                return Err(ToolCallingError(Kind::TimedOut { given, partial }));
            }
            Err((NotWithin::NoTimers, _)) => {
                return Err(ToolCallingError(Kind::NoTimers { partial }));
            }
        };
        match (failure, turn.step()) {
            (Some(Failure::Tool(error)), _) => {
                Err(ToolCallingError(Kind::Execution { error, partial }))
            }
            (Some(Failure::UnknownTool { tool_name, known }), _) => {
                Err(ToolCallingError(Kind::UnknownTool {
                    tool_name,
                    known,
                    partial,
                }))
            }
            (None, TurnStep::Done(TurnEnd::Limit(breach, _))) => {
                let breach = breach.clone();
                Err(ToolCallingError(Kind::Limit(ToolCallLimitExceeded {
                    breach,
                    partial,
                })))
            }
            (None, _) => Ok(*partial),
        }
    }

    /// Takes a response into the turn and runs its calls; afterwards the turn says what comes next.
    pub(crate) async fn advance(
        &self,
        turn: &mut Turn,
        response: ChatResponse,
        options: &ChatOptions,
        surroundings: Surroundings,
    ) -> Result<(), Failure> {
        let rules = self.0.rules(options);
        turn.on_response(response, &rules);
        turn.answer(surroundings.answered);
        let TurnStep::Execute(batch) = turn.step() else {
            return Ok(());
        };
        if self.0.strict_tool_names
            && let Some(unknown) = batch.calls.iter().find(|planned| planned.is_unknown_tool())
        {
            let tool_name = unknown.call.name.clone();
            let known = listed(
                rules
                    .tools
                    .definitions()
                    .map(|definition| &**definition.name()),
            );
            for planned in &batch.calls {
                let outcome = planned.outcome_without_running();
                let is_known = || rules.find(&planned.call.name).is_some();
                self.0
                    .record_not_run(&planned.call, turn.rounds(), outcome, is_known);
            }
            turn.give_up(
                Vec::new(),
                "This call was not run: another call named an unknown tool.",
            );
            return Err(Failure::UnknownTool { tool_name, known });
        }
        let execution = Execution {
            settings: &self.0,
            rules,
            context: options.tool_context(),
            history: turn.messages().clone(),
            round: turn.rounds(),
            turn_deadline: surroundings.deadline,
            observer: surroundings.observer,
        };
        let mut open = OpenBatch {
            settings: &self.0,
            answers: Answers::planned(batch),
            turn,
        };
        let OpenBatch { turn, answers, .. } = &mut open;
        let TurnStep::Execute(batch) = turn.step() else {
            return Ok(());
        };
        let fatal = execution.run(batch, answers).await;
        // The history is let go before it grows, so that it need not be copied.
        drop(execution);
        if let Some(error) = fatal {
            return Err(Failure::Tool(error));
        }
        let responses = answers.complete(batch);
        turn.on_results(responses, &rules);
        Ok(())
    }
}

/// What surrounds a batch in a turn that somebody drives.
#[derive(Default)]
pub(crate) struct Surroundings {
    pub(crate) deadline: Option<Instant>,
    pub(crate) observer: Observer,
    /// Answers in the place of tools, which then do not run.
    pub(crate) answered: Vec<ToolResponse>,
}
