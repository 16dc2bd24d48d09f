//! Messages become turns: the user's and the model's in alternation, each call with its one result.

use std::borrow::Cow;

use vernal_core::message::{Message, Part, PartContent, Role, ToolCall, ToolResponse};

/// A message of a prompt and its wire form: blocks with commas between them.
pub(crate) type Encoded<'a> = (&'a Message, Cow<'a, str>);

/// How a dialect writes the results of calls.
#[derive(Clone, Copy)]
pub(crate) struct ResultForm {
    /// Writes the block of a result.
    pub(crate) result: fn(&mut String, &Part, &ToolResponse),
    /// Writes the block that stands for the result of the call with this id, which has none.
    pub(crate) missing: fn(&mut String, &str),
    /// What the model says between results and other words of the user, where a turn must not hold
    /// both.
    pub(crate) between: Option<&'static str>,
}

/// Writes the list of turns. System messages have their place elsewhere.
pub(crate) fn push_turns(out: &mut String, messages: &[Encoded<'_>], form: ResultForm) {
    out.push('[');
    let mut turns = Turns {
        form,
        out,
        speaker: None,
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
    turns.end();
}

struct Turns<'o, 'm> {
    form: ResultForm,
    out: &'o mut String,
    /// Whose turn is being written.
    speaker: Option<&'static str>,
    /// The model's latest calls, as long as they have no results.
    unanswered: Vec<&'m ToolCall>,
}

impl<'m> Turns<'_, 'm> {
    fn add_model(&mut self, message: &'m Message, text: &str) {
        self.answer_rest();
        self.add("assistant", text);
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
                    self.add("assistant", said);
                }
                self.add("user", text);
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
            return self.add("user", text);
        }
        for part in message.parts() {
            let PartContent::ToolResponse(response) = &part.content else {
                continue;
            };
            if answers(&mut self.unanswered, &response.call_id) {
                let mut one = String::new();
                (self.form.result)(&mut one, part, response);
                self.add("user", &one);
            }
        }
    }

    /// A call without a result would make the whole conversation unusable.
    fn answer_rest(&mut self) {
        for call in std::mem::take(&mut self.unanswered) {
            let mut one = String::new();
            (self.form.missing)(&mut one, &call.id);
            self.add("user", &one);
        }
    }

    /// Adds blocks to the speaker's turn.
    fn add(&mut self, speaker: &'static str, blocks: &str) {
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
            self.out.push_str(speaker);
            self.out.push_str("\",\"content\":[");
            self.speaker = Some(speaker);
        }
        self.out.push_str(blocks);
    }

    fn end(self) {
        if self.speaker.is_some() {
            self.out.push_str("]}");
        }
        self.out.push(']');
    }
}
