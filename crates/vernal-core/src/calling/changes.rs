//! What was changed in messages on their way to the model, and what becomes of it (rule LOOP-4).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::message::{History, Message, MessageId, Role};

/// How what was sent differs from what was given to send. Messages are told apart by their ids.
#[derive(Default)]
pub(super) struct Changes {
    /// New versions: messages that stand in the place of others, or that say something else by the same
    /// id.
    edited: HashMap<MessageId, Arc<Message>>,
    removed: HashSet<MessageId>,
    /// New messages, by the message that they follow; those at the beginning follow none.
    added: HashMap<Option<MessageId>, Vec<Arc<Message>>>,
}

/// What to do with messages that were not sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Removed {
    Kept,
    Dropped,
}

impl Changes {
    pub(super) fn between(given: &History, sent: &History) -> Self {
        let (given_by_id, sent_by_id) = (by_id(given), by_id(sent));
        let mut changes = Self {
            added: runs(sent, &given_by_id),
            ..Self::default()
        };
        for message in sent {
            let known = given_by_id.get(&message.id());
            if known.is_some_and(|known| !Arc::ptr_eq(known, message)) {
                changes.edited.insert(message.id(), message.clone());
            }
        }
        for (anchor, left_out) in runs(given, &sent_by_id) {
            match changes.added.remove(&anchor) {
                Some(new) if is_edit(&left_out, &new) => {
                    let edits = left_out.iter().map(|message| message.id()).zip(new);
                    changes.edited.extend(edits);
                }
                new => {
                    // What came in their stead comes after them in the record.
                    let last = left_out.last().map(|message| message.id());
                    changes.added.extend(new.map(|new| (last, new)));
                    changes.removed.extend(left_out.iter().map(|m| m.id()));
                }
            }
        }
        changes
    }

    /// Whether nothing was left out.
    pub(super) fn keeps_all(&self) -> bool {
        self.removed.is_empty()
    }

    /// The messages with the changes; they may be more than were given to send.
    pub(super) fn applied(&self, messages: &History, removed: Removed) -> History {
        let dropped = match removed {
            Removed::Kept => HashSet::new(),
            Removed::Dropped => self.removed_from(messages),
        };
        let mut applied: Vec<Arc<Message>> = Vec::with_capacity(messages.len() + self.added.len());
        applied.extend(self.added.get(&None).into_iter().flatten().cloned());
        // What follows calls comes after their answers: nothing stands between the two.
        let mut waiting: Option<&Vec<Arc<Message>>> = None;
        for message in messages {
            let id = message.id();
            if message.role() != Role::Tool {
                applied.extend(waiting.take().into_iter().flatten().cloned());
            }
            if !dropped.contains(&id) {
                applied.push(self.edited.get(&id).unwrap_or(message).clone());
            }
            let added = self.added.get(&Some(id));
            match message.has_tool_calls() {
                true => waiting = added,
                false => {
                    applied.extend(waiting.take().into_iter().flatten().cloned());
                    applied.extend(added.into_iter().flatten().cloned());
                }
            }
        }
        applied.extend(waiting.into_iter().flatten().cloned());
        applied.into()
    }

    /// What was left out, of calls and their answers always both: one without the other cannot be sent.
    fn removed_from(&self, messages: &History) -> HashSet<MessageId> {
        let mut removed = self.removed.clone();
        for (calls, answers) in messages.iter().zip(messages.iter().skip(1)) {
            let pair = [calls.id(), answers.id()];
            let is_pair = calls.has_tool_calls() && answers.role() == Role::Tool;
            if is_pair && pair.iter().any(|id| removed.contains(id)) {
                removed.extend(pair);
            }
        }
        removed
    }
}

type ById<'a> = HashMap<MessageId, &'a Arc<Message>>;

fn by_id(messages: &History) -> ById<'_> {
    let messages = messages.iter();
    messages.map(|message| (message.id(), message)).collect()
}

/// The messages that are not `known`, by the known one that they follow.
fn runs(messages: &History, known: &ById<'_>) -> HashMap<Option<MessageId>, Vec<Arc<Message>>> {
    let mut runs: HashMap<_, Vec<_>> = HashMap::new();
    let mut anchor = None;
    for message in messages {
        if known.contains_key(&message.id()) {
            anchor = Some(message.id());
        } else {
            runs.entry(anchor).or_default().push(message.clone());
        }
    }
    runs
}

