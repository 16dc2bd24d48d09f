use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::BoxStream;

use super::{
    AdvisorChain, ChatClientRequest, ChatClientResponse, ChatEvent, MemoryAdvisor,
    StructuredOutputValidationAdvisor,
};
use crate::Error;

/// A running request.
pub type CallFuture = BoxFuture<'static, Result<ChatClientResponse, Error>>;

/// A running streamed request; its last item is [`ChatEvent::Done`] or an error.
pub type EventStream = BoxStream<'static, Result<ChatEvent, Error>>;

/// Orders of advisors: lower is outer (rules ORD-1, ORD-2).
pub mod order {
    /// Before everything else on the request.
    pub const HIGHEST_PRECEDENCE: i32 = i32::MIN;
    /// After everything else on the request; still before the model call.
    pub const LOWEST_PRECEDENCE: i32 = i32::MAX;
    /// The order of an advisor that does not say.
    pub const DEFAULT: i32 = 0;

    /// A tool loop stands strictly between the bounds (rule ORD-3).
    pub(in crate::advisor) fn check_loop(name: &str, order: i32) -> Result<(), crate::Error> {
        if order != HIGHEST_PRECEDENCE && order != LOWEST_PRECEDENCE {
            return Ok(());
        }
        Err(crate::Error::setup(format!(
            "the order of the tool loop `{name}` is {order}, but must lie strictly between \
             {HIGHEST_PRECEDENCE} and {LOWEST_PRECEDENCE}, so that something can stand outside and inside \
             of it"
        )))
    }
}

/// Something that happens around a model call.
///
/// Both sides must be given, so that `call` and `stream` cannot drift apart; where something before
/// and after is all that is needed, implement [`BaseAdvisor`](super::BaseAdvisor) instead and both
/// sides follow from it.
///
/// ```
/// use std::sync::Arc;
/// use vernal_core::advisor::{Advisor, AdvisorChain, CallFuture, ChatClientRequest, EventStream};
///
/// /// Asks once more when the model failed in a way that may pass.
/// struct OnceMore;
///
/// impl Advisor for OnceMore {
///     fn name(&self) -> &str {
///         "once-more"
///     }
///     fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
///         Box::pin(async move {
///             match rest.next_call(request.clone()).await {
///                 Err(error) if error.is_retryable() => rest.next_call(request).await,
///                 result => result,
///             }
///         })
///     }
///     fn advise_stream(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> EventStream {
///         rest.next_stream(request) // what was streamed already cannot be taken back
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an advisor",
    note = "implement `BaseAdvisor` for something before and after a call, or `Advisor` for full control"
)]
pub trait Advisor: Send + Sync + 'static {
    /// The name by which errors and logs speak of the advisor.
    fn name(&self) -> &str;

    /// Where the advisor stands: lower is outer; equal orders stand in order of registration.
    fn order(&self) -> i32 {
        order::DEFAULT
    }

    /// Handles a request, usually by changing it, running the rest of the chain and looking at the
    /// response.
    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture;

    /// As [`advise_call`](Self::advise_call), for a streamed request. Nothing may happen before the
    /// stream is polled.
    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream;

    /// This advisor as the one that runs tools, if that is what it is.
    fn as_tool_advisor(&self) -> Option<&dyn ToolAdvisor> {
        None
    }

    /// This advisor as one that remembers conversations, if that is what it is.
    fn as_memory_advisor(&self) -> Option<&dyn MemoryAdvisor> {
        None
    }

    /// This advisor as the one that validates answers, if that is what it is; of several the last that was
    /// given counts.
    fn as_structured_output(&self) -> Option<&StructuredOutputValidationAdvisor> {
        None
    }
}

/// An advisor that owns the tool loop. A chain has at most one (rule AUTO-3); a client registers
/// [`ToolCallingAdvisor`](super::ToolCallingAdvisor) where there is none (rule AUTO-2).
///
/// A loop of one's own registers itself by being in the chain, or in a client's configuration with
/// [`tool_calling_advisor`](crate::client::ChatClientBuilder::tool_calling_advisor). It begins a turn with
/// [`begin_turn`](ChatClientRequest::begin_turn), makes the request of each round with
/// [`for_round`](ChatClientRequest::for_round), takes over what was changed on the way to the model from
/// the response's [`prompt`](ChatClientResponse::prompt) (rule LOOP-4), and tells the memories inside of
/// it when a turn has succeeded with [`commit_turn`](AdvisorChain::commit_turn).
pub trait ToolAdvisor: Advisor {
    /// The same loop for a chain in which a memory inside of the loop replays the turn: one that sends
    /// only what is new in later rounds (rule LOOP-5). A client asks for it where it registers the loop
    /// by itself (rule AUTO-4). `None`, the default, leaves this one as it is.
    fn disable_internal_conversation_history(&self) -> Option<Arc<dyn ToolAdvisor>> {
        None
    }

    /// Whether it sends only what is new in later rounds and relies on something inside of it for the rest
    /// (rule LOOP-5). A chain without a memory there is warned about.
    fn sends_newest_only(&self) -> bool {
        false
    }
}
