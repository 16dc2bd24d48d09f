//! The messages of a request as its list of items: each call with its one result.

use vernal_core::message::{Message, PartContent, Role, ToolCall};

use super::input::{Writing, next, push_system};
use super::item::Item;
use super::request::Encoded;

/// Writes the list of items, the `opening` first. Where the server `knows` what came before, it has the calls that the first
/// results answer; elsewhere a result without its call is left out, for it would be refused.
pub(super) fn push_input(
    out: &mut String,
    opening: &str,
    messages: &[Encoded<'_>],
    writing: &Writing<'_>,
    knows: bool,
) {
    out.push('[');
    out.push_str(opening);
    let mut turns = Turns {
        items: &mut *out,
        writing,
        unanswered: Vec::new(),
        latest: None,
        knows,
    };
    for (message, text) in messages {
        turns.add(message, text);
    }
    turns.answer_rest();
    out.push(']');
}

struct Turns<'o, 'm, 'w> {
    items: &'o mut String,
    writing: &'m Writing<'w>,
    /// The model's latest calls, as long as they have no results.
    unanswered: Vec<&'m ToolCall>,
    /// The model's latest message.
    latest: Option<&'m Message>,
    /// Whether results may answer calls that the server knows and the request has not.
    knows: bool,
}

impl<'m> Turns<'_, 'm, '_> {
    fn add(&mut self, message: &'m Message, text: &str) {
        if message.role() == Role::Tool {
            return self.add_results(message, text);
        }
        self.answer_rest();
        if text.is_empty() {
            return;
        }
        match message.role() {
            Role::System => push_system(next(self.items), text),
            _ => next(self.items).push_str(text),
        }
        if message.role() == Role::Assistant {
            self.unanswered.extend(message.tool_calls());
            self.latest = Some(message);
            self.knows = false;
        }
    }

    /// Adds the results of calls that wait for one, and no others.
    fn add_results(&mut self, message: &Message, text: &str) {
        let before = self.unanswered.clone();
        let all = message
            .tool_responses()
            .all(|response| self.answers(&response.call_id));
        if all {
            if !text.is_empty() {
                next(self.items).push_str(text);
            }
            return;
        }
        self.unanswered = before;
        for part in message.parts() {
            if let PartContent::ToolResponse(response) = &part.content
                && self.answers(&response.call_id)
            {
                self.writing.push_result(self.items, part, response);
            }
        }
    }

    fn answers(&mut self, id: &str) -> bool {
        let at = self.unanswered.iter().position(|call| *call.id == *id);
        at.map(|at| self.unanswered.remove(at)).is_some() || self.knows || self.is_opaque_call(id)
    }

    /// Whether an item that only the provider understands is a call of this id, such as a search among
    /// tools that the application makes.
    fn is_opaque_call(&self, id: &str) -> bool {
        let parts = self.latest.map(Message::parts).unwrap_or_default();
        let opaque = parts
            .iter()
            .filter(|part| matches!(part.content, PartContent::Opaque));
        let mut items = opaque.filter_map(|part| part.provider_data(self.writing.provider));
        items.any(|raw| Item::of(raw).call_id.as_deref() == Some(id))
    }

    /// A call without a result would make the whole conversation unusable.
    fn answer_rest(&mut self) {
        for call in std::mem::take(&mut self.unanswered) {
            self.writing.push_missing(self.items, call);
        }
    }
}
