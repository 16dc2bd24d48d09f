//! Calls and results in pairs. Servers refuse a call without a result, a result without a call, and two calls
//! of one id; histories that were cut, kept elsewhere or come from another provider may have any of these.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use vernal_core::message::{
    History, Message, Part, PartContent, Role, ToolCall, ToolOutcome, ToolResponse,
};
use vernal_core::model::Prompt;

/// What stands for the result of a call that has none.
const LOST: &str =
    "The tool was not run, or its result was lost; call it again if it is still needed.";

/// Whether a server knows the call of this id, which the prompt does not show. Told with it is the model's
/// latest message, if there is one.
pub(crate) type Knows<'k> = &'k dyn Fn(Option<&Message>, &str) -> bool;

/// The prompt with each call followed by its one result: the same one, where it is so already.
///
/// Otherwise results move behind their calls, a call without one is answered with what became of it, and
/// results that answer no call are left out. A call whose id is blank, or that of another call of its message,
/// gets another one, and so does its result.
pub(crate) fn paired<'p>(prompt: &'p Prompt, knows: Knows<'_>) -> Cow<'p, Prompt> {
    let messages = prompt.messages();
    if is_paired(messages, knows) {
        return Cow::Borrowed(prompt);
    }
    let mut pairing = Pairing {
        messages: Vec::with_capacity(messages.len() + 1),
        knows,
    };
    pairing.add_all(messages);
    Cow::Owned(prompt.with_messages(pairing.messages.into()))
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

struct Pairing<'k> {
    messages: Vec<Arc<Message>>,
    knows: Knows<'k>,
}

impl Pairing<'_> {
    fn add_all(&mut self, messages: &History) {
        let mut rest = messages.iter().as_slice();
        let mut calls = Calls::default();
        let mut model = None;
        loop {
            // What is said before the model speaks (again).
            let next = rest
                .iter()
                .position(|message| message.role() == Role::Assistant);
            let (run, after) = rest.split_at(next.unwrap_or(rest.len()));
            self.add_run(run, model, calls);
            let Some((message, after)) = after.split_first() else {
                return;
            };
            calls = self.add_model(message, messages.len() - after.len() - 1);
            model = Some(&**message);
            rest = after;
        }
    }

    /// Adds a message of the model, the one at `position`, and gives its calls.
    fn add_model(&mut self, message: &Arc<Message>, position: usize) -> Calls {
        let mut ids = Ids::default();
        let mut calls = Calls::default();
        let mut parts: Cow<'_, [Part]> = Cow::Borrowed(message.parts());
        for (at, part) in message.parts().iter().enumerate() {
            let PartContent::ToolCall(call) = &part.content else {
                continue;
            };
            let mut call = call.clone();
            let asked = call.id.clone();
            call.id = ids.new_id(&asked, position, calls.all.len());
            if call.id != asked {
                call.synthetic_id = true;
                if let Some(part) = parts.to_mut().get_mut(at) {
                    part.content = PartContent::ToolCall(call.clone());
                }
            }
            calls.add(asked, call);
        }
        self.messages.push(match parts {
            Cow::Borrowed(_) => message.clone(),
            Cow::Owned(parts) => Arc::new(Message::new(Role::Assistant, parts)),
        });
        calls
    }

    /// Adds what follows the message `model`: the results of its calls, then everything else.
    fn add_run(&mut self, run: &[Arc<Message>], model: Option<&Message>, mut calls: Calls) {
        let is_result = |message: &&Arc<Message>| message.role() == Role::Tool;
        for message in run.iter().filter(is_result) {
            self.add_results(message, model, &mut calls);
        }
        let lost = |call| ToolResponse::error(call, ToolOutcome::NotRun, LOST);
        let lost: Vec<_> = calls.unanswered().map(lost).collect();
        if !lost.is_empty() {
            self.messages.push(Arc::new(Message::tool(lost)));
        }
        let others = run.iter().filter(|message| !is_result(message));
        self.messages.extend(others.cloned());
    }

    /// Adds the results of calls that wait for one, and no others.
    fn add_results(&mut self, message: &Arc<Message>, model: Option<&Message>, calls: &mut Calls) {
        let mut parts = Vec::with_capacity(message.parts().len());
        let (mut is_same, mut is_empty) = (true, true);
        for part in message.parts() {
            let mut part = part.clone();
            if let PartContent::ToolResponse(result) = &mut part.content {
                match calls.answer(&result.call_id) {
                    Some(id) if id != result.call_id => {
                        result.call_id = id;
                        is_same = false;
                    }
                    Some(_) => {}
                    None if (self.knows)(model, &result.call_id) => {}
                    None => {
                        is_same = false;
                        continue;
                    }
                }
                is_empty = false;
            }
            parts.push(part);
        }
        match (is_same, is_empty) {
            (true, _) => self.messages.push(message.clone()),
            (false, false) => self
                .messages
                .push(Arc::new(Message::new(Role::Tool, parts))),
            (false, true) => {}
        }
    }
}

/// The ids of a message's calls, and which number is next for another call that has the same one.
#[derive(Default)]
struct Ids(HashMap<Arc<str>, usize>);

