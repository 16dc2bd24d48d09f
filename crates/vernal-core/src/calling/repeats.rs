//! Calls that lead nowhere: the same call with the same result, round after round (rule LOOP-8).
//!
//! Nothing is counted: the turn's own messages tell how long a call has repeated itself, in a turn that
//! was stored and in a loop that keeps nothing but its prompt.

use super::{Batch, LimitBreach, ToolCallLimits};
use crate::message::{History, Message, Role, ToolCall, ToolContent, ToolOutcome, ToolResponse};
use crate::tool::schema::json::{self, Document, NodeId};

/// How the note begins that tells the model; by it, it is told from what a tool says.
const NOTE: &str = "[This call with the same arguments gave the same result ";

/// Tells the model of the calls that have repeated themselves for long enough, in their answers, and gives
/// the limit of one that must end the turn. `messages` end with the calls, and `rounds` of them belong to
/// the turn.
pub(super) fn note(
    messages: &History,
    rounds: u32,
    batch: &Batch,
    responses: &mut [ToolResponse],
    limits: &ToolCallLimits,
) -> Option<LimitBreach> {
    let repeats = limits.repeats()?;
    let most = repeats.note_after.max(repeats.end_after).min(rounds);
    let mut breach = None;
    for (planned, response) in batch.calls.iter().zip(responses) {
        let times = times(messages, &planned.call, response, most);
        if times >= repeats.end_after {
            let tool_name = planned.call.name.clone();
            let limit = repeats.end_after;
            breach.get_or_insert(LimitBreach::RepeatedCall { tool_name, limit });
        } else if times >= repeats.note_after {
            let text = format!(
                "{NOTE}{times} rounds running. Make use of the result, or try something else.]"
            );
            response.content.push(ToolContent::Text(text.into()));
        }
    }
    breach
}

/// For how many rounds running, this one included, the call gave this result; at most `most`.
fn times(messages: &History, call: &ToolCall, response: &ToolResponse, most: u32) -> u32 {
    // What a limit refused ends turns by a rule of its own (LIM-9).
    if response.outcome == ToolOutcome::Refused {
        return 0;
    }
    let mut times = 1;
    let mut earlier = earlier_rounds(messages);
    while times < most
        && earlier
            .next()
            .is_some_and(|round| round.has(call, response))
    {
        times += 1;
    }
    times
}

/// A round that is over.
struct Round<'a> {
    calls: &'a Message,
    answers: &'a Message,
}

/// The rounds before the newest, which has no answers yet; the latest first.
fn earlier_rounds(messages: &History) -> impl Iterator<Item = Round<'_>> {
    let mut answers = None;
    messages.iter().rev().filter_map(move |message| {
        if message.role() == Role::Tool {
            answers = Some(&**message);
            return None;
        }
        let calls = message.has_tool_calls().then_some(&**message)?;
        answers.take().map(|answers| Round { calls, answers })
    })
}

impl Round<'_> {
    /// Whether the same call gave the same result.
    fn has(&self, call: &ToolCall, response: &ToolResponse) -> bool {
        let named = |other: &&ToolCall| other.name == call.name;
        self.calls.tool_calls().filter(named).any(|other| {
            let mut answers = self.answers.tool_responses();
            let answer = answers.find(|answer| answer.call_id == other.id);
            answer.is_some_and(|answer| is_same_result(answer, response))
                && is_same_input(call, other)
        })
    }
}

/// Whether the arguments are equal as JSON: in whatever order and however written.
fn is_same_input(a: &ToolCall, b: &ToolCall) -> bool {
    let (a, b) = (a.arguments.as_str(), b.arguments.as_str());
    if a == b {
        return true;
    }
    match (json::arguments(a), json::arguments(b)) {
        (Ok(a), Ok(b)) => is_equal(&a, &b),
        _ => false,
    }
}

fn is_equal(a: &Document<'_>, b: &Document<'_>) -> bool {
    json::equal(a, NodeId::ROOT, b, NodeId::ROOT)
}

fn is_same_result(a: &ToolResponse, b: &ToolResponse) -> bool {
    let (a, b) = (without_note(&a.content), without_note(&b.content));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_piece(a, b))
}

fn is_same_piece(a: &ToolContent, b: &ToolContent) -> bool {
    match (a, b) {
        (ToolContent::Media(a), ToolContent::Media(b)) => a == b,
        (ToolContent::Media(_), _) | (_, ToolContent::Media(_)) => false,
        (a, b) => a.as_text() == b.as_text(),
    }
}

fn without_note(content: &[ToolContent]) -> &[ToolContent] {
    match content.split_last() {
        Some((ToolContent::Text(text), said)) if text.starts_with(NOTE) => said,
        _ => content,
    }
}
