use std::collections::HashSet;
use std::sync::Arc;

use super::ChatClientResponse;
use crate::message::{History, Message, MessageId, Role};
use crate::model::Prompt;

/// The response to a prompt that an advisor inside of the loop has changed for this one model call:
/// `given` is what it got and `sent` what it made of it. Its changes do not hold for later rounds and are
/// in nobody's history; those of advisors further in do and are (rule LOOP-4).
pub(super) fn without_own_changes(
    response: ChatClientResponse,
    given: &Prompt,
    sent: &Prompt,
) -> ChatClientResponse {
    let Some(of_model) = response.prompt() else {
        return response;
    };
    let messages = match of_model.messages().is_same(sent.messages()) {
        true => given.messages().clone(),
        false => undone(of_model.messages(), given.messages(), sent.messages()),
    };
    let mut prompt = given.with_messages(messages);
    if !Arc::ptr_eq(of_model.shared_options(), sent.shared_options()) {
        let (own, mut options) = (given.options(), of_model.options().clone());
        options.set_response_format(own.response_format().clone());
        options.set_tool_choice(own.tool_choice().clone());
        prompt = Prompt::new(std::mem::take(prompt.messages_mut()), options);
    }
    response.with_prompt(prompt)
}

/// The messages without those that are in `sent` and not in `given`; a system message that one of them
/// took the place of stands there again.
fn undone(messages: &History, given: &History, sent: &History) -> History {
    let ids = |messages: &History| -> HashSet<MessageId> {
        messages.iter().map(|message| message.id()).collect()
    };
    let (given_ids, sent_ids) = (ids(given), ids(sent));
    let is_replaced = |message: &&Arc<Message>| {
        message.role() == Role::System && !sent_ids.contains(&message.id())
    };
    let replaced = given.iter().find(is_replaced);
    let kept = messages.iter().filter_map(|message| {
        let id = message.id();
        if given_ids.contains(&id) || !sent_ids.contains(&id) {
            return Some(message);
        }
        replaced.filter(|_| message.role() == Role::System)
    });
    kept.cloned().collect()
}
