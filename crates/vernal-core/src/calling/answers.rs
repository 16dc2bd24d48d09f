//! The answers of a batch while it runs, and what becomes of it when nobody waits for them.

use super::settings::Settings;
use super::{Batch, Decision, Turn, TurnStep};
use crate::message::{ToolCall, ToolOutcome, ToolResponse};

/// The answers so far, in the order of the calls.
pub(super) struct Answers(Vec<Answer>);

enum Answer {
    /// The call has not begun.
    Waiting,
    /// The tool runs.
    Running,
    Given(ToolResponse),
}

impl Answers {
    /// What planning decided already.
    pub(super) fn planned(batch: &Batch) -> Self {
        let answers = batch.calls.iter().map(|planned| match &planned.decision {
            Decision::Answer(response) => Answer::Given(response.clone()),
            Decision::Run { .. } => Answer::Waiting,
        });
        Self(answers.collect())
    }

    /// The tool of the call at `index` begins to run.
    pub(super) fn begin(&mut self, index: usize) {
        self.set(index, Answer::Running);
    }

    /// The call at `index` has its answer.
    pub(super) fn give(&mut self, index: usize, response: ToolResponse) {
        self.set(index, Answer::Given(response));
    }

    /// The calls that have not begun.
    fn waiting<'b>(&self, batch: &'b Batch) -> impl Iterator<Item = &'b ToolCall> {
        let waiting = self.0.iter().zip(&batch.calls);
        waiting
            .filter(|(answer, _)| matches!(answer, Answer::Waiting))
            .map(|(_, planned)| &planned.call)
    }

    fn set(&mut self, index: usize, answer: Answer) {
        if let Some(place) = self.0.get_mut(index) {
            *place = answer;
        }
    }

    /// An answer for every call of the batch; those that have none are told how far they came.
    pub(super) fn complete(&mut self, batch: &Batch) -> Vec<ToolResponse> {
        let answers = std::mem::take(&mut self.0).into_iter().zip(&batch.calls);
        let complete = answers.map(|(answer, planned)| {
            let (outcome, text) = match answer {
                Answer::Given(response) => return response,
                Answer::Running => (
                    ToolOutcome::Failed,
                    "This call did not finish: the turn was ended.",
                ),
                Answer::Waiting => (
                    ToolOutcome::NotRun,
                    "This call was not run: the turn was ended.",
                ),
            };
            ToolResponse::error(&planned.call, outcome, text)
        });
        complete.collect()
    }
}

/// A turn whose batch runs. Dropped in the middle, by an error or because nobody waits for the turn
/// any more, it gives the turn up, with an answer to every call (rule LOOP-1).
pub(super) struct OpenBatch<'t> {
    pub(super) settings: &'t Settings,
    pub(super) turn: &'t mut Turn,
    pub(super) answers: Answers,
}

impl Drop for OpenBatch<'_> {
    fn drop(&mut self) {
        // A batch that was finished has left this step.
        if let TurnStep::Execute(batch) = self.turn.step() {
            for call in self.answers.waiting(batch) {
                let round = self.turn.rounds();
                self.settings
                    .record_not_run(call, round, ToolOutcome::NotRun, || true);
            }
            let responses = self.answers.complete(batch);
            self.turn
                .give_up(responses, "This call was not run: the turn was ended.");
        }
    }
}
