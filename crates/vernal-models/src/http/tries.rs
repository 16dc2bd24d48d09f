//! The tries of one model call, and what a failure of one says about the next.

use std::error::Error as _;
use std::time::{Duration, SystemTime};

use ::http::HeaderMap;
use tokio::time::{Instant, sleep};
use vernal_core::model::ModelError;

use super::retry::{Advice, is_final};
use super::{HttpClient, HttpLimits};

/// What the tries of one model call share: whether they failed by a status or in an answer, they
/// count and end together.
pub(crate) struct Tries {
    /// How often the call was made again.
    again: u32,
    /// When all of it has to be over.
    pub(super) deadline: Option<Instant>,
    /// When nobody waits for an answer any more. Who waits ends the call; but no try need begin then.
    given_up: Option<Instant>,
    /// Why the try before failed.
    last: Option<ModelError>,
}

impl Tries {
    pub(super) fn begin(limits: &HttpLimits, given_up: Option<Instant>) -> Self {
        let deadline = limits
            .total
            .and_then(|total| Instant::now().checked_add(total));
        Self {
            again: 0,
            deadline,
            given_up,
            last: None,
        }
    }

    /// How often the call was made again.
    pub(crate) fn retries(&self) -> u32 {
        self.again
    }

    /// The error with which the tries end. One about our own patience does not hide why there was
    /// another try.
    fn end(&mut self, error: ModelError) -> ModelError {
        let error = error.with_retries(self.again);
        match self.last.take() {
            Some(last) if error.is_timeout() && error.source().is_none() => error.with_source(last),
            _ => error,
        }
    }

    /// Whether there is time for another try after a wait.
    fn has_time_after(&self, wait: Duration) -> bool {
        let until = Instant::now().checked_add(wait);
        let mut ends = self.deadline.into_iter().chain(self.given_up);
        ends.all(|end| until.is_some_and(|until| until < end))
    }
}

/// Why a try failed, and whether there may be another.
pub(crate) struct Failure {
    pub(crate) error: ModelError,
    pub(super) advice: Advice,
}

impl Failure {
    /// One that is not tried again.
    pub(crate) fn last(error: ModelError) -> Self {
        Self {
            error,
            advice: Advice::NEVER,
        }
    }

    /// What was told in an answer, or found in it: its kind says whether trying again may help, unless
    /// the head of the answer does.
    pub(super) fn in_answer(error: ModelError, headers: &HeaderMap) -> Self {
        let mut failure = Self::from(error);
        failure.advice.hear(headers, SystemTime::now());
        let Advice { may_retry, after } = failure.advice;
        let may_retry = may_retry && !is_final(failure.error.kind());
        failure.error = failure.error.with_retryable(may_retry);
        if let Some(after) = after {
            failure.error = failure.error.with_retry_after(after);
        }
        failure
    }
}

/// An error whose kind says whether trying again may help.
impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        let advice = Advice {
            may_retry: error.is_retryable(),
            after: error.retry_after(),
        };
        Self { error, advice }
    }
}

impl HttpClient {
    /// An answer came: it gives one retry back.
    pub(crate) fn answered(&self) {
        self.budget.give_back();
    }

    /// Waits until a call that failed may be made again. Only a call of which nothing was handed on
    /// may be.
    ///
    /// # Errors
    /// The failure itself, if it may not.
    pub(crate) async fn wait_to_try_again(
        &self,
        failure: Failure,
        tries: &mut Tries,
    ) -> Result<(), ModelError> {
        let Failure { error, advice } = failure;
        let Some(wait) = self.retry.wait(tries.again, &error, &advice) else {
            return Err(tries.end(error));
        };
        if !tries.has_time_after(wait) {
            return Err(tries.end(error));
        }
        if !self.budget.take() {
            tracing::warn!(
                server = &*self.origin,
                "the model call failed and is not made again: the budget of retries is used up"
            );
            return Err(tries.end(error));
        }
        tries.again = tries.again.saturating_add(1);
        tracing::warn!(
            server = &*self.origin,
            kind = ?error.kind(),
            status = error.status(),
            request_id = error.request_id(),
            retry = tries.again,
            wait = ?wait,
            "the model call failed and is made again"
        );
        tries.last = Some(error);
        sleep(wait).await;
        Ok(())
    }
}
