//! What each word does to the chunk that is being built.

use std::ops::Range;

use super::chunk::{Cutter, Role};
use super::leaf::listed;
use super::number::{Quantity, Written};
use super::pattern::{Form, Formed};
use crate::demo::cue::{Cue, ends_sentence, is_abbreviated, is_conjunction, preposition};
use crate::demo::lang::{Lang, is_stop};
use crate::demo::reading::overlap;
use crate::demo::script::japanese_particle;
use crate::demo::words::Token;

impl Cutter<'_> {
    pub(super) fn role(&self, at: usize, token: &Token) -> Role {
        let word = token.lower();
        let reading = self.reading;
        if reading.is_quoted(&token.span) || self.is_taken(token) {
            return Role::Break;
        }
        if self.is_compound(at) {
            return Role::Part;
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
        // `Roll the service back`: a verb that is not known.
        let unknown = token.word.concepts.is_empty();
        let object = reading.tokens.get(at + 1).is_some_and(|next| {
            let coded = self.is_compound(at + 1) || reading.is_quoted(&next.span);
            is_determiner(next.lower())
                || listed("it them him her us me", next.lower())
                || unknown && coded
                || listed("up off out down on in", next.lower())
                    && reading
                        .tokens
                        .get(at + 2)
                        .is_some_and(|t| is_determiner(t.lower()))
        });
        let plain = !is_stop(Lang::En, word) && preposition(Lang::En, word).is_none();
        if !self.begun && object && reading.lang == Lang::En && token.is_word() && plain {
            return Role::Break;
        }
        // `au nom de Lefèvre`
        let held = matches!(reading.lang, Lang::Es | Lang::Fr) && word == "de";
        // `Der Name ist Brandt`
        if (held || listed("is ist lautet es est", word))
            && before
                .is_some_and(|before| listed("name nachname nombre nom apellido", before.lower()))
        {
            return Role::Preposition(Cue::Named);
        }
        // `larger than`
        let at_most =
            matches!(word, "most" | "least") && before.is_some_and(|before| before.lower() == "at");
        let compares = at_most
            || matches!(word, "than" | "less" | "fewer" | "more")
            || reading
                .tokens
                .get(at + 1)
                .is_some_and(|next| next.lower() == "than");
        if compares || self.is_asked_verb(at, token) {
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
        // `Baker & Sons`
        let capital = |at: Option<usize>| {
            at.and_then(|at| reading.tokens.get(at))
                .is_some_and(|token| token.capital)
        };
        if word == "&" && capital(at.checked_sub(1)) && capital(Some(at + 1)) {
            return Role::Part;
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
        // `api.example.com pointing at`: what is named is over.
        let formed_before = before.is_some_and(|last| {
            last.capital && last.span.start > 0
                || reading
                    .formed
                    .iter()
                    .any(|formed| overlap(&formed.span, &last.span))
        });
        let followed = reading
            .tokens
            .get(at + 1)
            .is_some_and(|next| preposition(reading.lang, next.lower()).is_some());
        if formed_before && followed && !token.capital && word.ends_with("ing") {
            return Role::Break;
        }
        if let Some(role) = self.korean_role(token) {
            return role;
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
            && !(token.capital && self.begun && word.chars().count() > 2 && !word.starts_with("i'"))
            && !(token.capital
                && self.label.is_some()
                && self.open.is_empty()
                && !word.starts_with('i'))
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
            // `dock 3`, `room 12`
            let designated = self.open.last().and_then(|last| reading.tokens.get(*last)).is_some_and(|noun| {
                listed(
                    "dock gate room platform aisle bay line terminal zone floor level lane section building block warehouse table \
                     seat desk pier track bin shelf rack station door court pitch hall unit apartment suite building stage",
                    noun.lower(),
                )
            });
            let inside = labelled
                || designated
                || house
                || !self.open.is_empty() && (after_name || !token.spaced);
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
            && token.word.is_action()
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

    /// Whether the token is a part of words joined by hyphens, such as `web-portal`.
    fn is_compound(&self, at: usize) -> bool {
        let tokens = &self.reading.tokens;
        let hyphen = |at: usize| {
            let touches = |at: usize| tokens.get(at).is_some_and(|token| !token.spaced);
            let word = |at: usize| {
                tokens.get(at).is_some_and(|token| {
                    let counted = |q: &Quantity| {
                        overlap(&q.whole, &token.span)
                            && (q.unit.is_some() || q.written == Written::Words)
                    };
                    (token.is_word() || token.is_number())
                        && !self.reading.quantities.iter().any(counted)
                })
            };
            let sign = tokens
                .get(at)
                .is_some_and(|token| token.is_symbol("-") || token.is_symbol("_"));
            sign && touches(at)
                && touches(at + 1)
                && word(at + 1)
                && at.checked_sub(1).is_some_and(word)
        };
        hyphen(at) || hyphen(at + 1) || at.checked_sub(1).is_some_and(hyphen)
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
}

pub(super) fn is_determiner(word: &str) -> bool {
    listed(
        "a an the this that these those my your our his her its their some any every each all new der die das den dem \
         des ein eine einen einem einer mein meine meinen meinem meiner el la los las un una unos unas mi mis tu su le \
         les l' une des mon ma mes 그 이 저 내 제 この その あの",
        word,
    )
}
