use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::time::Instant;

use crate::Error;
use crate::advisor::around::order;
use crate::advisor::emitter::{Emitter, stream_of};
use crate::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, ChatEvent,
    EventStream,
};

/// Calls the model again after a failure that may pass.
///
/// Only an [error of the model](Error::model_error) that [is retryable](Error::is_retryable) is tried
/// again, never after a piece of the answer was streamed, and never a tool: the advisor stands inside of the
/// tool loop, and refuses to stand outside of it. The wait doubles from try to try with some chance in
/// it; where the provider says how long to wait, that is how long, and by chance a little longer. It gives
/// up, with the last error,
/// when there are no more tries, or when the wait would pass the total time, the request's deadline or
/// the loop's `turn_timeout`.
///
/// The adapters over HTTP try again by themselves, a few times and for a few seconds; this is for
/// longer troubles, and for models that do not. The two multiply: what is one try here is a call of the
/// model, and three requests to a server that fails for ever. With the defaults of both that makes nine.
/// [`ModelError::retries`](crate::model::ModelError::retries) tells how often the model itself tried
/// again; that does not count here, for a rate limit that a model waited for a few seconds may well be
/// over in a minute. Whoever wants this advisor alone to decide gives the model the policy
/// `RetryPolicy::never()`.
///
/// It needs a tokio runtime with time.
#[derive(Debug, Clone)]
pub struct RetryAdvisor(RetryAdvisorBuilder);

impl RetryAdvisor {
    /// Inside of the tool loop, and of the validation of structured output.
    pub const DEFAULT_ORDER: i32 = order::LOWEST_PRECEDENCE - 1000;

    /// At most three tries within a minute.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// A builder that starts from the defaults.
    pub fn builder() -> RetryAdvisorBuilder {
        RetryAdvisorBuilder {
            order: Self::DEFAULT_ORDER,
            max_tries: 3,
            max_time: Duration::from_secs(60),
            first_wait: Duration::from_millis(500),
            max_wait: Duration::from_secs(20),
            jitter: 0.25,
        }
    }

    async fn run(
        &self,
        request: ChatClientRequest,
        rest: AdvisorChain,
        events: Emitter,
    ) -> Result<ChatClientResponse, Error> {
        rest.check_inside(self, "another try would run tools again")?;
        let began = Instant::now();
        let mut tries = 1;
        loop {
            let mut is_streamed = false;
            let result = attempt(&rest, request.clone(), &events, &mut is_streamed).await;
            let error = match result {
                Err(error) if error.is_retryable() && !is_streamed => error,
                result => return result,
            };
            let Some(wait) = self.wait(&request, tries, began, &error) else {
                return Err(error);
            };
            tracing::debug!(
                tries,
                ?wait,
                error = &*error.kind_name(),
                "the model is called again"
            );
            tokio::time::sleep(wait).await;
            tries += 1;
        }
    }

    /// How long to wait before the next try, if there may be one.
    fn wait(
        &self,
        request: &ChatClientRequest,
        tries: u32,
        began: Instant,
        error: &Error,
    ) -> Option<Duration> {
        if tries >= self.0.max_tries {
            return None;
        }
        let wait = match error.retry_after() {
            Some(asked) => self.later(asked)?,
            None => self.backoff(tries),
        };
        let then = Instant::now().checked_add(wait)?;
        let in_time = then.duration_since(began) <= self.0.max_time;
        let in_request = request.deadline().is_none_or(|deadline| then < deadline);
        (in_time && in_request).then_some(wait)
    }

    /// The wait that the provider asks for, and the share of chance more of up to four seconds of it.
    fn later(&self, asked: Duration) -> Option<Duration> {
        const OF: Duration = Duration::from_secs(4);
        asked.checked_add(asked.min(OF).mul_f64(self.0.jitter * chance()))
    }

    /// The wait after so many tries: twice that of the one before, less up to the share of chance.
    fn backoff(&self, tries: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(tries - 1);
        let full = self.0.first_wait.saturating_mul(doubled);
        let full = full.min(self.0.max_wait);
        full.mul_f64(1.0 - self.0.jitter * chance())
    }
}

/// A number from 0 to 1, another one each time.
fn chance() -> f64 {
    let hash = RandomState::new().hash_one(0_u8);
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}

/// Runs the rest of the chain once, and says whether something of it was streamed.
async fn attempt(
    rest: &AdvisorChain,
    request: ChatClientRequest,
    events: &Emitter,
    is_streamed: &mut bool,
) -> Result<ChatClientResponse, Error> {
    if !events.is_heard() {
        return rest.next_call(request).await;
    }
    let mut stream = rest.next_stream(request);
    while let Some(event) = stream.next().await {
        match event? {
            ChatEvent::Done { response } => return Ok(*response),
            event => {
                *is_streamed = true;
                events.emit(event).await;
            }
        }
    }
    Err(Error::setup(
        "a stream ended without its final response; advisors must pass `Done` on",
    ))
}

impl Default for RetryAdvisor {
    fn default() -> Self {
        Self::new()
    }
}

impl Advisor for RetryAdvisor {
    fn name(&self) -> &str {
        "retry"
    }

    fn order(&self) -> i32 {
        self.0.order
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
}

/// Builds a [`RetryAdvisor`].
#[derive(Debug, Clone)]
#[must_use]
pub struct RetryAdvisorBuilder {
    order: i32,
    max_tries: u32,
    max_time: Duration,
    first_wait: Duration,
    max_wait: Duration,
    jitter: f64,
}

impl RetryAdvisorBuilder {
    /// The most tries of a model call, the first included; 3 unless set.
    pub fn max_tries(mut self, tries: u32) -> Self {
        self.max_tries = tries;
        self
    }

    /// No try begins later than this after the first began; a minute unless set.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.max_time = time;
        self
    }

    /// The wait after the first try, where the provider says nothing; half a second unless set.
    pub fn first_wait(mut self, wait: Duration) -> Self {
        self.first_wait = wait;
        self
    }

    /// The longest wait of our own; 20 seconds unless set.
    pub fn max_wait(mut self, wait: Duration) -> Self {
        self.max_wait = wait;
        self
    }

    /// By which share a wait may be shorter than it would be, by chance, so that clients that failed
    /// together do not come back together: from 0 to 1, a quarter unless set. What is no number is 0.
    /// A wait that the provider asks for gets longer by it instead, as if it had asked for four seconds
    /// at most.
    pub fn jitter(mut self, share: f64) -> Self {
        let share = if share.is_nan() { 0.0 } else { share };
        self.jitter = share.clamp(0.0, 1.0);
        self
    }

    /// Where the advisor stands; it has to be inside of the tool loop.
    pub fn advisor_order(mut self, order: i32) -> Self {
        self.order = order;
        self
    }

    /// The advisor.
    pub fn build(self) -> RetryAdvisor {
        RetryAdvisor(self)
    }
}
