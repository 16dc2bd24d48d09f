use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;

use crate::Error;
use crate::advisor::around::order;
use crate::advisor::base::run_rest;
use crate::advisor::emitter::{Emitter, stream_of};
use crate::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, EventStream,
};
use crate::calling::{contained, has_timers};

/// Gives a whole request a time in which it has to be done: memory, every model call and every tool.
///
/// What runs when the time is over is cancelled, the error [is a timeout](Error::is_timeout), and what
/// the turn had done is kept in it: its messages, its usage, its rounds. Tools see when it will be over in
/// their [context](crate::tool::ToolContext::deadline), if their own timeout is not nearer (rule
/// EXE-2). Of several deadlines the nearest counts, also where one is the loop's
/// [`turn_timeout`](crate::calling::ToolCallingManagerBuilder::turn_timeout).
///
/// A model is told the deadline with its [prompt](crate::model::Prompt::deadline). The adapters over HTTP
/// give up at once, with the provider's error, where the wait before the next try would pass it.
///
/// It needs a tokio runtime with time.
#[derive(Debug, Clone)]
pub struct RequestDeadlineAdvisor {
    given: Duration,
    order: i32,
}

impl RequestDeadlineAdvisor {
    /// Outside of everything else, memory included.
    pub const DEFAULT_ORDER: i32 = order::HIGHEST_PRECEDENCE + 100;

    /// A deadline for each request, counted from when it reaches the advisor.
    pub fn new(given: Duration) -> Self {
        Self {
            given,
            order: Self::DEFAULT_ORDER,
        }
    }

    /// Where the advisor stands: what is outside of it is not limited.
    #[must_use]
    pub fn advisor_order(mut self, order: i32) -> Self {
        self.order = order;
        self
    }

    async fn run(
        &self,
        request: ChatClientRequest,
        rest: AdvisorChain,
        events: Emitter,
    ) -> Result<ChatClientResponse, Error> {
        let deadline = Deadline::of_request(self.given);
        let request = match deadline {
            Some(deadline) => request.with_deadline(deadline),
            None => request,
        };
        let mut work = pin!(Some(run_rest(&rest, request, &events)));
        Deadline::limit(deadline, work.as_mut()).await
    }
}

impl Advisor for RequestDeadlineAdvisor {
    fn name(&self) -> &str {
        "request-deadline"
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
}

/// When work is given up, and what is said then.
#[derive(Debug, Clone, Copy)]
pub(in crate::advisor) struct Deadline {
    pub(in crate::advisor) at: Instant,
    given: Duration,
    error: fn(Duration) -> Error,
    /// What set it.
    by: &'static str,
}

impl Deadline {
    /// The deadline of the turn that now begins; `None` where it is past the end of time.
    pub(in crate::advisor) fn of_turn(given: Duration) -> Option<Self> {
        Self::of(given, Error::turn_timeout, "`turn_timeout`")
    }

    /// The deadline of the request that now begins.
    fn of_request(given: Duration) -> Option<Self> {
        Self::of(given, Error::request_timeout, "the deadline of a request")
    }

    fn of(given: Duration, error: fn(Duration) -> Error, by: &'static str) -> Option<Self> {
        let at = Instant::now().checked_add(given)?;
        Some(Self {
            at,
            given,
            error,
            by,
        })
    }

    /// Does the work, up to the deadline if there is one; where there are no timers, it does not begin.
    /// What is given up is dropped here, so that its panic goes no further.
    ///
    /// The clock is asked and not the timer alone: of two limits around one another that end at the same
    /// time, the inner one always ends first, and knows what was done.
    pub(in crate::advisor) async fn limit<T, W>(
        deadline: Option<Self>,
        mut work: Pin<&mut Option<W>>,
    ) -> Result<T, Error>
    where
        W: Future<Output = Result<T, Error>>,
    {
        let Some(mut running) = work.as_mut().as_pin_mut() else {
            return Err(Error::setup("there is no work to be done in time"));
        };
        let Some(limit) = deadline else {
            return running.await;
        };
        if !has_timers() {
            return Err(Error::no_timers(limit.by));
        }
        let mut timer = pin!(tokio::time::sleep_until(limit.at));
        let result = std::future::poll_fn(|context| {
            if let Poll::Ready(result) = running.as_mut().poll(context) {
                return Poll::Ready(Some(result));
            }
            if Instant::now() >= limit.at || timer.as_mut().poll(context).is_ready() {
                return Poll::Ready(None);
            }
            Poll::Pending
        })
        .await;
        if contained(|| work.set(None)).is_none() {
            tracing::error!("what was given up after its time panicked while it was dropped");
        }
        result.unwrap_or_else(|| Err((limit.error)(limit.given)))
    }
}

#[cfg(test)]
mod tests {
    use std::task::Context;

    use super::*;

    /// Nobody turns the clock's timers here, as when the task is polled before they all have fired.
    #[tokio::test]
    async fn a_deadline_that_has_passed_is_seen_before_its_timer_fires() {
        let deadline = Deadline::of_request(Duration::from_millis(5));
        let mut never = pin!(Some(std::future::pending::<Result<(), Error>>()));
        let mut work = pin!(Deadline::limit(deadline, never.as_mut()));
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert!(work.as_mut().poll(&mut context).is_pending());
        std::thread::sleep(Duration::from_millis(10));
        let Poll::Ready(Err(error)) = work.as_mut().poll(&mut context) else {
            panic!("it has passed");
        };
        assert!(error.is_timeout());
    }
}