/// Whether new messages stand one for one in the place of others.
fn is_edit(old: &[Arc<Message>], new: &[Arc<Message>]) -> bool {
    let roles = old.iter().zip(new).all(|(a, b)| a.role() == b.role());
    old.len() == new.len() && roles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Part, PartContent, ToolCall, ToolOutcome, ToolResponse};

    /// A history of letters; the same letter is the same message. `C` and `D` call a tool, `T` and `U`
    /// answer.
    fn history(letters: &str, known: &mut HashMap<char, Arc<Message>>) -> History {
        let make = |letter: char| {
            let call = || ToolCall::new("1", "t", "{}");
            Arc::new(match letter {
                'C' | 'D' => Message::new(
                    Role::Assistant,
                    vec![Part::from(PartContent::ToolCall(call()))],
                ),
                'T' | 'U' => {
                    Message::tool([ToolResponse::error(&call(), ToolOutcome::Failed, "no")])
                }
                's' => Message::system("s"),
                'A'..='Z' => Message::assistant(letter.to_string()),
                _ => Message::user(letter.to_string()),
            })
        };
        let message = |letter| known.entry(letter).or_insert_with(|| make(letter)).clone();
        letters.chars().map(message).collect()
    }

    #[test]
    fn what_was_sent_holds_and_the_record_loses_nothing() {
        for (given, sent, base, next, record) in [
            // given, sent, all of the turn, what is sent from now on, the turn's record
            ("ab", "ab", "ab", "ab", "ab"),
            ("ab", "abx", "ab", "abx", "abx"),
            ("ab", "xab", "ab", "xab", "xab"),
            ("ab", "axb", "ab", "axb", "axb"),
            ("ab", "sab", "ab", "sab", "sab"),
            // Left out: not sent again, and kept.
            ("abc", "ac", "abc", "ac", "abc"),
            ("abc", "", "abc", "", "abc"),
            // One for one, of the same role: a new version.
            ("ab", "ax", "ab", "ax", "ax"),
            ("ab", "xb", "ab", "xb", "xb"),
            ("abc", "axy", "abc", "axy", "axy"),
            // Another number or another role: something else.
            ("abc", "ax", "abc", "ax", "abcx"),
            ("abc", "xc", "abc", "xc", "abxc"),
            ("ab", "aX", "ab", "aX", "abX"),
            // Only a part was given to send.
            ("cd", "cxd", "abcd", "abcxd", "abcxd"),
            ("cd", "cd", "abcd", "abcd", "abcd"),
            ("cd", "xd", "abcd", "abxd", "abxd"),
            ("cd", "d", "abcd", "abd", "abcd"),
            // Another order is no change.
            ("abs", "sab", "abs", "abs", "abs"),
            // Nothing comes between calls and their answers.
            ("aCT", "aCxT", "aCT", "aCTx", "aCTx"),
            ("aCT", "aCTx", "aCT", "aCTx", "aCTx"),
            ("aC", "aCx", "aC", "aCx", "aCx"),
            ("aCTDU", "ax", "aCTDU", "ax", "aCTDUx"),
            // Calls and answers go together.
            ("aCT", "aC", "aCT", "a", "aCT"),
            ("aCT", "aT", "aCT", "a", "aCT"),
            ("sU", "sx", "saCTDU", "saCTx", "saCTDUx"),
        ] {
            let mut known = HashMap::new();
            let mut of = |letters| history(letters, &mut known);
            let (given, sent, base) = (of(given), of(sent), of(base));
            let (next, record) = (of(next), of(record));
            let changes = Changes::between(&given, &sent);
            let dropped = changes.applied(&base, Removed::Dropped);
            let kept = changes.applied(&base, Removed::Kept);
            assert!(dropped.is_same(&next), "{given:?} {sent:?}: {dropped:?}");
            assert!(kept.is_same(&record), "{given:?} {sent:?}: {kept:?}");
        }
    }

    #[test]
    fn a_message_that_says_something_else_by_its_id_is_a_new_version() {
        let given = History::from("a");
        let mut longer = Message::clone(given.last().unwrap());
        longer.push(Part::text("b"));
        let sent = History::from(longer);
        let changes = Changes::between(&given, &sent);
        assert!(changes.keeps_all());
        let applied = changes.applied(&given, Removed::Kept);
        assert_eq!(applied.last().unwrap().text(), "ab");
        assert_eq!(applied.len(), 1);
    }
}
