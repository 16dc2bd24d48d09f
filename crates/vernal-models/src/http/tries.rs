//! The tries of one model call, and what a failure of one says about the next.

use tokio::time::{Instant, sleep};
use vernal_core::model::ModelError;

use super::retry::Advice;
use super::{HttpClient, HttpLimits};

/// What the tries of one model call share: whether they failed by a status or in an answer, they
/// count and end together.
pub(crate) struct Tries {
    /// How often the call was made again.
    again: u32,
    /// When all of it has to be over.
    pub(super) deadline: Option<Instant>,
}

impl Tries {
    pub(super) fn begin(limits: &HttpLimits) -> Self {
        let deadline = limits
            .total
            .and_then(|total| Instant::now().checked_add(total));
        Self { again: 0, deadline }
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
}

/// What was told in an answer, or found in it: its kind says whether trying again may help.
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
            return Err(error);
        };
        let until = Instant::now().checked_add(wait);
        if tries
            .deadline
            .is_some_and(|end| until.is_none_or(|until| until >= end))
        {
            return Err(error);
        }
        tries.again += 1;
        tracing::debug!(
            server = &*self.origin,
            status = error.status(),
            retry = tries.again,
            wait = ?wait,
            "the model call failed and is made again"
        );
        sleep(wait).await;
        Ok(())
    }
}
