use std::sync::Arc;

use futures::StreamExt;

use super::around::order;
use super::emitter::{Emitter, stream_of};
use super::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, ChatEvent,
    EventStream, MemoryAdvisor, ToolAdvisor,
};
use crate::Error;

/// An advisor that does something before and after, for `call` and `stream` alike.
///
/// In a stream the events pass through as they come, and [`after`](Self::after) sees the complete
/// response at the end; what it returns is the response of [`ChatEvent::Done`].
///
/// Inside of the tool loop both run in every round, and what [`before`](Self::before) changes holds for
/// the rounds after it (rule LOOP-4): add a message where [`round`](ChatClientRequest::round) is 1, not
/// again and again.
pub trait BaseAdvisor: Send + Sync + 'static {
    /// The name by which errors and logs speak of the advisor.
    fn name(&self) -> &str;

    /// Where the advisor stands: lower is outer; equal orders stand in order of registration.
    fn order(&self) -> i32 {
        order::DEFAULT
    }

    /// This advisor as the one that runs tools, if that is what it is.
    fn as_tool_advisor(&self) -> Option<&dyn ToolAdvisor> {
        None
    }

    /// This advisor as one that remembers conversations, if that is what it is.
    fn as_memory_advisor(&self) -> Option<&dyn MemoryAdvisor> {
        None
    }

    /// Looks at the request on its way in, and may change or refuse it.
    ///
    /// # Errors
    /// Whatever is returned ends the request; see [`Error::advisor`].
    fn before(
        &self,
        request: ChatClientRequest,
    ) -> impl Future<Output = Result<ChatClientRequest, Error>> + Send {
        std::future::ready(Ok(request))
    }

    /// Looks at the response on its way out, and may change or refuse it.
    ///
    /// # Errors
    /// Whatever is returned ends the request; see [`Error::advisor`].
    fn after(
        &self,
        response: ChatClientResponse,
    ) -> impl Future<Output = Result<ChatClientResponse, Error>> + Send {
        std::future::ready(Ok(response))
    }
}

impl<B: BaseAdvisor> Advisor for B {
    fn name(&self) -> &str {
        BaseAdvisor::name(self)
    }

    fn order(&self) -> i32 {
        BaseAdvisor::order(self)
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        Box::pin(async move {
            let request = self.before(request).await?;
            let state = request.state().clone();
            let response = rest.next_call(request).await?;
            state.paid().changed(response.chat_response());
            self.after(response.with_state(state)).await
        })
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        stream_of(move |events| async move {
            let request = self.before(request).await?;
            let state = request.state().clone();
            let response = forward(rest.next_stream(request), &events).await?;
            state.paid().changed(response.chat_response());
            self.after(response.with_state(state)).await
        })
    }

    fn as_tool_advisor(&self) -> Option<&dyn ToolAdvisor> {
        BaseAdvisor::as_tool_advisor(self)
    }

    fn as_memory_advisor(&self) -> Option<&dyn MemoryAdvisor> {
        BaseAdvisor::as_memory_advisor(self)
    }
}

/// Passes the events of a stream on and gives its final response back.
pub(super) async fn forward(
    mut stream: EventStream,
    events: &Emitter,
) -> Result<ChatClientResponse, Error> {
    while let Some(event) = stream.next().await {
        match event? {
            ChatEvent::Done { response } => return Ok(*response),
            event => events.emit(event).await,
        }
    }
    Err(Error::setup(
        "a stream ended without its final response; advisors must pass `Done` on",
    ))
}

/// Runs the rest of a chain, streamed where somebody listens.
pub(super) async fn run_rest(
    rest: &AdvisorChain,
    request: ChatClientRequest,
    events: &Emitter,
) -> Result<ChatClientResponse, Error> {
    if events.is_heard() {
        forward(rest.next_stream(request), events).await
    } else {
        rest.next_call(request).await
    }
}
