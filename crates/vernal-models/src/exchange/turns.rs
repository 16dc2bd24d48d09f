//! Messages become turns: the user's and the model's in alternation.

use std::borrow::Cow;

use vernal_core::message::{Message, Role};

/// A message of a prompt and its wire form: blocks with commas between them.
pub(crate) type Encoded<'a> = (&'a Message, Cow<'a, str>);

/// Writes the list of turns; system messages have their place elsewhere. The model says `between` where a turn
/// of the user must not hold results and other words.
pub(crate) fn push_turns(out: &mut String, messages: &[Encoded<'_>], between: Option<&str>) {
    out.push('[');
    let mut turns = Turns { out, speaker: None };
    let mut has_results = false;
    for (message, text) in messages.iter().filter(|(_, text)| !text.is_empty()) {
        match message.role() {
            Role::System => {}
            Role::Assistant => {
                turns.add("assistant", text);
                has_results = false;
            }
            Role::Tool => {
                turns.add("user", text);
                has_results = true;
            }
            _ => {
                if let Some(said) = between.filter(|_| std::mem::take(&mut has_results)) {
                    turns.add("assistant", said);
                }
                turns.add("user", text);
            }
        }
    }
    turns.end();
}

struct Turns<'o> {
    out: &'o mut String,
    /// Whose turn is being written.
    speaker: Option<&'static str>,
}

impl Turns<'_> {
    /// Adds blocks to the speaker's turn.
    fn add(&mut self, speaker: &'static str, blocks: &str) {
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