impl Ids {
    /// The id for a call: its own one, if nothing else has it. A made one is like those that are made for an
    /// answer without ids.
    fn new_id(&mut self, id: &Arc<str>, position: usize, at: usize) -> Arc<str> {
        let wanted = match is_blank(id) {
            true => format!("call_{position}_{at}").into(),
            false => id.clone(),
        };
        let mut number = self.0.get(&wanted).copied().unwrap_or(1);
        let mut new = wanted.clone();
        while self.0.contains_key(&new) {
            number += 1;
            new = format!("{wanted}_{number}").into();
        }
        self.0.insert(new.clone(), 1);
        self.0.insert(wanted, number);
        new
    }
}

/// The calls of a message.
#[derive(Default)]
struct Calls {
    /// In order; those that have no result yet.
    all: Vec<Option<ToolCall>>,
    /// Where those are that came with an id.
    asked: HashMap<Arc<str>, VecDeque<usize>>,
}

impl Calls {
    /// Adds a call that came with the id `asked`.
    fn add(&mut self, asked: Arc<str>, call: ToolCall) {
        self.asked
            .entry(asked)
            .or_default()
            .push_back(self.all.len());
        self.all.push(Some(call));
    }

    /// The id of the first call that came with this one and waits for its result.
    fn answer(&mut self, asked: &str) -> Option<Arc<str>> {
        let at = self.asked.get_mut(asked)?.pop_front()?;
        Some(self.all.get_mut(at)?.take()?.id)
    }

    fn unanswered(&self) -> impl Iterator<Item = &ToolCall> {
        self.all.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(ids: &[&str]) -> Message {
        let part = |id: &&str| PartContent::ToolCall(ToolCall::new(*id, "now", "{}")).into();
        Message::new(Role::Assistant, ids.iter().map(part).collect())
    }

    fn answers(ids: &[&str]) -> Message {
        let result = |id: &&str| ToolResponse::success(&ToolCall::new(*id, "now", "{}"), vec![]);
        Message::tool(ids.iter().map(result))
    }

    fn knows_none(_: Option<&Message>, _: &str) -> bool {
        false
    }

    /// The ids of calls and results, message by message.
    fn ids(prompt: &Prompt) -> Vec<String> {
        let ids = |message: &Arc<Message>| {
            let calls = message.tool_calls().map(|call| &*call.id);
            let results = message.tool_responses().map(|result| &*result.call_id);
            calls.chain(results).collect::<Vec<_>>().join(" ")
        };
        prompt.messages().iter().map(ids).collect()
    }

    fn repaired(messages: Vec<Message>) -> Vec<String> {
        let prompt = Prompt::from(History::from(messages));
        let paired = paired(&prompt, &knows_none);
        assert!(matches!(paired, Cow::Owned(_)));
        // What was repaired is valid.
        assert!(is_paired(paired.messages(), &knows_none));
        ids(&paired)
    }

    #[test]
    fn what_is_valid_stays_the_same() {
        let many: Vec<String> = (0..40).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for messages in [
            vec![],
            vec![Message::user("a"), Message::assistant("b")],
            vec![
                asks(&["a", "b"]),
                answers(&["a", "b"]),
                asks(&["a"]),
                answers(&["a"]),
            ],
            vec![
                asks(&["a", "b"]),
                answers(&["b"]),
                answers(&["a"]),
                Message::user("c"),
            ],
            vec![asks(&many), answers(&many)],
        ] {
            let prompt = Prompt::from(History::from(messages));
            assert!(matches!(paired(&prompt, &knows_none), Cow::Borrowed(_)));
        }
    }

    #[test]
    fn messages_that_need_no_change_are_the_very_same() {
        let messages = vec![
            asks(&["a"]),
            answers(&["a"]),
            asks(&["b"]),
            Message::user("x"),
        ];
        let prompt = Prompt::from(History::from(messages));
        let paired = paired(&prompt, &knows_none);
        let (before, after) = (prompt.messages(), paired.messages());
        assert_eq!(after.len(), 5);
        for (at, is) in [(0, 0), (1, 1), (2, 2), (3, 4)] {
            assert!(Arc::ptr_eq(before.get(at).unwrap(), after.get(is).unwrap()));
        }
    }

    #[test]
    fn ids_become_distinct() {
        let blank = ["call_0_0", "x", "x_2", "x_3", "x_2_2", "call_0_5"].join(" ");
        let given = ["", "x", "x", "x", "x_2", " "];
        let found = repaired(vec![asks(&given), answers(&given)]);
        assert_eq!(found, [blank.clone(), blank]);
    }

    #[test]
    fn what_a_server_knows_stays() {
        let messages = vec![answers(&["a"]), asks(&["b"]), answers(&["c", "b"])];
        let prompt = Prompt::from(History::from(messages.clone()));
        let knows = |latest: Option<&Message>, id: &str| match latest {
            None => id == "a",
            Some(message) => message.has_tool_calls() && id == "c",
        };
        assert!(matches!(paired(&prompt, &knows), Cow::Borrowed(_)));
        assert_eq!(repaired(messages), ["b", "b"]);
    }

    #[test]
    fn many_calls_of_one_id_take_no_time() {
        let given = vec!["x"; 20_000];
        let found = repaired(vec![asks(&given), answers(&given)]);
        assert!(found[1].ends_with(" x_20000"));
    }
}
