//! Words: cut out of texts and of identifiers, and compared by meaning.

use super::jamo::is_conjugated;
use super::script::{Script, is_dense, pair_overlap, script_of};
use super::stem::{is_family, is_typo, stem};
use super::synonyms::{self, Action, Concept, action_of};
pub(crate) use super::tokens::{Token, TokenKind, tokens};
use super::tokens::{known_pieces, script_of_first};

/// A word in the forms in which it is compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word {
    pub(crate) lower: String,
    pub(crate) stem: String,
    pub(crate) concepts: Vec<Concept>,
}

impl Word {
    pub(crate) fn new(text: &str) -> Self {
        let lower = text.to_lowercase();
        let stem = stem(&lower);
        let concepts = synonyms::concepts_of(&lower, &stem);
        Self {
            lower,
            stem,
            concepts,
        }
    }

    /// Whether the word is in the group of this key.
    pub(crate) fn is_about(&self, key: &str) -> bool {
        synonyms::concept(key).is_some_and(|concept| self.concepts.contains(&concept))
    }

    /// What the word does to the world, where it is a verb.
    pub(crate) fn actions(&self) -> impl Iterator<Item = Action> {
        self.concepts
            .iter()
            .filter_map(|concept| action_of(*concept))
    }

    /// Whether the word is known as a verb.
    pub(crate) fn is_action(&self) -> bool {
        self.actions().next().is_some()
    }

    /// Whether both are the same word, in one form or another.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.lower == other.lower || self.stem == other.stem
    }

    /// How near the meanings are: 1 for the same word, 0 for nothing in common.
    pub(crate) fn likeness(&self, other: &Self) -> f32 {
        if self.lower == other.lower {
            return 1.0;
        }
        if self.stem == other.stem {
            return 0.95;
        }
        let (a, b) = (self.stem.as_str(), other.stem.as_str());
        let mut best: f32 = 0.0;
        let shared = self
            .concepts
            .iter()
            .filter(|concept| other.concepts.contains(concept));
        for concept in shared {
            best = best.max(match action_of(*concept) {
                _ if synonyms::is_narrow(*concept) => 0.75,
                Some(_) => 0.5,
                None => 0.65,
            });
        }
        if is_dense(a) && is_dense(b) {
            let (short, long) = if a.chars().count() < b.chars().count() {
                (a, b)
            } else {
                (b, a)
            };
            if short.chars().count() >= 2 && long.contains(short) {
                return best.max(0.8);
            }
            // `조용히` and `조용하게`: the same but for the ending.
            let shared = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
            if shared >= 2 && shared + 1 >= short.chars().count() && is_hangul(a) {
                best = best.max(0.75);
            }
            if is_hangul(a) && is_hangul(b) && is_conjugated(&self.lower, &other.lower) {
                best = best.max(0.75);
            }
            let overlap = pair_overlap(a, b);
            return if overlap >= 0.5 {
                best.max(overlap * 0.7)
            } else {
                best
            };
        }
        if a.chars().next() != b.chars().next() && a.len().abs_diff(b.len()) < 3 {
            return best;
        }
        if is_family(a, b) {
            best = best.max(0.75);
        }
        let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
        if short.len() >= 5 && long.len() >= short.len() + 3 && long.contains(short) {
            best = best.max(0.55);
        }
        if is_typo(&self.lower, &other.lower) {
            best.max(0.6)
        } else {
            best
        }
    }
}

fn is_hangul(text: &str) -> bool {
    text.chars().all(|c| script_of(c) == Script::Hangul)
}

/// The words of an identifier or a description: `getWeather`, `get_weather` and `GET weather` alike.
pub(crate) fn identifier_words(name: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for part in name.split(|c: char| !(c.is_alphanumeric() || c == 'ー')) {
        for piece in camel_pieces(part) {
            match script_of_first(piece) {
                Script::Han | Script::Hiragana => {
                    words.extend(known_pieces(piece).into_iter().map(Word::new));
                }
                _ => words.push(Word::new(piece)),
            }
        }
    }
    words
}

/// Cuts `getHTTPStatus2` into `get`, `HTTP`, `Status`, `2`.
fn camel_pieces(part: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = part.char_indices().collect();
    let mut pieces = Vec::new();
    let mut start = 0;
    for (i, (at, c)) in chars.iter().enumerate().skip(1) {
        let before = chars.get(i - 1).map_or(' ', |(_, c)| *c);
        let after = chars.get(i + 1).map_or(' ', |(_, c)| *c);
        let cut = (c.is_uppercase() && (before.is_lowercase() || before.is_numeric()))
            || (c.is_uppercase() && before.is_uppercase() && after.is_lowercase())
            || (script_of(*c) != script_of(before) && !c.is_numeric() && !before.is_numeric())
            || (c.is_ascii_digit() && !before.is_ascii_digit() && before.is_lowercase());
        if cut {
            pieces.extend(part.get(start..*at).filter(|piece| !piece.is_empty()));
            start = *at;
        }
    }
    pieces.extend(part.get(start..).filter(|piece| !piece.is_empty()));
    pieces
}

/// The identifier as words for people: `party_size` is `party size`.
pub(crate) fn readable(name: &str) -> String {
    let pieces = name
        .split(|c: char| !(c.is_alphanumeric() || c == 'ー'))
        .flat_map(camel_pieces);
    let words: Vec<String> = pieces
        .map(|piece| {
            let acronym =
                piece.len() > 1 && piece.len() <= 4 && piece.chars().all(char::is_uppercase);
            if acronym {
                piece.to_owned()
            } else {
                piece.to_lowercase()
            }
        })
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        tokens(text)
            .into_iter()
            .map(|token| token.word.lower)
            .collect()
    }

    #[test]
    fn texts_are_cut_into_tokens() {
        assert_eq!(
            texts("What's 5kg of A1 at 7:30?"),
            ["what's", "5", "kg", "of", "a1", "at", "7", ":", "30", "?"]
        );
        assert_eq!(texts("1,234.50 €"), ["1,234.50", "€"]);
        assert_eq!(texts("10분 뒤"), ["10", "분", "뒤"]);
        assert_eq!(
            texts("東京の天気を教えて"),
            ["東京", "の", "天気", "を", "教えて"]
        );
        assert_eq!(
            texts("北京今天天气怎么样"),
            ["北京", "今天", "天气", "怎么样"]
        );
        assert_eq!(texts("ソウルタワー"), ["ソウルタワー"]);
        assert!(texts("").is_empty());
    }

    #[test]
    fn identifiers_are_cut_into_words() {
        let words = |name: &str| {
            identifier_words(name)
                .into_iter()
                .map(|w| w.lower)
                .collect::<Vec<_>>()
        };
        assert_eq!(words("getHTTPStatus"), ["get", "http", "status"]);
        assert_eq!(
            words("find_customer-by.id"),
            ["find", "customer", "by", "id"]
        );
        assert_eq!(words("알람_설정"), ["알람", "설정"]);
        assert_eq!(words("查询天气"), ["查询", "天气"]);
        assert_eq!(readable("partySize"), "party size");
        assert_eq!(readable("customerID"), "customer ID");
    }

    #[test]
    fn likeness_is_graded() {
        let like = |a: &str, b: &str| Word::new(a).likeness(&Word::new(b));
        assert_eq!(like("Weather", "weather"), 1.0);
        assert!(like("orders", "order") > 0.9);
        assert!(like("weather", "날씨") > 0.6);
        assert!(like("Wettervorhersage", "wetter") > 0.5);
        assert!(like("환율조회", "환율을") > 0.7);
        assert_eq!(like("alarm", "invoice"), 0.0);
    }
}
