//! Messages become turns: the user's and the model's in alternation.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use vernal_core::message::{Message, Role};

use crate::json::lenient::text;

/// A message of a prompt and its wire form: blocks with commas between them.
pub(crate) type Encoded<'a> = (&'a Message, Cow<'a, str>);

/// Writes a text in the place of the block of a text.
pub(crate) type TextWriter = fn(&mut String, &str, &RawValue);

/// Writes the list of turns, and says whether there is one; system messages have their place elsewhere. The
/// model says `between` where a turn of the user must not hold results and other words.
pub(crate) fn push_turns(
    out: &mut String,
    messages: &[Encoded<'_>],
    text: TextWriter,
    between: Option<&str>,
) -> bool {
    out.push('[');
    let mut turns = Turns {
        out,
        speaker: None,
        latest: 0,
    };
    let mut has_results = false;
    for (message, text) in messages.iter().filter(|(_, text)| !text.is_empty()) {
        match message.role() {
            Role::System => {}
            Role::Assistant => {
                turns.add(Speaker::Model, text);
                has_results = false;
            }
            Role::Tool => {
                turns.add(Speaker::User, text);
                has_results = true;
            }
            _ => {
                if let Some(said) = between.filter(|_| std::mem::take(&mut has_results)) {
                    turns.add(Speaker::Model, said);
                }
                turns.add(Speaker::User, text);
            }
        }
    }
    turns.end(text)
}

/// Who speaks in a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    User,
    Model,
}

struct Turns<'o> {
    out: &'o mut String,
    /// Whose turn is being written.
    speaker: Option<Speaker>,
    /// Where the blocks begin that were added last.
    latest: usize,
}

impl Turns<'_> {
    /// Adds blocks to the speaker's turn.
    fn add(&mut self, speaker: Speaker, blocks: &str) {
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

    fn end(mut self, text: TextWriter) -> bool {
        if self.speaker == Some(Speaker::Model) {
            self.trim(text);
        }
        if self.speaker.is_some() {
            self.out.push_str("]}");
        }
        self.out.push(']');
        self.speaker.is_some()
    }

    /// What the model has begun to say goes on where it ends, and must not end in white space.
    fn trim(&mut self, text: TextWriter) {
        let blocks = self.out.get(self.latest..).unwrap_or_default();
        if let Some(trimmed) = trimmed(blocks, text) {
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
fn trimmed(blocks: &str, text: TextWriter) -> Option<String> {
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
