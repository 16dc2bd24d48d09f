//! Which words are verbs or belong to the tool, and are no values.

use super::chunk::Cutter;
use super::chunk_role::is_determiner;
use super::leaf::listed;
use crate::demo::cue::{Cue, ends_sentence, preposition};
use crate::demo::lang::{Lang, is_stop};
use crate::demo::words::Token;

impl Cutter<'_> {
    /// `does Adele play in London`, `I paid for`: the verb of the sentence.
    pub(super) fn is_asked_verb(&self, at: usize, token: &Token) -> bool {
        let tokens = &self.reading.tokens;
        if self.reading.lang != Lang::En || token.capital || !token.is_word() {
            return false;
        }
        const PAST: &str = "forgot lost left broke took sent went came saw got said told found gave paid bought sold wants needs \
            gets goes becomes drops falls rises reaches exceeds stops starts works \
            published released made built written called starting arrived failed";
        if !self.open.is_empty() && listed(PAST, token.lower()) {
            return true;
        }
        // `All I have left is rice`
        let next = tokens.get(at + 1).map_or("", Token::lower);
        if token.lower() == "left" && listed("is are was were , . ? in at over", next) {
            return true;
        }
        // `Which shop sells tea`, `my tenant reports a leak`
        let neighbour = |at: Option<usize>| {
            at.and_then(|at| tokens.get(at))
                .filter(|token| token.is_word() || token.is_number())
        };
        let noun = |token: &Token| {
            !is_determiner(token.lower())
                && preposition(Lang::En, token.lower()).is_none()
                && !listed("and or", token.lower())
        };
        let subject = neighbour(at.checked_sub(1))
            .is_some_and(|before| noun(before) && !is_stop(Lang::En, before.lower()));
        let object =
            neighbour(Some(at + 1)).is_some_and(|next| is_determiner(next.lower()) || noun(next));
        let third = token.lower().ends_with('s')
            && !token.lower().ends_with("ss")
            && token.word.is_action();
        if third && subject && object {
            return true;
        }
        let earlier = tokens.get(..at).unwrap_or_default();
        let before = |back: usize| {
            at.checked_sub(back)
                .and_then(|at| tokens.get(at))
                .map_or("", Token::lower)
        };
        if listed("i rather", before(1)) {
            return true;
        }
        // `can you scale`: what is to be done, though no known verb.
        const MODAL: &str = "can could would will";
        let polite = listed(MODAL, before(2)) && listed("you we i", before(1))
            || listed("i we", before(2)) && listed(MODAL, before(1));
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
        let named = self
            .tool
            .words
            .iter()
            .map(|word| word.likeness(&token.word));
        let near = named.fold(0.0, f32::max);
        // A Korean message speaks of a tool with an English name in the words of its description.
        let korean = self.reading.lang == Lang::Ko && self.tool.name.is_ascii();
        let described = korean
            && self
                .tool
                .about
                .iter()
                .any(|word| word.is(&token.word) && !word.is_action());
        if described { near.max(0.9) } else { near }
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
                "주고 줘 주세요 줄래 할래 해 하자 까 니 요 다 라 줘요",
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
        let counted = at
            .checked_sub(1)
            .and_then(|at| self.reading.tokens.get(at))
            .is_some_and(Token::is_number);
        // `the payments service`
        let noun = self.reading.lang == Lang::En
            && at
                .checked_sub(1)
                .and_then(|at| self.reading.tokens.get(at))
                .is_some_and(|t| is_determiner(t.lower()));
        // `Ask Ann for 20 euros`, where the description begins so.
        let described = self.reading.lang == Lang::En
            && !passed
            && self
                .tool
                .about
                .first()
                .is_some_and(|verb| verb.lower == token.lower())
            && opens_sentence(&self.reading.tokens, at);
        (token.word.is_action() || described)
            && !noun
            && !counted
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
}

/// Whether no other word of the sentence stands before, but for small ones.
fn opens_sentence(tokens: &[Token], at: usize) -> bool {
    let earlier = tokens.iter().take(at).rev();
    let mut sentence = earlier.take_while(|token| !ends_sentence(token.lower()));
    sentence.all(|token| listed("please and then also can could you", token.lower()))
}

/// Korean and Japanese polite endings of verbs.
pub(super) fn is_polite(word: &str) -> bool {
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
