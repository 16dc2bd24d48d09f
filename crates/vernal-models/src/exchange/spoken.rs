//! Prompts in which nobody speaks.

use vernal_core::message::Role;
use vernal_core::model::{ModelError, Prompt};

use super::configuration;

/// Refuses a prompt of which no turn is left to send, for servers that have a place apart for the
/// system's messages and take no conversation without a turn. `spoken` says whether there is one.
///
/// # Errors
/// There is none; the error says what the prompt has instead.
pub(crate) fn check_spoken(spoken: bool, server: &str, prompt: &Prompt) -> Result<(), ModelError> {
    if spoken {
        return Ok(());
    }
    let mut messages = prompt.messages().iter();
    let found = if prompt.messages().is_empty() {
        "it has no messages at all"
    } else if messages.all(|message| message.role() == Role::System) {
        "it has only system messages"
    } else {
        "what its messages say is empty"
    };
    Err(configuration(&format!(
        "the prompt has no user message: {found}, and {server} answers only to what a user says; add \
         it with `Message::user`, or with `user` of a client's request"
    )))
}
