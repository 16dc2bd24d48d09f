//! The hooks of a loop, each with the side that a turn needs.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures::future::BoxFuture;

use super::{LoopEnd, ToolLoopHooks};
use crate::Error;
use crate::advisor::{ChatClientRequest, ChatClientResponse};
use crate::calling::ToolExecutionResult;

/// Hooks in the order in which they were given. An empty list costs nothing.
#[derive(Clone, Default)]
pub(in crate::advisor) struct HookList(Vec<Arc<dyn Hooks>>);

/// [`ToolLoopHooks`] behind a pointer; `streamed` tells the side.
trait Hooks: Send + Sync {
    fn initialize<'a>(
        &'a self,
        streamed: bool,
        request: &'a mut ChatClientRequest,
    ) -> BoxFuture<'a, Result<(), Error>>;

    fn before<'a>(
        &'a self,
        streamed: bool,
        request: &'a mut ChatClientRequest,
    ) -> BoxFuture<'a, Result<(), Error>>;

    fn after<'a>(
        &'a self,
        streamed: bool,
        request: &'a ChatClientRequest,
        response: &'a mut ChatClientResponse,
    ) -> BoxFuture<'a, Result<(), Error>>;

    fn next<'a>(
        &'a self,
        streamed: bool,
        request: &'a mut ChatClientRequest,
        result: &'a ToolExecutionResult,
    ) -> BoxFuture<'a, Result<(), Error>>;

    fn finalize(&self, streamed: bool, end: &LoopEnd<'_>);
}

impl<H: ToolLoopHooks> Hooks for H {
    fn initialize<'a>(
        &'a self,
        streamed: bool,
        request: &'a mut ChatClientRequest,
    ) -> BoxFuture<'a, Result<(), Error>> {
        match streamed {
            false => Box::pin(self.initialize_loop(request)),
            true => Box::pin(self.initialize_loop_stream(request)),
        }
    }

    fn before<'a>(
        &'a self,
        streamed: bool,
        request: &'a mut ChatClientRequest,
    ) -> BoxFuture<'a, Result<(), Error>> {
        match streamed {
            false => Box::pin(self.before_call(request)),
            true => Box::pin(self.before_stream(request)),
        }
    }

    fn after<'a>(
        &'a self,
        streamed: bool,
        request: &'a ChatClientRequest,
        response: &'a mut ChatClientResponse,
    ) -> BoxFuture<'a, Result<(), Error>> {
        match streamed {
            false => Box::pin(self.after_call(request, response)),
            true => Box::pin(self.after_stream(request, response)),
        }
    }

    fn next<'a>(
        &'a self,
        streamed: bool,
        request: &'a mut ChatClientRequest,
        result: &'a ToolExecutionResult,
    ) -> BoxFuture<'a, Result<(), Error>> {
        match streamed {
            false => Box::pin(self.next_instructions(request, result)),
            true => Box::pin(self.next_instructions_stream(request, result)),
        }
    }

    fn finalize(&self, streamed: bool, end: &LoopEnd<'_>) {
        match streamed {
            false => self.finalize_loop(end),
            true => self.finalize_loop_stream(end),
        }
    }
}

impl HookList {
    pub(in crate::advisor) fn push(&mut self, hooks: impl ToolLoopHooks) {
        self.0.push(Arc::new(hooks));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Begins the turn with each, and counts those that have begun.
    pub(super) async fn initialize(
        &self,
        streamed: bool,
        request: &mut ChatClientRequest,
        begun: &mut usize,
    ) -> Result<(), Error> {
        for hooks in &self.0 {
            *begun += 1;
            hooks.initialize(streamed, request).await?;
        }
        Ok(())
    }

    pub(super) async fn before(
        &self,
        streamed: bool,
        request: &mut ChatClientRequest,
    ) -> Result<(), Error> {
        for hooks in &self.0 {
            hooks.before(streamed, request).await?;
        }
        Ok(())
    }

    pub(super) async fn after(
        &self,
        streamed: bool,
        request: &ChatClientRequest,
        response: &mut ChatClientResponse,
    ) -> Result<(), Error> {
        for hooks in &self.0 {
            hooks.after(streamed, request, response).await?;
        }
        Ok(())
    }

    pub(super) async fn next(
        &self,
        streamed: bool,
        request: &mut ChatClientRequest,
        result: &ToolExecutionResult,
    ) -> Result<(), Error> {
        for hooks in &self.0 {
            hooks.next(streamed, request, result).await?;
        }
        Ok(())
    }

    /// Ends the turn with each that has begun it. One that panics keeps no other from it, and a turn that
    /// ends by a panic goes on ending.
    pub(super) fn finalize(&self, streamed: bool, begun: usize, end: &LoopEnd<'_>) {
        for hooks in self.0.iter().take(begun) {
            let ended = catch_unwind(AssertUnwindSafe(|| hooks.finalize(streamed, end)));
            if ended.is_err() {
                tracing::error!("a hook panicked in `finalize_loop`");
            }
        }
    }
}

impl fmt::Debug for HookList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HookList({})", self.0.len())
    }
}
