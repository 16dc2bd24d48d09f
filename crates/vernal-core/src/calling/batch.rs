use serde::{Deserialize, Serialize};

use super::LimitBreach;
use crate::message::{ToolCall, ToolOutcome, ToolResponse};
use crate::tool::ToolInput;

/// The calls of one response, each with what was decided about it, in the order of the calls.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Batch {
    /// The calls.
    pub calls: Vec<PlannedCall>,
    /// The limit that ends the turn after this batch, if one does (rule LIM-7).
    pub breach: Option<LimitBreach>,
}

/// A call and what was decided about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlannedCall {
    /// The call as the model made it.
    pub call: ToolCall,
    /// What becomes of it.
    pub decision: Decision,
    /// Whether its tool asks for a person's consent before it runs
    /// ([`requires_approval`](crate::tool::ToolMetadata::requires_approval)).
    ///
    /// Planning says so and decides nothing by it: whoever executes the batch is the gate. A call that is
    /// not to run is answered in [`Turn::on_results`](super::Turn::on_results); the others of its group
    /// need not wait for it (rule EXE-1).
    #[serde(default)]
    pub requires_approval: bool,
}

/// What becomes of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decision {
    /// The tool runs.
    Run {
        /// The checked arguments.
        input: ToolInput,
        /// Calls of one group run at the same time, groups one after the other (rule EXE-1).
        group: u32,
    },
    /// The call is answered without running.
    Answer(ToolResponse),
}

impl Batch {
    /// The calls that will run.
    pub fn runnable(&self) -> impl Iterator<Item = &PlannedCall> {
        self.calls.iter().filter(|planned| planned.is_runnable())
    }
}

impl PlannedCall {
    /// What became of the call where nothing of its batch runs.
    pub(super) fn outcome_without_running(&self) -> ToolOutcome {
        match &self.decision {
            Decision::Run { .. } => ToolOutcome::NotRun,
            Decision::Answer(response) => response.outcome,
        }
    }

    /// Whether the call will run.
    pub(super) fn is_runnable(&self) -> bool {
        matches!(self.decision, Decision::Run { .. })
    }

    /// Whether the call names no tool of the request.
    pub(super) fn is_unknown_tool(&self) -> bool {
        matches!(&self.decision, Decision::Answer(r) if r.outcome == ToolOutcome::UnknownTool)
    }
}
