//! The names of keys, and what stands in the sets of ids.

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use vernal_core::memory::ConversationId;

/// How many sets the ids of conversations are spread over.
pub(super) const SHARDS: u64 = 16;
/// How old an entry of a conversation that does not exist must be before it may be removed: much
/// older than any append that has noted its entry and is still to come can be.
const GRACE: Duration = Duration::from_secs(3600);

/// The keys of one repository.
pub(super) struct Keys {
    prefix: String,
}

impl Keys {
    pub(super) fn new(prefix: String) -> Self {
        Self { prefix }
    }

    /// The key of a conversation. Its id is in braces, which are what a cluster chooses the slot by,
    /// and spelled without any byte that means something to a cluster, a pattern or a terminal.
    pub(super) fn conversation(&self, id: &ConversationId) -> String {
        let mut key = format!("{}{{", self.prefix);
        for byte in id.as_str().bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.~@:/".contains(&byte) {
                key.push(char::from(byte));
            } else {
                let _ = write!(key, "%{byte:02X}");
            }
        }
        key.push('}');
        key
    }

    /// The set that the id of a conversation is in.
    pub(super) fn shard_of(&self, id: &ConversationId) -> String {
        // FNV-1a: the same in every version of this crate, as the sets have to be.
        let hash = id
            .as_str()
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        self.shard(hash % SHARDS)
    }

    pub(super) fn shard(&self, number: u64) -> String {
        format!("{}ids:{{{number:02}}}", self.prefix)
    }
}

/// An entry in a set: the id of a conversation, and which conversation of that id is meant, for one
/// can be deleted or expire, and another begin.
///
/// The id comes first and a byte that no id has follows, so that entries sort as their ids do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) id: ConversationId,
    pub(super) generation: String,
}

impl Entry {
    /// The entry of a conversation that is about to begin.
    pub(super) fn new(id: ConversationId) -> Self {
        let random = RandomState::new().hash_one(&id);
        Self {
            id,
            generation: format!("{:012x}{random:016x}", now()),
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let (id, generation) = text.split_once('\0')?;
        let id = ConversationId::new(id).ok()?;
        Some(Self {
            id,
            generation: generation.to_owned(),
        })
    }

    pub(super) fn text(&self) -> String {
        format!("{}\0{}", self.id, self.generation)
    }

    /// Whether no append that noted this entry can still be on its way.
    pub(super) fn is_old(&self) -> bool {
        let noted = self
            .generation
            .get(..12)
            .and_then(|time| u64::from_str_radix(time, 16).ok());
        let age = noted.map_or(0, |noted| now().saturating_sub(noted));
        u128::from(age) > GRACE.as_millis()
    }
}

/// The lowest entry that an id after this one can have, in the form of `ZRANGEBYLEX`.
pub(super) fn after(id: Option<&ConversationId>) -> String {
    id.map_or_else(|| "-".to_owned(), |id| format!("[{id}\u{1}"))
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ConversationId {
        ConversationId::new(text).unwrap()
    }

    #[test]
    fn keys_have_one_pair_of_braces_and_differ() {
        let keys = Keys::new("p:".to_owned());
        let ids = ["a", "A", "a b", "a%20b", "{a}", "}{", "a*?[]", "한", "a\n"];
        let all: Vec<_> = ids
            .iter()
            .map(|text| keys.conversation(&id(text)))
            .collect();
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), ids.len());
        for key in all {
            assert!(
                key.starts_with("p:{")
                    && key.ends_with('}')
                    && key.matches(['{', '}']).count() == 2
            );
            assert!(!key.contains(['*', '?', '[', ' ', '\n']), "{key}");
        }
    }

    #[test]
    fn entries_sort_as_their_ids_and_come_back() {
        let ids = ["a", "a\u{1}", "a ", "ab", "a\u{10ffff}", "b", "가"].map(id);
        for one in &ids {
            let entry = Entry::new(one.clone());
            assert_eq!(Entry::parse(&entry.text()).as_ref(), Some(&entry));
            assert!(!entry.is_old());
            let after = after(Some(one)).split_off(1);
            for other in &ids {
                let entry = Entry::new(other.clone()).text();
                assert_eq!(entry >= after, other > one, "{other} after {one}");
            }
        }
    }

    #[test]
    fn only_what_was_noted_long_ago_is_old() {
        let entry = |generation: &str| Entry {
            id: id("a"),
            generation: generation.to_owned(),
        };
        assert!(entry("000000000001abcdef").is_old());
        assert!(!entry("what is this").is_old() && !entry("").is_old());
    }
}
