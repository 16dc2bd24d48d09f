//! Where the turns of a transcript begin.

use std::collections::HashSet;
use std::sync::Arc;

use crate::message::{History, Message, MessageId, Role};

/// The places at which turns begin: messages of the user that do not follow one another.
///
/// Calls and their answers lie between two such places, so a transcript that is cut there stays
/// valid.
pub(crate) fn turn_starts(
    messages: &[Arc<Message>],
) -> impl DoubleEndedIterator<Item = usize> + '_ {
    let is_user = |at: usize| {
        let message = messages.get(at);
        message.is_some_and(|message| message.role() == Role::User)
    };
    (0..messages.len()).filter(move |&at| is_user(at) && (at == 0 || !is_user(at - 1)))
}

/// Where the open turn of a request begins: what is before it, the application's own examples or
/// history, was answered already.
pub(crate) fn open_turn_start(messages: &[Arc<Message>]) -> usize {
    let is_answer =
        |message: &Arc<Message>| message.role() == Role::Assistant && !message.has_tool_calls();
    let last_user = messages
        .iter()
        .rposition(|message| message.role() == Role::User);
    let before = messages.get(..last_user.unwrap_or(0)).unwrap_or_default();
    before.iter().rposition(is_answer).map_or(0, |at| at + 1)
}

/// The messages with new ids for what the user says in the open turn: it is said now, also where the same
/// message was sent before and is kept as a part of an earlier turn.
pub(crate) fn said_now(messages: &History) -> History {
    let start = open_turn_start(messages.iter().as_slice());
    let said = messages.iter().enumerate().map(|(at, message)| {
        let is_new = at >= start && message.role() == Role::User;
        match is_new {
            true => Arc::new(message.said_again()),
            false => message.clone(),
        }
    });
    said.collect()
}

/// The messages without the turns of which `present` has a message already.
///
/// Whole turns go, for a part of one could be a call without its answer.
pub(crate) fn without_turns_of(
    messages: &[Arc<Message>],
    present: &HashSet<MessageId>,
) -> Vec<Arc<Message>> {
    let starts: Vec<usize> = turn_starts(messages).collect();
    let ends = starts.iter().skip(1).copied().chain([messages.len()]);
    let turns = starts.iter().zip(ends);
    let turns = turns.filter_map(|(&start, end)| messages.get(start..end));
    turns
        .filter(|turn| !turn.iter().any(|message| present.contains(&message.id())))
        .flatten()
        .cloned()
        .collect()
}
