//! Groups of ordinary words that mean much the same, across languages: language, not tools.

mod actions;
mod korean;
mod qualities;
mod things;
mod verbs;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::script::{Script, is_dense, script_of};
use super::stem::stem;

/// A group of words that mean much the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Concept(u16);

/// What an action does to the world, coarsely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Read,
    Create,
    Delete,
    Update,
    Send,
}

struct Table {
    by_word: HashMap<String, Vec<Concept>>,
    by_key: HashMap<&'static str, Concept>,
    actions: Vec<Option<Action>>,
    /// From which group on the groups are narrow.
    narrow: usize,
    longest_dense: usize,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        by_word: HashMap::new(),
        by_key: HashMap::new(),
        actions: Vec::new(),
        narrow: 0,
        longest_dense: 1,
    };
    for (action, words) in actions::ACTIONS {
        table.add(Some(*action), words);
    }
    for words in things::THINGS {
        table.add(None, words);
    }
    table.narrow = table.actions.len();
    for words in qualities::QUALITIES {
        table.add(None, words);
    }
    for (action, words) in verbs::VERBS {
        table.add(Some(*action), words);
    }
    table
});

impl Table {
    fn add(&mut self, action: Option<Action>, words: &'static str) {
        let concept = Concept(u16::try_from(self.actions.len()).unwrap_or(u16::MAX));
        self.actions.push(action);
        for (at, word) in words.split_whitespace().enumerate() {
            if at == 0 {
                self.by_key.entry(word).or_insert(concept);
            }
            if is_dense(word) {
                self.longest_dense = self.longest_dense.max(word.chars().count());
            }
            let root = action.and_then(|_| korean::root(word));
            for form in [Some(word.to_owned()), Some(stem(word)), root]
                .into_iter()
                .flatten()
            {
                let concepts = self.by_word.entry(form).or_default();
                if !concepts.contains(&concept) {
                    concepts.push(concept);
                }
            }
        }
    }
}

/// The groups that a word is in. Words of scripts with glued endings are found by their beginning.
pub(crate) fn concepts_of(lower: &str, stem: &str) -> Vec<Concept> {
    if let Some(known) = TABLE.by_word.get(lower).or_else(|| TABLE.by_word.get(stem)) {
        return known.clone();
    }
    if !is_dense(lower) {
        return Vec::new();
    }
    let ends: Vec<usize> = lower
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .collect();
    // `켜줘` begins with a verb, `사과` does not.
    let whole = |prefix: &str, rest: &str| {
        prefix.chars().nth(1).is_some()
            || !prefix.starts_with(|c| script_of(c) == Script::Hangul)
            || VERB_ENDINGS
                .split_whitespace()
                .any(|end| rest.starts_with(end))
    };
    let prefixes = ends
        .iter()
        .rev()
        .filter_map(|end| Some((lower.get(..*end)?, lower.get(*end..)?)));
    let found = prefixes
        .filter(|(prefix, rest)| whole(prefix, rest))
        .find_map(|(prefix, rest)| {
            let known = TABLE.by_word.get(prefix);
            // `빌릴게요` begins with `빌리`.
            let open = || {
                let open = korean::without_final(prefix)?;
                prefix.chars().nth(1)?;
                TABLE.by_word.get(&open)
            };
            Some((known.or_else(open)?, rest))
        });
    let Some((concepts, rest)) = found else {
        return Vec::new();
    };
    // `예약번호` is a number, and books nothing.
    let noun = NOUN_ENDINGS
        .split_whitespace()
        .any(|end| rest.starts_with(end));
    let kept = concepts
        .iter()
        .filter(|concept| !noun || action_of(**concept).is_none());
    kept.copied().collect()
}

/// What makes a noun of the Korean verb before it.
const NOUN_ENDINGS: &str = "번호 코드 내역 일시 날짜 시간 금액 상태 정보";

/// What may follow a Korean verb of one syllable.
const VERB_ENDINGS: &str = "줘 주 고 라 서 면 요 야 지 죠 봐 볼 드 도 놔 둬 줄 달 을 를 이 가 은 는 의 에 로 만 까 니 다 자";

/// The group whose first word is `key`.
pub(crate) fn concept(key: &str) -> Option<Concept> {
    TABLE.by_key.get(key).copied()
}

/// What the group does to the world, where it is a group of verbs.
pub(crate) fn action_of(concept: Concept) -> Option<Action> {
    TABLE.actions.get(usize::from(concept.0)).copied().flatten()
}

/// Whether the words of the group mean nearly the same.
pub(crate) fn is_narrow(concept: Concept) -> bool {
    usize::from(concept.0) >= TABLE.narrow
}

/// Whether a word is listed as it is.
pub(crate) fn is_known(word: &str) -> bool {
    TABLE.by_word.contains_key(word)
}

/// The number of characters of the longest listed word in a script without spaces.
pub(crate) fn longest_dense_word() -> usize {
    TABLE.longest_dense
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(word: &str) -> Vec<Concept> {
        concepts_of(word, &stem(word))
    }

    #[test]
    fn words_of_several_languages_share_a_group() {
        let weather = concept("weather").unwrap();
        for word in [
            "forecast",
            "wetter",
            "날씨",
            "날씨를",
            "天気",
            "rain",
            "clima",
        ] {
            assert!(of(word).contains(&weather), "{word}");
        }
        assert!(of("xyzzy").is_empty());
    }

    #[test]
    fn verbs_have_actions() {
        let actions = |word: &str| {
            of(word)
                .into_iter()
                .filter_map(action_of)
                .collect::<Vec<_>>()
        };
        assert!(
            actions("cancel")
                .iter()
                .all(|action| *action == Action::Delete)
        );
        assert_eq!(actions("find"), [Action::Read]);
        assert!(actions("알려줘").contains(&Action::Read));
        assert!(actions("weather").is_empty());
    }
}
