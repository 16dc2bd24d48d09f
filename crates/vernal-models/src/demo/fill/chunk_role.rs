//! What each word does to the chunk that is being built.

use std::ops::Range;

use super::chunk::{Cutter, Role};
use super::leaf::listed;
use super::pattern::{Form, Formed};
use crate::demo::cue::{Cue, ends_sentence, is_abbreviated, is_conjunction, preposition};
use crate::demo::lang::{Lang, is_stop};
use crate::demo::reading::overlap;
use crate::demo::script::{Particle, japanese_particle, without_particle};
use crate::demo::words::Token;

impl Cutter<'_> {
    pub(super) fn role(&self, at: usize, token: &Token) -> Role {
        let word = token.lower();
        let reading = self.reading;
        if reading.is_quoted(&token.span) || self.is_taken(token) {
            return Role::Break;
        }
        let whole = |formed: &&Formed| overlap(&formed.span, &token.span);
        if reading
            .formed
            .iter()
            .any(|formed| whole(&formed) && formed.form != Form::Code)
        {
            // `Laptop X1` is one name, `order B-9931` two things.
            let starts = reading.formed.iter().any(|formed| {
                let marks = ['-', '#', '@', '/', '.'];
                let apart = formed.text.len() >= 6 || formed.text.contains(marks);
                formed.span.start == token.span.start && apart
            });
            return if starts { Role::Fresh } else { Role::Part };
        }
        // `how big`: what is asked, not a value.
        let before = at
            .checked_sub(1)
            .and_then(|before| reading.tokens.get(before));
        if before.is_some_and(|before| before.lower() == "how") && !token.capital {
            return Role::Break;
        }
        if self.is_asked_verb(at, token) {
            return Role::Break;
        }
        if ends_sentence(word) {
            let before = self.open.last().and_then(|last| reading.tokens.get(*last));
            let shortened = before.is_some_and(|t| is_abbreviated(t.lower()) && t.capital);
            let touches = reading
                .after(token.span.end, 0)
                .is_some_and(|next| !next.spaced && next.is_word());
            return if word == "." && (shortened || touches) {
                Role::Part
            } else {
                Role::Sentence
            };
        }
        if is_conjunction(word) {
            return Role::Conjunction;
        }
        if !token.is_word() && !token.is_number() {
            return match preposition(reading.lang, word) {
                Some(cue) => Role::Preposition(cue),
                None if word == "-" && !token.spaced && !self.open.is_empty() => Role::Part,
                None if word == "'" => Role::Part,
                None => Role::Break,
            };
        }
        if reading.lang == Lang::Ja && japanese_particle(word).is_some() {
            return Role::Part;
        }
        let capital_run = token.capital
            && self
                .open
                .last()
                .and_then(|last| reading.tokens.get(*last))
                .is_some_and(|t| t.capital);
        if let Some(cue) = preposition(reading.lang, word)
            .filter(|_| !token.capital || !self.begun || reading.lang == Lang::De)
        {
            // `Rio de Janeiro`, `Lord of the Rings`: inside of a name.
            if self.joins_name(at) {
                return Role::Part;
            }
            if matches!(cue, Cue::To) && self.is_infinitive(at) {
                return Role::Break;
            }
            return Role::Preposition(cue);
        }
        let last = reading.tokens.iter().rfind(|t| t.is_word());
        let greets = listed("hello hi hey thanks", word) && self.begun;
        let greeted = greets && last.is_some_and(|last| last.span == token.span);
        if is_stop(reading.lang, word)
            && !greeted
            && !(token.capital && self.begun && word.chars().count() > 2)
        {
            if self.joins_name(at) {
                return Role::Part;
            }
            return if is_determiner(word) {
                Role::Small
            } else {
                Role::Break
            };
        }
        if token.is_number() {
            let after_name = self
                .open
                .last()
                .and_then(|last| reading.tokens.get(*last))
                .is_some_and(|t| t.capital);
            let labelled = self.open.is_empty() && self.label.is_some();
            let house = self.open.is_empty()
                && reading
                    .tokens
                    .get(at + 1)
                    .is_some_and(|next| next.capital && next.is_word());
            let inside =
                labelled || house || !self.open.is_empty() && (after_name || !token.spaced);
            return if inside { Role::Part } else { Role::Break };
        }
        if listed(
            "last latest first newest recent next top previous current letzten ersten neuesten últimos primeros 최근 최신",
            word,
        ) && !token.capital
        {
            return Role::Small;
        }
        if let Some(leaf) = self.label_of(at, token) {
            return Role::Label(leaf);
        }
        if capital_run && !self.is_tool_word(token) {
            return Role::Part;
        }
        let opens = !self.begun
            && !token.word.concepts.is_empty()
            && !matches!(self.reading.lang, Lang::Ko | Lang::Ja | Lang::Zh);
        if opens && !self.is_tool_word(token) {
            return Role::Break;
        }
        if self.is_tool_word(token) || self.is_verb(at, token) {
            return if self.is_tool_word(token) {
                Role::ToolWord
            } else {
                Role::Break
            };
        }
        // `bitcoin worth`: what only means something like the tool's word stands alone.
        if self.strict && !token.capital && !token.word.is_action() && self.nearness(token) >= 0.64
        {
            return Role::Alone;
        }
        Role::Part
    }

    /// `does Adele play in London`, `I paid for`: the verb of the sentence.
    pub(super) fn is_asked_verb(&self, at: usize, token: &Token) -> bool {
        let tokens = &self.reading.tokens;
        if self.reading.lang != Lang::En || token.capital || !token.is_word() {
            return false;
        }
        let earlier = tokens.get(..at).unwrap_or_default();
        let before = |back: usize| {
            at.checked_sub(back)
                .and_then(|at| tokens.get(at))
                .map_or("", Token::lower)
        };
        if before(1) == "i" {
            return true;
        }
        // `can you scale`: what is to be done, though no known verb.
        let polite = listed("can could would will", before(2)) && listed("you we i", before(1));
        if polite && self.open.is_empty() {
            return true;
        }
        let helped = earlier
            .iter()
            .rev()
            .take_while(|t| !ends_sentence(t.lower()));
        let asks = helped.into_iter().any(|t| listed("does do did", t.lower()));
        let next = tokens.get(at + 1);
        let closes =
            next.is_none_or(|t| !t.is_word() || preposition(Lang::En, t.lower()).is_some());
        asks && closes && !self.open.is_empty()
    }

    /// Whether a token belongs to another value, to a number that was taken, or to a point in time.
    pub(super) fn is_taken(&self, token: &Token) -> bool {
        let reading = self.reading;
        let taken = |span: &Range<usize>| self.taken.iter().any(|taken| overlap(taken, span));
        taken(&token.span)
            || reading
                .quantities
                .iter()
                .any(|q| overlap(&q.whole, &token.span) && taken(&q.span))
            || reading
                .moments
                .iter()
                .any(|moment| overlap(&moment.span, &token.span))
    }

    /// Whether a small word stands between two capitalised words of one name.
    pub(super) fn joins_name(&self, at: usize) -> bool {
        let tokens = &self.reading.tokens;
        let small = |t: &Token| {
            listed(
                "of the de la del da do di du des von van der den le el al y",
                t.lower(),
            )
        };
        let joins = |at: usize| tokens.get(at).is_some_and(small);
        let open = |at: Option<&usize>| at.and_then(|at| tokens.get(*at));
        let (Some(first), Some(last)) = (open(self.open.first()), open(self.open.last())) else {
            return false;
        };
        let begins_as_name = first.capital && !first.word.is_action() && !self.is_tool_word(first);
        let next = if joins(at + 1) { at + 2 } else { at + 1 };
        begins_as_name
            && (last.capital || small(last))
            && joins(at)
            && tokens.get(next).is_some_and(|t| t.capital)
            && self.reading.lang != Lang::Fr
    }

    pub(super) fn is_infinitive(&self, at: usize) -> bool {
        let next = self.reading.tokens.get(at + 1);
        self.reading.lang == Lang::En
            && next.is_some_and(|t| {
                t.is_word() && !t.capital && t.word.is_action() && !t.word.lower.ends_with("ing")
            })
            && self
                .reading
                .tokens
                .get(at + 2)
                .is_some_and(|t| t.is_word() || t.is_number())
    }

    /// How near the token is to a word of the tool's name.
    pub(super) fn nearness(&self, token: &Token) -> f32 {
        self.tool
            .words
            .iter()
            .map(|word| word.likeness(&token.word))
            .fold(0.0, f32::max)
    }

    pub(super) fn is_tool_word(&self, token: &Token) -> bool {
        let near = self.nearness(token);
        // A capital in the middle of a sentence makes a name of any word but the tool's own.
        let named = token.capital && self.begun && self.reading.lang != Lang::De;
        let after_label = self.open.is_empty() && self.label.is_some();
        let loosely = !named && !self.strict && !after_label && !token.word.is_action();
        near >= 0.9 || (near >= 0.64 && loosely)
    }

    /// Whether the token is the verb of the request rather than a part of a value.
    pub(super) fn is_verb(&self, at: usize, token: &Token) -> bool {
        if matches!(self.reading.lang, Lang::Ko | Lang::Ja | Lang::Zh) {
            let ending = listed(
                "줘 주세요 줄래 할래 해 하자 까 니 요 다 라 줘요",
                token.lower(),
            );
            return ending
                || token.word.is_action() && self.is_last_in_clause(at)
                || is_polite(token.lower());
        }
        let earlier = self.reading.tokens.iter().take(at).rev();
        let mut sentence = earlier.take_while(|token| !ends_sentence(token.lower()));
        let passed = sentence.any(|t| {
            t.is_word()
                && !is_stop(self.reading.lang, t.lower())
                && (t.word.is_action() || self.is_tool_word(t))
        });
        token.word.is_action()
            && !passed
            && self.open.is_empty()
            && self.cue == Cue::Object
            && !self.found.iter().any(|c| c.group == self.group)
    }

    pub(super) fn is_last_in_clause(&self, at: usize) -> bool {
        let rest = self.reading.tokens.iter().skip(at + 1).take(2);
        rest.filter(|t| t.is_word() && t.word.concepts.is_empty())
            .count()
            <= 1
            || self.reading.lang == Lang::Zh
    }

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
        if token.word.lower.chars().count() < 2 || (token.capital && self.begun) {
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
        let found = self.leaves.iter().position(|leaf| {
            leaf.words
                .iter()
                .any(|word| !bare(&word.lower) && word.is(&token.word))
        })?;
        let before = at.checked_sub(1).and_then(|at| self.reading.tokens.get(at));
        if before.is_some_and(|t| t.is_number() || matches!(t.lower(), "%" | "°" | "$" | "€")) {
            return Some(found);
        }
        // A label is next to a value; at the end of the sentence it is a value itself unless one came before.
        let next = self.reading.tokens.get(at + 1);
        let alone = self.open.is_empty() && next.is_none_or(|t| ends_sentence(t.lower()));
        (!alone).then_some(found)
    }

    pub(super) fn particle(&self, token: &Token) -> Option<Particle> {
        match self.reading.lang {
            Lang::Ko => {
                let particle = without_particle(token.lower()).1;
                let ends_elsewhere = || {
                    self.reading.tokens.iter().any(|other| {
                        matches!(
                            without_particle(other.lower()).1,
                            Some(Particle::Until | Particle::To)
                        )
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
}

fn is_determiner(word: &str) -> bool {
    listed(
        "a an the this that these those my your our his her its their some any every each all new der die das den dem \
         des ein eine einen einem einer mein meine meinen meinem meiner el la los las un una unos unas mi mis tu su le \
         les l' une des mon ma mes 그 이 저 내 제 この その あの",
        word,
    )
}

/// Korean and Japanese polite endings of verbs.
fn is_polite(word: &str) -> bool {
    [
        "줘",
        "줘요",
        "주세요",
        "해줘",
        "할래",
        "줄래",
        "할까",
        "하자",
        "해라",
        "합니다",
        "인가요",
        "나요",
        "어때",
        "ますか",
        "ください",
        "下さい",
    ]
    .iter()
    .any(|ending| word.ends_with(ending))
}
