//! Calls and results in pairs. Servers refuse a call without a result, a result without a call, and two calls
//! of one id; histories that were cut, kept elsewhere or come from another provider may have any of these.

mod calls;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use vernal_core::message::{
    History, Message, Part, PartContent, Role, ToolCall, ToolOutcome, ToolResponse,
};
use vernal_core::model::Prompt;

use self::calls::{Ids, Place, Waiting};

/// What stands for the result of a call that has none.
const LOST: &str =
    "The tool was not run, or its result was lost; call it again if it is still needed.";

/// Whether a server knows the call of this id, which the prompt does not show. Told with it is the model's
/// latest message, if there is one.
pub(crate) type Knows<'k> = &'k dyn Fn(Option<&Message>, &str) -> bool;

/// The prompt with each call followed by its one result: the same one, where it is so already.
///
/// Otherwise results move behind the message of their calls, however late they come, up to the next call of the
/// same id: some servers tell parallel calls in messages of their own, one after the other, and then the results.
/// A call without one is answered with what became of it, and results that answer no call are left out. A call
/// whose id is blank, or that of another call of its message, gets another one, and so does its result.
pub(crate) fn paired<'p>(prompt: &'p Prompt, knows: Knows<'_>) -> Cow<'p, Prompt> {
    let messages = prompt.messages();
    if is_paired(messages, knows) {
        return Cow::Borrowed(prompt);
    }
    let mut pairing = Pairing {
        turns: vec![Turn::default()],
        waiting: Waiting::default(),
        knows,
    };
    let mut before = None;
    for (position, message) in messages.iter().enumerate() {
        match message.role() {
            Role::Assistant => {
                if before != Some(Role::Assistant) {
                    pairing.waiting.begin_run();
                }
                pairing.add_model(message, position);
            }
            Role::Tool => pairing.add_results(message),
            _ => pairing.latest(|turn| turn.others.push(message.clone())),
        }
        before = Some(message.role());
    }
    let messages: Vec<_> = pairing
        .turns
        .into_iter()
        .flat_map(Turn::into_messages)
        .collect();
    Cow::Owned(prompt.with_messages(messages.into()))
}

/// How many messages from the first one on are results.
fn results_in(messages: &[Arc<Message>]) -> usize {
    let is_result = |message: &&Arc<Message>| message.role() == Role::Tool;
    messages.iter().take_while(is_result).count()
}

fn is_blank(id: &str) -> bool {
    id.trim_ascii().is_empty()
}

/// Whether each call of a message has an id of its own; no allocation is needed for a few calls.
fn has_distinct_ids(message: &Message) -> bool {
    let ids = || message.tool_calls().map(|call| &*call.id);
    if ids().any(is_blank) {
        return false;
    }
    if ids().nth(FEW).is_some() {
        let mut seen = HashSet::new();
        return ids().all(|id| seen.insert(id));
    }
    ids()
        .enumerate()
        .all(|(at, id)| ids().take(at).all(|other| other != id))
}

/// The most calls of which each is compared with each.
const FEW: usize = 16;

