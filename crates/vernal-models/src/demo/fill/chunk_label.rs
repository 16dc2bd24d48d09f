//! Words that name a parameter, and particles that say the part of a noun.

use super::chunk::{Cutter, Role};
use super::leaf::{Leaf, listed};
use crate::demo::cue::{Cue, ends_sentence};
use crate::demo::lang::Lang;
use crate::demo::script::{Particle, japanese_particle, without_particle};
use crate::demo::words::{Token, Word};

impl Cutter<'_> {
    /// Whether what follows a label looks like its value: `version 1.4`, `contact Jane`, `title: x`.
    pub(super) fn announces(&self, at: usize) -> bool {
        let tokens = &self.reading.tokens;
        tokens.get(at + 1).is_some_and(|next| {
            next.is_number()
                || (next.capital && next.is_word())
                || matches!(next.lower(), ":" | "=" | "is" | "#")
                || self.reading.is_quoted(&next.span)
        })
    }

    /// The leaf whose name the token is a word of.
    pub(super) fn label_of(&self, at: usize, token: &Token) -> Option<usize> {
        let acronym = self
            .reading
            .slice(&token.span)
            .chars()
            .all(char::is_uppercase);
        if token.word.lower.chars().count() < 2 || (token.capital && self.begun && !acronym) {
            return None;
        }
        // `Text Ann` is a verb and its object.
        if at == 0 && token.capital && token.word.is_action() {
            let next = self.reading.tokens.get(1);
            if next.is_some_and(|next| next.capital) {
                return None;
            }
        }
        let bare = |word: &str| {
            listed(
                "to from in of for at on by with is has the max min new old name id start end",
                word,
            )
        };
        let names = |words: &[Word]| {
            words.iter().any(|word| {
                !bare(&word.lower)
                    && (word.is(&token.word) || is_with_particle(token.lower(), &word.lower))
            })
        };
        let named = self.leaves.iter().position(|leaf| names(&leaf.words));
        // A Korean message speaks of `뜻` where the parameter is `meaning`, described as `우리말 뜻`.
        let described = || {
            let topic = token.lower().ends_with(['은', '는']) && self.reading.lang == Lang::Ko;
            let short = |leaf: &Leaf<'_>| leaf.param.about.len() <= 5 && names(&leaf.param.about);
            self.leaves.iter().position(short).filter(|_| topic)
        };
        let found = named.or_else(described)?;
        let before = at.checked_sub(1).and_then(|at| self.reading.tokens.get(at));
        if before.is_some_and(|t| t.is_number() || matches!(t.lower(), "%" | "°" | "$" | "€")) {
            return Some(found);
        }
        // A label is next to a value; at the end of the sentence it is a value itself unless one came before.
        let next = self.reading.tokens.get(at + 1);
        let alone = self.open.is_empty() && next.is_none_or(|t| ends_sentence(t.lower()));
        (!alone).then_some(found)
    }

    /// `대체 근무자는 …`: both words are the label.
    pub(super) fn drop_label(&mut self, leaf: usize, token: &Token) {
        let about = self
            .leaves
            .get(leaf)
            .map_or(&[][..], |leaf| &leaf.param.about);
        let tokens = &self.reading.tokens;
        let own = |at: &usize| {
            tokens
                .get(*at)
                .is_some_and(|t| about.iter().any(|word| word.is(&t.word)))
        };
        if self.is_topic(token) && self.open.iter().all(own) {
            self.open.clear();
        }
    }

    /// Whether a Korean word is marked as what is spoken of: `이름은`.
    pub(super) fn is_topic(&self, token: &Token) -> bool {
        self.reading.lang == Lang::Ko
            && token.lower().ends_with(['은', '는'])
            && without_particle(token.lower()).1 == Some(Particle::Subject)
    }

    pub(super) fn particle(&self, token: &Token) -> Option<Particle> {
        match self.reading.lang {
            Lang::Ko => {
                let next = self.reading.after(token.span.end, 0);
                let road = token.lower().ends_with('로') && next.is_some_and(Token::is_number);
                if road {
                    return None;
                }
                let particle = without_particle(token.lower()).1;
                let ends_elsewhere = || {
                    self.reading.tokens.iter().any(|other| {
                        matches!(
                            without_particle(other.lower()).1,
                            Some(Particle::Until | Particle::To)
                        ) || listed("가는 가려고 가려면 갈 가고 도착하는 도착", other.lower())
                            || other.lower().ends_with('행') && other.lower().chars().count() > 2
                    })
                };
                // `서울에서 부산까지`: from there, not there.
                let from = particle == Some(Particle::At)
                    && token.lower().ends_with("에서")
                    && ends_elsewhere();
                if from { Some(Particle::From) } else { particle }
            }
            Lang::Ja => japanese_particle(token.lower()),
            _ => None,
        }
    }

    /// What small Korean words do: `님`, `가는`, `이름으로`, the number of a road.
    pub(super) fn korean_role(&self, token: &Token) -> Option<Role> {
        if self.reading.lang != Lang::Ko {
            return None;
        }
        let word = token.lower();
        let open = self
            .open
            .last()
            .and_then(|last| self.reading.tokens.get(*last));
        let honorific = [
            "님",
            "씨",
            "선생님",
            "고객님",
            "손님",
            "교수님",
            "팀장님",
            "과장님",
            "부장님",
            "대리님",
            "대표님",
            "사장님",
            "기사님",
            "원장님",
        ]
        .iter()
        .any(|title| {
            word.strip_prefix(title).is_some_and(|rest| {
                listed("의 에게 께 한테 이 은 을 과 와 께서 이고 이고요 이에요 입니다 으로 으로요 이요", rest) || rest.is_empty()
            })
        });
        if honorific && open.is_some() {
            return Some(Role::Honorific);
        }
        if listed("이름으로 명의로 이름으로는 앞으로", word) && open.is_some() {
            return Some(Role::Break);
        }
        if listed("가는 가려고 가려면 갈 가고 가줘 가자 도착하는 도착", word) {
            return Some(Role::Going(Cue::To));
        }
        if listed("출발하는 출발해서 출발하고 출발", word) {
            return Some(Role::Going(Cue::From));
        }
        let road = open.is_some_and(|last| {
            ["로", "길", "동", "가"]
                .iter()
                .any(|end| last.lower().ends_with(end))
                && last.lower().chars().count() > 2
        });
        // `강남역 근처에`
        let near = ["근처", "주변", "부근", "인근"];
        if open.is_some() && near.iter().any(|head| word.starts_with(head)) {
            return Some(Role::Break);
        }
        // `받는 분은`: who is meant, not a name.
        let meant = ["분", "사람"].iter().any(|head| word.starts_with(head))
            && self
                .reading
                .before(token.span.start, 0)
                .is_some_and(|before| before.lower().ends_with(['는', '실', '을', '은']));
        if meant {
            return Some(Role::Break);
        }
        // `12야`: the copula after a number.
        let ending = word.strip_prefix(['호', '동', '층', '번']).unwrap_or(word);
        let copula = listed(
            "야 이야 예요 이에요 입니다 임 이고 이고요 인데 인데요 고요",
            ending,
        ) && !token.spaced;
        match () {
            () if token.is_number() && road => Some(Role::Part),
            () if copula => Some(Role::Break),
            () => None,
        }
    }
}

/// `뜻은` for `뜻`.
pub(super) fn is_with_particle(word: &str, noun: &str) -> bool {
    !noun.is_ascii()
        && word.strip_prefix(noun).is_some_and(|rest| {
            listed(
                "은 는 이 가 을 를 도 님 님은 님이 님을 님께 님한테 님으로 님으로요",
                rest,
            )
        })
}
