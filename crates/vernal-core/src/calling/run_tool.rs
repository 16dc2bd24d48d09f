//! Running one tool: in time, again where that is allowed, and without letting a panic out.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::runtime::Handle;
use tokio::time::Instant;

use super::settings::Settings;
use super::within::{NotWithin, pause, within};
use super::{ToolExecutionError, contained};
use crate::message::{History, ToolCall};
use crate::tool::{
    CallScope, CancellationToken, ProgressSender, ToolCallback, ToolContext, ToolError, ToolInput,
    ToolOutput,
};

/// A tool and everything that it is run with.
pub(super) struct ToolRun<'a> {
    pub(super) tool: &'a Arc<dyn ToolCallback>,
    pub(super) call: &'a ToolCall,
    pub(super) input: &'a ToolInput,
    pub(super) context: &'a ToolContext,
    pub(super) history: &'a History,
    pub(super) round: u32,
    pub(super) turn_deadline: Option<Instant>,
    pub(super) progress: ProgressSender,
    pub(super) settings: &'a Settings,
}

type Attempt = Result<Result<ToolOutput, ToolError>, Box<dyn Any + Send>>;

impl ToolRun<'_> {
    /// Runs the tool; an idempotent one again as often as it asks for it and may (rule EXE-5).
    pub(super) async fn run(&self) -> Result<ToolOutput, ToolExecutionError> {
        let metadata = self.tool.tool_metadata();
        let mut retries = if metadata.idempotent() {
            metadata.max_retries()
        } else {
            0
        };
        loop {
            let error = match self.attempt().await {
                Ok(output) => return Ok(output),
                Err(error) => error,
            };
            let Some(wait) = error.cause().retry_after().filter(|_| retries > 0) else {
                return Err(error);
            };
            retries -= 1;
            tracing::debug!(
                tool = &*self.call.name,
                ?wait,
                "the tool asks to be run again"
            );
            if pause(wait).await.is_err() {
                return Err(self.without_timers("its wait before it is run again"));
            }
        }
    }

    async fn attempt(&self) -> Result<ToolOutput, ToolExecutionError> {
        let timeout = self.tool.tool_metadata().timeout();
        // A timeout past the end of time is none.
        let give_up = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let cancellation = CancellationToken::new();
        // Whoever drops this future, or gives up waiting, tells what still runs on its own.
        let _guard = cancellation.drop_guard();
        let context = self.context.for_call(CallScope {
            id: self.call.id.clone(),
            round: self.round,
            progress: self.progress.until(&cancellation),
            cancellation,
            deadline: [give_up, self.turn_deadline].into_iter().flatten().min(),
            history: self.history.clone(),
        });
        let name = || self.call.name.clone();
        let running = self.attempt_in_place(context);
        let attempt = match timeout.zip(give_up) {
            None => running.await,
            Some((given, give_up)) => within(give_up, running).await.map_err(|why| match why {
                NotWithin::TooLate => ToolExecutionError::timed_out(name(), given),
                NotWithin::NoTimers => self.without_timers("its timeout"),
            })?,
        };
        match attempt {
            Ok(result) => result.map_err(|cause| ToolExecutionError::failed(name(), cause)),
            Err(payload) => {
                contained::forget(payload);
                Err(ToolExecutionError::panicked(name()))
            }
        }
    }

    /// The application runs the tool where its metadata cannot hold.
    fn without_timers(&self, what: &str) -> ToolExecutionError {
        let cause = ToolError::fatal(format!("{what} {}", NotWithin::NEEDS_A_RUNTIME));
        ToolExecutionError::failed(self.call.name.clone(), cause)
    }

    async fn attempt_in_place(&self, context: ToolContext) -> Attempt {
        if self.tool.tool_metadata().blocking()
            && let Ok(runtime) = Handle::try_current()
        {
            return self.attempt_blocking(context, runtime).await;
        }
        let running = async { self.tool.call(self.input.clone(), context).await };
        AssertUnwindSafe(running).catch_unwind().await
    }

    /// Runs the tool on a thread where it may block (rule DEF-3). Nobody can stop it there: if it is
    /// given up its token is cancelled, and what it still returns is discarded (rule EXE-3).
    async fn attempt_blocking(&self, context: ToolContext, runtime: Handle) -> Attempt {
        let (tool, input) = (self.tool.clone(), self.input.clone());
        let counted = self.settings.blocking.enter();
        let surroundings = self.settings.carriers.capture();
        let on_its_thread = runtime.clone();
        let given_up = context.cancellation();
        let running = runtime.spawn_blocking(move || {
            let _counted = counted;
            if given_up.is_cancelled() {
                // Nobody waits for the tool any more, and it has not begun: it never will.
                return Some(Err(ToolError::fatal(
                    "the call was given up before it began",
                )));
            }
            surroundings.run(|| {
                let mut running = tool.call(input, context);
                // What blocks does so when it is polled first, outside of the runtime: it may run one of
                // its own there, as blocking clients do.
                match (&mut running).now_or_never() {
                    Some(result) => result,
                    None => on_its_thread.block_on(running),
                }
            })
        });
        match running.await {
            Ok(Some(result)) => Ok(result),
            Ok(None) => Ok(Err(ToolError::fatal(
                "a carrier of the manager did not run the tool; it must call what it is given",
            ))),
            Err(error) => match error.try_into_panic() {
                Ok(payload) => Err(payload),
                Err(error) => Ok(Err(ToolError::fatal(error))),
            },
        }
    }
}

/// A duration as a person would say it.
pub(super) fn in_words(duration: Duration) -> String {
    match duration {
        d if d.as_millis() < 1000 => format!("{} ms", d.as_millis()),
        d => format!("{} s", d.as_secs_f64()),
    }
}
