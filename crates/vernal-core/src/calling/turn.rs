use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::changes::{Changes, Removed};
use super::outcome::{limit_response, return_direct_response};
use super::plan::{CallCounts, plan};
use super::repeats;
use super::{Batch, Decision, LimitBreach, ToolCallLimits, TurnRules};
use crate::message::{FormatVersion, History, Message, ToolOutcome, ToolResponse, Usage};
use crate::model::{ChatResponse, ResponseMetadata};

/// The answer to a call that nobody brought a result for.
const NOT_RUN: &str = "This call was not run.";

/// One turn: from what the user said to the answer, with as many rounds of tool calls as it takes.
///
/// It is data. It never awaits and holds no client; feed it a response with
/// [`on_response`](Self::on_response) or results with [`on_results`](Self::on_results), and
/// [`step`](Self::step) says what comes next. It owns its complete history and its counters, so that
/// trimming what is sent to a model never changes what is counted (rule LIM-2). It serialises, with
/// a version, at every step.
///
/// ```
/// use vernal_core::calling::{ToolCallLimits, Turn, TurnRules, TurnStep};
/// use vernal_core::model::ChatResponse;
/// use vernal_core::tool::ToolSet;
///
/// let (limits, tools) = (ToolCallLimits::default(), ToolSet::empty());
/// let rules = TurnRules::new(&limits, &tools);
/// let mut turn = Turn::start("Hi!");
/// assert!(matches!(turn.step(), TurnStep::CallModel));
/// turn.on_response(ChatResponse::text("Hello."), &rules);
/// assert!(matches!(turn.step(), TurnStep::Done(_)));
///
/// let stored = serde_json::to_string(&turn)?;
/// let again: Turn = serde_json::from_str(&stored)?;
/// assert_eq!(again.messages().last().unwrap().text(), "Hello.");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Turn {
    v: FormatVersion<1>,
    messages: History,
    /// What is sent, where something was left out of the messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instructions: Option<History>,
    rounds: u32,
    refused_rounds: u32,
    counts: CallCounts,
    usage: Usage,
    metadata: ResponseMetadata,
    step: TurnStep,
}

/// What a turn needs next.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnStep {
    /// A model's response to the turn's messages.
    CallModel,
    /// The results of these calls.
    Execute(Batch),
    /// Nothing: the turn is over.
    Done(TurnEnd),
}

/// How a turn ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnEnd {
    /// The model answered without asking for tools, or its calls were left to the caller.
    Answer(ChatResponse),
    /// The results of return-direct tools are the answer (rule RD-2).
    ReturnDirect(ChatResponse),
    /// A limit ended it; the response says which (rule LIM-8).
    Limit(LimitBreach, ChatResponse),
    /// It was given up: the caller has the reason.
    GivenUp,
}

impl TurnEnd {
    /// The response that the caller gets; `None` where the caller gets an error.
    pub fn response(&self) -> Option<&ChatResponse> {
        match self {
            Self::Answer(response) | Self::ReturnDirect(response) | Self::Limit(_, response) => {
                Some(response)
            }
            Self::GivenUp => None,
        }
    }
}

impl Turn {
    /// A turn that begins with these messages; nothing in them counts towards limits.
    pub fn start(messages: impl Into<History>) -> Self {
        Self {
            v: FormatVersion,
            messages: messages.into(),
            instructions: None,
            rounds: 0,
            refused_rounds: 0,
            counts: CallCounts::default(),
            usage: Usage::default(),
            metadata: ResponseMetadata::default(),
            step: TurnStep::CallModel,
        }
    }

    /// The turn that a loop of the caller's own is in the middle of: everything after the newest user
    /// message belongs to it (rule LIM-2).
    pub fn from_history(messages: impl Into<History>) -> Self {
        let mut turn = Self::start(messages);
        let messages = turn.messages.clone();
        for message in messages.since_last_user() {
            let mut responses = message.tool_responses().peekable();
            if responses.peek().is_none() {
                continue;
            }
            turn.rounds += 1;
            let refused = message
                .tool_responses()
                .all(|r| r.outcome == ToolOutcome::Refused);
            turn.refused_rounds = if refused { turn.refused_rounds + 1 } else { 0 };
            responses.for_each(|response| turn.counts.add(&response.name));
        }
        turn
    }

