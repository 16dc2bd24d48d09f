//! Running the calls of a batch: concurrently up to a bound, answers in the order of the calls.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::{FuturesUnordered, StreamExt};
use tokio::time::Instant;
use tracing::Instrument;

use super::answers::Answers;
use super::cap::capped;
use super::plan::invalid_arguments;
use super::recorder::Running;
use super::run_tool::ToolRun;
use super::settings::Settings;
use super::{Batch, Decision, PlannedCall, ToolExecutionError, TurnRules, contained, span};
use crate::message::{History, ToolCall, ToolContent, ToolOutcome, ToolResponse};
use crate::tool::name::shown;
use crate::tool::{ProgressSender, ToolCallback, ToolContext, ToolInput, ToolProgress};

/// What happens to a call while a batch runs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ExecutionEvent {
    /// The tool begins to run.
    Started {
        /// The call.
        call: ToolCall,
    },
    /// The tool says how far it is.
    Progress {
        /// The call's id.
        call_id: Arc<str>,
        /// How far it is.
        progress: ToolProgress,
    },
    /// The call has its answer.
    Finished {
        /// The answer.
        response: ToolResponse,
        /// How long the tool ran; `None` where it did not run.
        duration: Option<Duration>,
    },
}

/// Who is told what happens; nobody in a plain call, and then no event is made.
pub(crate) type Observer = Option<Arc<dyn Fn(ExecutionEvent) + Send + Sync>>;

/// How a batch is run.
pub(super) struct Execution<'a> {
    pub(super) settings: &'a Settings,
    pub(super) rules: TurnRules<'a>,
    pub(super) context: &'a ToolContext,
    pub(super) history: History,
    pub(super) round: u32,
    pub(super) turn_deadline: Option<Instant>,
    pub(super) observer: Observer,
}

impl Execution<'_> {
    /// Runs the batch, group by group, and gives the first error that ends the turn. After it no call
    /// begins; those that run finish, so that nothing that happened is lost.
    pub(super) async fn run(
        &self,
        batch: &Batch,
        answers: &mut Answers,
    ) -> Option<ToolExecutionError> {
        for planned in &batch.calls {
            if let Decision::Answer(response) = &planned.decision {
                let call = &planned.call;
                let is_known = || self.rules.find(&call.name).is_some();
                self.settings
                    .record_not_run(call, self.round, response.outcome, is_known);
                self.tell(|| ExecutionEvent::Finished {
                    response: response.clone(),
                    duration: None,
                });
            }
        }
        let mut fatal = None;
        let mut waiting = batch
            .calls
            .iter()
            .enumerate()
            .filter_map(runnable)
            .peekable();
        while let Some((_, _, _, group)) = waiting.peek().copied() {
            let group_calls = std::iter::from_fn(|| waiting.next_if(|next| next.3 == group));
            self.run_group(group_calls, answers, &mut fatal).await;
            if fatal.is_some() {
                break;
            }
        }
        fatal
    }

    async fn run_group<'c>(
        &self,
        mut calls: impl Iterator<Item = Runnable<'c>>,
        answers: &mut Answers,
        fatal: &mut Option<ToolExecutionError>,
    ) {
        let mut running = FuturesUnordered::new();
        loop {
            while fatal.is_none() && running.len() < self.settings.max_concurrency {
                let Some((index, call, input, _)) = calls.next() else {
                    break;
                };
                answers.begin(index);
                running.push(async move { (index, self.run_call(call, input).await) });
            }
            let Some((index, result)) = running.next().await else {
                return;
            };
            match result {
                Ok(response) => answers.give(index, response),
                Err(error) => {
                    fatal.get_or_insert(error);
                }
            }
        }
    }

    async fn run_call(
        &self,
        call: &ToolCall,
        input: &ToolInput,
    ) -> Result<ToolResponse, ToolExecutionError> {
        let Some(tool) = self.rules.find(&call.name) else {
            // Planning saw the tool; a caller who executes with other tools than it planned with gets
            // an answer all the same.
            self.settings
                .record_not_run(call, self.round, ToolOutcome::UnknownTool, || false);
            let text = format!(
                "The tool `{}` is not available any more.",
                shown(&call.name)
            );
            return Ok(ToolResponse::error(call, ToolOutcome::UnknownTool, text));
        };
        self.tell(|| ExecutionEvent::Started { call: call.clone() });
        let mut running = Running::begin(self.settings.recorder.as_deref(), call, self.round);
        let run = ToolRun {
            tool: &tool,
            call,
            input,
            context: self.context,
            history: &self.history,
            round: self.round,
            turn_deadline: self.turn_deadline,
            progress: self.progress_of(call),
            settings: self.settings,
        };
        let span = span::execute_tool(call);
        let response = match run.run().instrument(span.clone()).await {
            Ok(output) => {
                running.ended(ToolOutcome::Success, None);
                ToolResponse::success(call, self.capped(&tool, output.into_parts()))
            }
            Err(error) if error.cause().is_invalid_arguments() => {
                running.ended(ToolOutcome::InvalidArguments, None);
                span::failed(&span, &error);
                invalid_arguments(call, error.cause())
            }
            Err(error) => {
                running.ended(ToolOutcome::Failed, Some(error.kind_name()));
                span::failed(&span, &error);
                tracing::debug!(tool = &*call.name, call = &*call.id, "the tool failed");
                let text = ToolContent::Text(self.text_of(error)?.into());
                ToolResponse::failed(call, self.capped(&tool, vec![text]))
            }
        };
        self.tell(|| ExecutionEvent::Finished {
            response: response.clone(),
            duration: running.duration(),
        });
        Ok(response)
    }

    /// What the model reads of an error; the error itself where it is for the caller (rules ERR-1, ERR-3).
    fn text_of(&self, error: ToolExecutionError) -> Result<String, ToolExecutionError> {
        let in_place_of_blank = error.text_without_words();
        let panicked = error.processor_panicked();
        let processor = &self.settings.error_processor;
        let Some(processed) = contained::run(|| processor.process(error)) else {
            tracing::error!("the tool execution error processor panicked");
            return panicked.map_or(Ok(in_place_of_blank), Err);
        };
        let text = processed?;
        Ok(if text.trim().is_empty() {
            in_place_of_blank
        } else {
            text
        })
    }

    /// What the model reads, no longer than it may be (rule RES-4).
    fn capped(&self, tool: &Arc<dyn ToolCallback>, parts: Vec<ToolContent>) -> Vec<ToolContent> {
        let own = tool.tool_metadata().max_result_bytes();
        let max_bytes = own.unwrap_or(self.settings.max_result_bytes);
        capped(parts, max_bytes, self.settings.result_store.as_ref())
    }

    fn progress_of(&self, call: &ToolCall) -> ProgressSender {
        let Some(observer) = self.observer.clone() else {
            return ProgressSender::silent();
        };
        let call_id = call.id.clone();
        ProgressSender::new(move |progress| {
            observer(ExecutionEvent::Progress {
                call_id: call_id.clone(),
                progress,
            });
        })
    }

    fn tell(&self, event: impl FnOnce() -> ExecutionEvent) {
        if let Some(observer) = &self.observer {
            observer(event());
        }
    }
}

type Runnable<'a> = (usize, &'a ToolCall, &'a ToolInput, u32);

fn runnable((index, planned): (usize, &PlannedCall)) -> Option<Runnable<'_>> {
    match &planned.decision {
        Decision::Run { input, group } => Some((index, &planned.call, input, *group)),
        Decision::Answer(_) => None,
    }
}