/// Whether results follow their calls at once, one for each.
fn is_paired(messages: &History, knows: Knows<'_>) -> bool {
    let mut rest = messages.iter().as_slice();
    let mut latest = None;
    while let Some((message, after)) = rest.split_first() {
        rest = after;
        match message.role() {
            Role::Assistant => {
                latest = Some(&**message);
                let (results, after) = after.split_at(results_in(after));
                if !has_distinct_ids(message) || !is_answered(message, results, knows) {
                    return false;
                }
                rest = after;
            }
            Role::Tool => {
                let mut results = message.tool_responses();
                if !results.all(|result| knows(latest, &result.call_id)) {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

/// Whether the results are those of the message's calls, whose ids differ.
fn is_answered(message: &Message, results: &[Arc<Message>], knows: Knows<'_>) -> bool {
    let results = || results.iter().flat_map(|message| message.tool_responses());
    let mut calls = message.tool_calls();
    let in_order =
        results().all(|result| calls.next().is_some_and(|call| call.id == result.call_id));
    if in_order {
        return calls.next().is_none();
    }
    let mut open: HashSet<&str> = message.tool_calls().map(|call| &*call.id).collect();
    let mut results = results();
    results.all(|result| open.remove(&*result.call_id) || knows(Some(message), &result.call_id))
        && open.is_empty()
}

/// A prompt in parts, each of which begins with a message of the model.
struct Pairing<'p, 'k> {
    turns: Vec<Turn<'p>>,
    waiting: Waiting,
    knows: Knows<'k>,
}

/// A message of the model, the results of its calls, and what else is said before the model speaks again.
#[derive(Default)]
struct Turn<'p> {
    /// As it came, and as it is sent; what is said before the model speaks has neither.
    came: Option<&'p Message>,
    model: Option<Arc<Message>>,
    /// In order; those that have no result yet.
    calls: Vec<Option<ToolCall>>,
    results: Vec<Arc<Message>>,
    others: Vec<Arc<Message>>,
}

impl Turn<'_> {
    fn into_messages(self) -> impl Iterator<Item = Arc<Message>> {
        let lost = |call: &ToolCall| ToolResponse::error(call, ToolOutcome::NotRun, LOST);
        let lost: Vec<_> = self.calls.iter().flatten().map(lost).collect();
        let lost = (!lost.is_empty()).then(|| Arc::new(Message::tool(lost)));
        let results = self.results.into_iter().chain(lost);
        self.model.into_iter().chain(results).chain(self.others)
    }
}

impl<'p> Pairing<'p, '_> {
    fn latest(&mut self, change: impl FnOnce(&mut Turn<'p>)) {
        if let Some(turn) = self.turns.last_mut() {
            change(turn);
        }
    }

    /// Adds a message of the model, the one at `position`, whose calls wait from now on.
    fn add_model(&mut self, message: &'p Arc<Message>, position: usize) {
        let mut ids = Ids::default();
        let mut calls = Vec::new();
        let mut parts: Cow<'_, [Part]> = Cow::Borrowed(message.parts());
        for (at, part) in message.parts().iter().enumerate() {
            let PartContent::ToolCall(call) = &part.content else {
                continue;
            };
            let mut call = call.clone();
            let asked = call.id.clone();
            call.id = ids.new_id(&asked, position, calls.len());
            if call.id != asked {
                call.synthetic_id = true;
                if let Some(part) = parts.to_mut().get_mut(at) {
                    part.content = PartContent::ToolCall(call.clone());
                }
            }
            let place = Place {
                turn: self.turns.len(),
                call: calls.len(),
            };
            self.waiting.add(asked, place);
            calls.push(Some(call));
        }
        let model = match parts {
            Cow::Borrowed(_) => message.clone(),
            Cow::Owned(parts) => Arc::new(Message::new(Role::Assistant, parts)),
        };
        self.turns.push(Turn {
            came: Some(message),
            model: Some(model),
            calls,
            ..Turn::default()
        });
    }

    /// Adds the results of calls that wait for one, each to the turn of its call, and no others.
    fn add_results(&mut self, message: &Arc<Message>) {
        let mut turn = self.turns.len().saturating_sub(1);
        let mut is_same = true;
        let mut parts = BTreeMap::<usize, Vec<Part>>::new();
        for part in message.parts() {
            let mut part = part.clone();
            if let PartContent::ToolResponse(result) = &mut part.content {
                let Some((of_turn, id)) = self.answered_by(&result.call_id) else {
                    is_same = false;
                    continue;
                };
                turn = of_turn;
                if id != result.call_id {
                    result.call_id = id;
                    is_same = false;
                }
            }
            parts.entry(turn).or_default().push(part);
        }
        if is_same && parts.len() < 2 {
            turn = parts.keys().next().copied().unwrap_or(turn);
            return self.add_result(turn, message.clone());
        }
        for (turn, parts) in parts {
            let message = Message::new(Role::Tool, parts);
            if message.tool_responses().next().is_some() {
                self.add_result(turn, Arc::new(message));
            }
        }
    }

    fn add_result(&mut self, turn: usize, result: Arc<Message>) {
        if let Some(turn) = self.turns.get_mut(turn) {
            turn.results.push(result);
        }
    }

    /// The turn and the id of the call that a result of this id answers.
    fn answered_by(&mut self, id: &Arc<str>) -> Option<(usize, Arc<str>)> {
        if let Some(place) = self.waiting.answer(id) {
            let call = self.turns.get_mut(place.turn)?.calls.get_mut(place.call)?;
            return Some((place.turn, call.take()?.id));
        }
        let came = self.turns.last()?.came;
        (self.knows)(came, id).then(|| (self.turns.len() - 1, id.clone()))
    }
}