    /// What comes next.
    pub fn step(&self) -> &TurnStep {
        &self.step
    }

    /// Everything that was said, in order. Every tool call in it has exactly one answer, except
    /// while the turn is in [`TurnStep::Execute`].
    pub fn messages(&self) -> &History {
        &self.messages
    }

    /// What the model is sent next: the turn's messages, but for those that somebody left out on the way
    /// to the model (rule LOOP-4).
    pub fn instructions(&self) -> &History {
        self.instructions.as_ref().unwrap_or(&self.messages)
    }

    /// Makes changes hold that were made on the way to the model (rule LOOP-4): of the
    /// [`instructions`](Self::instructions), `given` were to be sent, and `sent` were.
    ///
    /// Messages that were added stay in the turn, at their place. Those that were left out are not sent
    /// again, but stay in [`messages`](Self::messages). New ones in the place of as many others of the
    /// same roles are their new versions. Neither limits nor counts depend on any of it.
    pub fn revise(&mut self, given: &History, sent: &History) {
        if given.is_same(sent) {
            return;
        }
        let changes = Changes::between(given, sent);
        if self.instructions.is_some() || !changes.keeps_all() {
            let instructions = changes.applied(self.instructions(), Removed::Dropped);
            self.instructions = Some(instructions);
        }
        self.messages = changes.applied(&self.messages, Removed::Kept);
    }

    /// The rounds so far: responses that asked for tools.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The tokens of all model calls so far (rule LOOP-6).
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Takes a model's response: ends the turn where it asks for no tools, else plans its calls.
    pub fn on_response(&mut self, response: ChatResponse, rules: &TurnRules<'_>) {
        self.close_batch(Vec::new(), NOT_RUN);
        self.account(&response);
        let Some(generation) = response.generation_with_tool_calls() else {
            return self.answered(response);
        };
        self.rounds += 1;
        self.push(generation.message.clone());
        self.step = TurnStep::Execute(plan(generation, &mut self.counts, rules));
    }

    /// Takes a model's response as the end of the turn, even if it asks for tools: those calls are
    /// left to the caller, and the turn's own history answers them as not run.
    pub fn on_final_response(&mut self, response: ChatResponse) {
        self.close_batch(Vec::new(), NOT_RUN);
        self.account(&response);
        self.answered(response);
    }

    /// Takes the answers to the calls of the batch and decides how to go on.
    ///
    /// Answers that are missing are filled in as not run; surplus ones are ignored.
    pub fn on_results(&mut self, results: Vec<ToolResponse>, rules: &TurnRules<'_>) {
        let TurnStep::Execute(batch) = std::mem::replace(&mut self.step, TurnStep::CallModel)
        else {
            return;
        };
        let mut responses = complete(&batch, results, NOT_RUN);
        let (messages, limits) = (&self.messages, rules.limits);
        let repeated = repeats::note(messages, self.rounds, &batch, &mut responses, limits);
        let refused = responses
            .iter()
            .all(|response| response.outcome == ToolOutcome::Refused);
        self.refused_rounds = if refused { self.refused_rounds + 1 } else { 0 };
        let end = self.end_after(&batch, &responses, repeated, rules);
        self.push(Message::tool(responses));
        self.step = end.map_or(TurnStep::CallModel, TurnStep::Done);
    }

    /// Gives the turn up: calls that have no answer yet get one that says `why` (for the model, in
    /// case the conversation goes on), and the turn is over.
    pub fn give_up(&mut self, results: Vec<ToolResponse>, why: &str) {
        self.close_batch(results, why);
        self.step = TurnStep::Done(TurnEnd::GivenUp);
    }

    /// Answers calls of the batch in the place of their tools, where these were to run.
    pub(super) fn answer(&mut self, answers: Vec<ToolResponse>) {
        let TurnStep::Execute(batch) = &mut self.step else {
            return;
        };
        for answer in answers {
            let mut calls = batch.calls.iter_mut();
            let call = calls.find(|planned| planned.call.id == answer.call_id);
            if let Some(planned) = call.filter(|planned| planned.is_runnable()) {
                planned.requires_approval = false;
                planned.decision = Decision::Answer(answer);
            }
        }
    }

