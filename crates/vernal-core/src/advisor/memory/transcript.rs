//! What of a turn is kept.

use std::collections::HashSet;
use std::sync::Arc;

use crate::advisor::ChatClientResponse;
use crate::calling::{Turn, TurnEnd};
use crate::memory::open_turn_start;
use crate::message::{FinishReason, History, Message, Role};
use crate::model::ChatResponse;

/// The complete messages of a turn that succeeded, with its answer; `None` where it was given up, left
/// its calls to the application, or was refused.
pub(in crate::advisor) fn finished(turn: &Turn, end: &TurnEnd) -> Option<History> {
    let mut messages = turn.messages().clone();
    match end {
        TurnEnd::Answer(response) if response.has_tool_calls() || is_refusal(response) => None,
        TurnEnd::Answer(_) => Some(messages),
        end => {
            messages.extend(answer(end.response()?));
            Some(messages)
        }
    }
}

/// What a memory inside of the loop keeps: every message of the turn (rule MEM-3).
pub(super) fn whole(turn: &History) -> Vec<Arc<Message>> {
    open_turn(&without_system(turn)).to_vec()
}

/// What a memory outside of the loop keeps: what the user said, and the answer (rule MEM-2).
/// Nothing, where the response asks for tools: the turn goes on in a later request of the caller's.
pub(super) fn ends(request: &[Arc<Message>], response: &ChatResponse) -> Vec<Arc<Message>> {
    if response.has_tool_calls() || is_refusal(response) {
        return Vec::new();
    }
    let said = open_turn(request).iter();
    let said = said.filter(|message| message.role() == Role::User).cloned();
    said.chain(answer(response)).collect()
}

/// What a request says, with what of the turn it leaves out (rule LOOP-5) put before the newest.
pub(super) fn completed(turn: Option<&History>, said: &[Arc<Message>]) -> Vec<Arc<Message>> {
    let turn = turn.map_or_else(Vec::new, without_system);
    let ids = |messages: &[Arc<Message>]| -> HashSet<_> {
        messages.iter().map(|message| message.id()).collect()
    };
    let (sent, of_turn) = (ids(said), ids(&turn));
    let newest = said
        .iter()
        .position(|message| of_turn.contains(&message.id()));
    let (before, newest) = said.split_at(newest.unwrap_or(0));
    let left_out = turn
        .into_iter()
        .filter(|message| !sent.contains(&message.id()));
    let left_out: Vec<_> = left_out.collect();
    [before, &left_out, newest].concat()
}

/// Keeps the loop from taking what the memory replayed for messages that were added in this round: of the
/// messages in `composed`, only those that were `asked` count as sent.
pub(super) fn forget_replayed(
    response: &mut ChatClientResponse,
    asked: &History,
    composed: &History,
) {
    let Some(prompt) = response.prompt() else {
        return;
    };
    let ids = |messages: &History| -> HashSet<_> { messages.iter().map(|m| m.id()).collect() };
    let (asked, composed) = (ids(asked), ids(composed));
    let is_replayed = |message: &&Arc<Message>| {
        composed.contains(&message.id()) && !asked.contains(&message.id())
    };
    let sent = prompt.messages().iter().filter(|m| !is_replayed(m));
    let prompt = prompt.with_messages(sent.cloned().collect());
    response.set_prompt(prompt);
}

/// The messages without those of the system, which are never kept (rule MEM-5).
pub(super) fn without_system(messages: &History) -> Vec<Arc<Message>> {
    let others = messages
        .iter()
        .filter(|message| message.role() != Role::System);
    others.cloned().collect()
}

fn open_turn(messages: &[Arc<Message>]) -> &[Arc<Message>] {
    messages
        .get(open_turn_start(messages)..)
        .unwrap_or_default()
}

/// Whether a safe-guard has answered: what was not to reach the model does not reach it out of a memory.
fn is_refusal(response: &ChatResponse) -> bool {
    response.finish_reason() == Some(&FinishReason::SafeGuard)
}

/// The one message that answers: the results of tools that answered directly are joined.
fn answer(response: &ChatResponse) -> Option<Arc<Message>> {
    let is_direct = response.finish_reason() == Some(&FinishReason::ReturnDirect);
    if is_direct && response.generations.len() > 1 {
        return Some(Arc::new(Message::assistant(response.content())));
    }
    response
        .generation()
        .map(|generation| generation.message.clone())
}
