use std::future::ready;
use std::sync::Arc;

use super::LoopEnd;
use crate::Error;
use crate::advisor::{ChatClientRequest, ChatClientResponse};
use crate::calling::ToolExecutionResult;

/// What happens at the points of a tool loop, by default nothing (rule LOOP-1):
///
/// `initialize_loop` once, then in every round `before_call`, the rest of the chain, `after_call`, the
/// tools, `next_instructions`, and `finalize_loop` once, whatever way the turn ends. Each has a twin for
/// streamed turns that does the same unless it is given.
///
/// What a hook changes is real (rule LOOP-4): options, the tools among them, hold for what is executed
/// and for later rounds; messages that it adds stay in the turn, and what it takes away is not sent again,
/// though the turn's own record keeps it. A message put in the place of another of the same role is that
/// message's new version. The same holds for advisors inside of the loop.
///
/// A hook may wait, for a person or a service; a turn that is dropped meanwhile ends, and a `turn_timeout`
/// counts the time. An error ends the turn. What hooks remember belongs into the request's
/// [`state`](ChatClientRequest::state).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of hooks of the tool loop",
    note = "implement `ToolLoopHooks` for the type; every hook has a default"
)]
pub trait ToolLoopHooks: Send + Sync + 'static {
    /// Before the first round: looks at the messages and tools of the turn, and may change them.
    ///
    /// # Errors
    /// Whatever is returned ends the turn; see [`Error::advisor`].
    fn initialize_loop(
        &self,
        request: &mut ChatClientRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        let _ = request;
        ready(Ok(()))
    }

    /// As [`initialize_loop`](Self::initialize_loop), for a streamed turn.
    ///
    /// # Errors
    /// As there.
    fn initialize_loop_stream(
        &self,
        request: &mut ChatClientRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        self.initialize_loop(request)
    }

    /// Before each round: what it sends, with its number, its messages, and its tools.
    ///
    /// # Errors
    /// Whatever is returned ends the turn.
    fn before_call(
        &self,
        request: &mut ChatClientRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        let _ = request;
        ready(Ok(()))
    }

    /// As [`before_call`](Self::before_call), for a streamed turn.
    ///
    /// # Errors
    /// As there.
    fn before_stream(
        &self,
        request: &mut ChatClientRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        self.before_call(request)
    }

    /// After each model call, before it is decided whether tools run: `request` is what was sent, and the
    /// response may be changed. A call can be answered in its tool's place with
    /// [`answer_call`](ChatClientResponse::answer_call).
    ///
    /// # Errors
    /// Whatever is returned ends the turn; none of the calls runs.
    fn after_call(
        &self,
        request: &ChatClientRequest,
        response: &mut ChatClientResponse,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        let _ = (request, response);
        ready(Ok(()))
    }

    /// As [`after_call`](Self::after_call), for a streamed turn: the response is complete, and its text
    /// has been seen already.
    ///
    /// # Errors
    /// As there.
    fn after_stream(
        &self,
        request: &ChatClientRequest,
        response: &mut ChatClientResponse,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        self.after_call(request, response)
    }

    /// After the tools of a round, where another round follows: `request` is what that round will send,
    /// the results at its end, and may be changed.
    ///
    /// # Errors
    /// Whatever is returned ends the turn.
    fn next_instructions(
        &self,
        request: &mut ChatClientRequest,
        result: &ToolExecutionResult,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        let _ = (request, result);
        ready(Ok(()))
    }

    /// As [`next_instructions`](Self::next_instructions), for a streamed turn.
    ///
    /// # Errors
    /// As there.
    fn next_instructions_stream(
        &self,
        request: &mut ChatClientRequest,
        result: &ToolExecutionResult,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        self.next_instructions(request, result)
    }

    /// When the turn is over, exactly once if [`initialize_loop`](Self::initialize_loop) has begun: with
    /// an answer, direct results, at a limit, by an error of anybody, or because nobody waits for it any
    /// more. It runs before the caller has the response, and cannot wait.
    fn finalize_loop(&self, end: &LoopEnd<'_>) {
        let _ = end;
    }

    /// As [`finalize_loop`](Self::finalize_loop), for a streamed turn.
    fn finalize_loop_stream(&self, end: &LoopEnd<'_>) {
        self.finalize_loop(end);
    }
}

impl<H: ToolLoopHooks> ToolLoopHooks for Arc<H> {
    fn initialize_loop(
        &self,
        request: &mut ChatClientRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        H::initialize_loop(self, request)
    }

    fn initialize_loop_stream(
        &self,
        request: &mut ChatClientRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        H::initialize_loop_stream(self, request)
    }

    fn before_call(
        &self,
        request: &mut ChatClientRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        H::before_call(self, request)
    }

    fn before_stream(
        &self,
        request: &mut ChatClientRequest,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        H::before_stream(self, request)
    }

    fn after_call(
        &self,
        request: &ChatClientRequest,
        response: &mut ChatClientResponse,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        H::after_call(self, request, response)
    }

    fn after_stream(
        &self,
        request: &ChatClientRequest,
        response: &mut ChatClientResponse,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        H::after_stream(self, request, response)
    }

    fn next_instructions(
        &self,
        request: &mut ChatClientRequest,
        result: &ToolExecutionResult,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        H::next_instructions(self, request, result)
    }

    fn next_instructions_stream(
        &self,
        request: &mut ChatClientRequest,
        result: &ToolExecutionResult,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        H::next_instructions_stream(self, request, result)
    }

    fn finalize_loop(&self, end: &LoopEnd<'_>) {
        H::finalize_loop(self, end);
    }

    fn finalize_loop_stream(&self, end: &LoopEnd<'_>) {
        H::finalize_loop_stream(self, end);
    }
}