    fn push(&mut self, message: impl Into<Arc<Message>>) {
        let message = message.into();
        if let Some(instructions) = &mut self.instructions {
            instructions.push(message.clone());
        }
        self.messages.push(message);
    }

    /// Answers every call of a batch that nobody brought results for, so that the transcript is valid
    /// whatever comes next.
    fn close_batch(&mut self, results: Vec<ToolResponse>, why: &str) {
        if let TurnStep::Execute(batch) = &self.step {
            let responses = complete(batch, results, why);
            self.push(Message::tool(responses));
        }
    }

    fn account(&mut self, response: &ChatResponse) {
        self.usage += response.usage();
        self.metadata = response.metadata.clone();
    }

    /// The last response's metadata, with the usage of the whole turn.
    fn total_metadata(&self) -> ResponseMetadata {
        let mut metadata = self.metadata.clone();
        metadata.usage = (!self.usage.is_empty())
            .then_some(self.usage)
            .or(metadata.usage);
        metadata
    }

    fn answered(&mut self, mut response: ChatResponse) {
        if let Some(generation) = response.generation() {
            let message = generation.message.clone();
            let unanswered = |call| {
                let text = "This call was not run: it was left to the application.";
                ToolResponse::error(call, ToolOutcome::NotRun, text)
            };
            let answers: Vec<_> = message.tool_calls().map(unanswered).collect();
            self.push(message);
            if !answers.is_empty() {
                self.push(Message::tool(answers));
            }
        }
        response.metadata = self.total_metadata();
        self.step = TurnStep::Done(TurnEnd::Answer(response));
    }

    fn end_after(
        &self,
        batch: &Batch,
        responses: &[ToolResponse],
        repeated: Option<LimitBreach>,
        rules: &TurnRules<'_>,
    ) -> Option<TurnEnd> {
        let limits = rules.limits;
        let limited = |breach: LimitBreach| {
            let response = limit_response(&breach, responses, self.total_metadata());
            TurnEnd::Limit(breach, response)
        };
        if let Some(breach) = &batch.breach {
            return Some(limited(breach.clone()));
        }
        if is_direct(responses, rules) {
            return Some(TurnEnd::ReturnDirect(return_direct_response(
                responses,
                self.total_metadata(),
            )));
        }
        if self.rounds >= limits.max_rounds() {
            return Some(limited(LimitBreach::Rounds {
                limit: limits.max_rounds(),
            }));
        }
        if self.refused_rounds >= ToolCallLimits::MAX_REFUSED_ROUNDS {
            let last = batch.calls.last()?;
            let breach = match limits.max_calls_of(&last.call.name) {
                Some(limit) if self.counts.is_over(&last.call.name, limit) => {
                    LimitBreach::CallsPerTool {
                        tool_name: last.call.name.clone(),
                        limit,
                    }
                }
                _ => LimitBreach::TotalCalls {
                    limit: limits.max_total_calls()?,
                },
            };
            return Some(limited(breach));
        }
        repeated.map(limited)
    }
}

/// Whether the results are the answer: every call ran successfully and its tool says so (rule RD-1).
fn is_direct(responses: &[ToolResponse], rules: &TurnRules<'_>) -> bool {
    !responses.is_empty()
        && responses.iter().all(|response| {
            response.outcome == ToolOutcome::Success
                && rules
                    .find(&response.name)
                    .is_some_and(|tool| tool.tool_metadata().return_direct())
        })
}

/// One answer for each call of the batch, in order: the given one, the planned one, or "not run".
fn complete(batch: &Batch, results: Vec<ToolResponse>, why: &str) -> Vec<ToolResponse> {
    let mut results = VecDeque::from(results);
    let answers = batch.calls.iter().map(|planned| {
        let given = results
            .iter()
            .position(|result| result.call_id == planned.call.id);
        if let Some(result) = given.and_then(|at| results.remove(at)) {
            return result;
        }
        match &planned.decision {
            Decision::Answer(response) => response.clone(),
            Decision::Run { .. } => ToolResponse::error(&planned.call, ToolOutcome::NotRun, why),
        }
    });
    answers.collect()
}
