use futures::future::BoxFuture;

use crate::Error;
use crate::advisor::{Advisor, ChatClientRequest};
use crate::message::History;

/// An advisor that remembers conversations; it says so with
/// [`as_memory_advisor`](Advisor::as_memory_advisor).
///
/// A chain with one needs to be told the conversation (rule MEM-1).
pub trait MemoryAdvisor: Advisor {
    /// Whether this advisor, inside of the tool loop, sends all of the open turn on by itself. Then an
    /// automatic loop sends only what is new of it (rules AUTO-4, LOOP-5), and the whole is in
    /// [`turn_messages`](ChatClientRequest::turn_messages). A memory that only adds text to the
    /// system message says no.
    fn replays_full_turn(&self) -> bool;

    /// The name of where the messages are kept.
    fn repository_name(&self) -> &str;

    /// Whether calls and their answers are kept; a memory that replays turns cannot stand inside of
    /// the tool loop otherwise (rule AUTO-6).
    fn stores_tool_messages(&self) -> bool;

    /// Keeps a turn that this advisor stood inside of. The loop says it once, when the turn has
    /// succeeded: `request` is what the loop began with, and `messages` the complete turn with its
    /// answer, each of its calls answered (rule MEM-3). Nothing is said of a turn that failed, was
    /// cancelled, or left calls to the application.
    ///
    /// # Errors
    /// The turn fails with it.
    fn commit_turn<'a>(
        &'a self,
        request: &'a ChatClientRequest,
        messages: &'a History,
    ) -> BoxFuture<'a, Result<(), Error>>;
}
