//! Of how much one answer may consist: what follows an answer takes its time for each call.

use vernal_core::model::{ChatResponse, ModelError};

use super::{Origin, response_error};

/// The most calls, blocks or choices that are read of one answer; real ones have a few hundred at most.
pub(crate) const MOST_OF_AN_ANSWER: usize = 4096;

/// An error where an answer has more than [`MOST_OF_AN_ANSWER`] of `what`.
pub(crate) fn check_count(count: usize, what: &str, origin: &Origin<'_>) -> Result<(), ModelError> {
    if count <= MOST_OF_AN_ANSWER {
        return Ok(());
    }
    let text = format!(
        "the answer of {} has more than {MOST_OF_AN_ANSWER} {what}, the most that are read of one \
         answer; ask for less at once, or check the server",
        origin.server
    );
    Err(response_error(text, origin))
}

/// The response, unless it has too many choices or calls.
pub(super) fn bounded(
    response: ChatResponse,
    origin: &Origin<'_>,
) -> Result<ChatResponse, ModelError> {
    check_count(response.generations.len(), "choices", origin)?;
    let calls = response.generations.iter();
    let calls = calls.map(|generation| generation.message.tool_calls().count());
    check_count(calls.sum(), "tool calls", origin)?;
    Ok(response)
}
