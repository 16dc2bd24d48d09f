//! Messages become turns: the user's and the model's in alternation, each call with its one result.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::{Message, Part, PartContent, Role, ToolCall, ToolResponse};

use crate::json::lenient::text;

/// A message of a prompt and its wire form: blocks with commas between them.
pub(crate) type Encoded<'a> = (&'a Message, Cow<'a, str>);

/// How a dialect writes what a turn needs that no message has, or has otherwise.
#[derive(Clone, Copy)]
pub(crate) struct TurnForm<'f> {
    /// Writes the block of a result.
    pub(crate) result: &'f dyn Fn(&mut String, &Part, &ToolResponse),
    /// Writes the block that stands for the result of the call with this id, which has none.
    pub(crate) missing: &'f dyn Fn(&mut String, &str),
    /// Writes a text in the place of the block of a text.
    pub(crate) text: &'f dyn Fn(&mut String, &str, &RawValue),
    /// What the model says between results and other words of the user, where a turn must not hold
    /// both.
    pub(crate) between: Option<&'static str>,
}

/// Who speaks in a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    User,
    Model,
}

/// Writes the list of turns, and says whether there is one. System messages have their place elsewhere.
pub(crate) fn push_turns(out: &mut String, messages: &[Encoded<'_>], form: TurnForm<'_>) -> bool {
    out.push('[');
    let mut turns = Turns {
        form,
        out,
        speaker: None,
        latest: 0,
        unanswered: Vec::new(),
    };
    let mut spoken = messages
        .iter()
        .filter(|(message, _)| message.role() != Role::System)
        .peekable();
    let is_model = |(message, _): &&Encoded<'_>| message.role() == Role::Assistant;
    while let Some(next) = spoken.peek() {
        if is_model(next) {
            if let Some((message, text)) = spoken.next() {
                turns.add_model(message, text);
            }
            continue;
        }
        let mut run = Vec::new();
        while let Some(encoded) = spoken.next_if(|next| !is_model(next)) {
            run.push(encoded);
        }
        turns.add_user(&run);
    }
    turns.answer_rest();
    turns.end()
}

struct Turns<'o, 'm> {
    form: TurnForm<'o>,
    out: &'o mut String,
    /// Whose turn is being written.
    speaker: Option<Speaker>,
    /// Where the blocks begin that were added last.
    latest: usize,
    /// The model's latest calls, as long as they have no results.
    unanswered: Vec<&'m ToolCall>,
}

impl<'m> Turns<'_, 'm> {
    fn add_model(&mut self, message: &'m Message, text: &str) {
        self.answer_rest();
        self.add(Speaker::Model, text);
        self.unanswered.extend(message.tool_calls());
    }

    /// Adds what comes before the model speaks again: the results, then everything else.
    fn add_user(&mut self, run: &[&'m Encoded<'m>]) {
        let before = self.out.len();
        for (message, text) in run {
            if message.role() == Role::Tool {
                self.add_results(message, text);
            }
        }
        self.answer_rest();
        let mut between = self.form.between.filter(|_| self.out.len() > before);
        for (message, text) in run {
            if message.role() != Role::Tool {
                if let Some(said) = between.take_if(|_| !text.is_empty()) {
                    self.add(Speaker::Model, said);
                }
                self.add(Speaker::User, text);
            }
        }
    }

    /// Adds the results of calls that wait for one, and no others.
    fn add_results(&mut self, message: &Message, text: &str) {
        let mut left = self.unanswered.clone();
        let answers = |left: &mut Vec<&ToolCall>, id: &str| {
            let call = left.iter().position(|call| *call.id == *id);
            call.map(|at| left.remove(at)).is_some()
        };
        let mut responses = message.tool_responses();
        if responses.all(|response| answers(&mut left, &response.call_id)) {
            self.unanswered = left;
            return self.add(Speaker::User, text);
        }
        for part in message.parts() {
            let PartContent::ToolResponse(response) = &part.content else {
                continue;
            };
            if answers(&mut self.unanswered, &response.call_id) {
                let mut one = String::new();
                (self.form.result)(&mut one, part, response);
                self.add(Speaker::User, &one);
            }
        }
    }

    /// A call without a result would make the whole conversation unusable.
    fn answer_rest(&mut self) {
        for call in std::mem::take(&mut self.unanswered) {
            let mut one = String::new();
            (self.form.missing)(&mut one, &call.id);
            self.add(Speaker::User, &one);
        }
    }

    /// Adds blocks to the speaker's turn.
    fn add(&mut self, speaker: Speaker, blocks: &str) {
        if blocks.is_empty() {
            return;
        }
        if self.speaker == Some(speaker) {
            self.out.push(',');
        } else {
            if self.speaker.is_some() {
                self.out.push_str("]},");
            }
            self.out.push_str("{\"role\":\"");
            self.out.push_str(match speaker {
                Speaker::User => "user",
                Speaker::Model => "assistant",
            });
            self.out.push_str("\",\"content\":[");
            self.speaker = Some(speaker);
        }
        self.latest = self.out.len();
        self.out.push_str(blocks);
    }

    fn end(mut self) -> bool {
        if self.speaker == Some(Speaker::Model) {
            self.trim();
        }
        if self.speaker.is_some() {
            self.out.push_str("]}");
        }
        self.out.push(']');
        self.speaker.is_some()
    }

    /// What the model has begun to say goes on where it ends, and must not end in white space.
    fn trim(&mut self) {
        let blocks = self.out.get(self.latest..).unwrap_or_default();
        if let Some(trimmed) = trimmed(blocks, self.form.text) {
            self.out.truncate(self.latest);
            self.out.push_str(&trimmed);
        }
    }
}

/// The text of a block.
#[derive(Default, Deserialize)]
#[serde(default)]
struct TextBlock<'a> {
    #[serde(borrow, deserialize_with = "text")]
    text: Option<Cow<'a, str>>,
}

/// Blocks without the white space at the end of their last text; `None` where there is none.
fn trimmed(blocks: &str, text: &dyn Fn(&mut String, &str, &RawValue)) -> Option<String> {
    let list = format!("[{blocks}]");
    let list: Vec<&RawValue> = serde_json::from_str(&list).ok()?;
    let last = list.last()?;
    let said = serde_json::from_str::<TextBlock<'_>>(last.get())
        .ok()?
        .text?;
    let kept = said.trim_end();
    if kept.is_empty() || kept.len() == said.len() {
        return None;
    }
    let mut out = blocks.strip_suffix(last.get())?.to_owned();
    text(&mut out, kept, last);
    Some(out)
}
