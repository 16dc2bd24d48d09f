//! What is taken off the edges of a group of words, and groups that are added.

use super::chunk::{Chunk, Cutter};
use super::number::{Quantity, Written};
use crate::demo::cue::{Cue, ends_sentence};
use crate::demo::lang::Lang;
use crate::demo::reading::overlap;
use crate::demo::words::Token;

impl Cutter<'_> {
    /// Takes off the rest of a number at the beginning and the small words of a verb at the end:
    /// `lavender` of `dozen lavender aside`.
    pub(super) fn strip(&self, tokens: &mut Vec<&Token>) {
        let inside_number = |token: &Token| {
            let mut numbers = self.reading.quantities.iter();
            numbers.any(|q| q.span.start < token.span.start && token.span.end <= q.span.end)
        };
        let counts = |token: &Token| {
            let written = |q: &Quantity| q.written == Written::Words && q.span == token.span;
            !token.capital && self.reading.quantities.iter().any(written)
        };
        // `층` of `5층 대회의실`
        let designates = |token: &Token| {
            let mut numbers = self.reading.quantities.iter();
            self.reading.lang == Lang::Ko
                && !token.spaced
                && numbers.any(|q| q.is_designator() && q.span.end == token.span.start)
        };
        // `산` of `어제 산 이어폰`
        let told = |token: &Token| {
            self.reading.lang == Lang::Ko
                && matches!(
                    token.lower(),
                    "산" | "본"
                        | "한"
                        | "간"
                        | "온"
                        | "쓴"
                        | "된"
                        | "낸"
                        | "받은"
                        | "주문한"
                        | "구매한"
                )
        };
        while tokens.len() > 1
            && tokens.first().is_some_and(|first| {
                inside_number(first) || counts(first) || designates(first) || told(first)
            })
        {
            tokens.remove(0);
        }
        let small = |token: &Token| {
            matches!(
                token.lower(),
                "aside"
                    | "off"
                    | "away"
                    | "again"
                    | "too"
                    | "either"
                    | "instead"
                    | "already"
                    | "anymore"
                    | "anyway"
                    | "yet"
                    | "still"
                    | "also"
                    | "though"
                    | "up"
                    | "down"
            ) && !token.capital
        };
        while tokens.len() > 1 && tokens.last().is_some_and(|last| small(last)) {
            tokens.pop();
        }
    }

    pub(super) fn ends_sentence_at(&self, token: &Token) -> bool {
        let next = self.reading.after(token.span.end, 0);
        next.is_none_or(|next| ends_sentence(next.lower()) || next.lower() == ",")
    }

    pub(super) fn begun_before(&self, byte: usize) -> bool {
        self.reading
            .before(byte, 0)
            .is_some_and(|token| !ends_sentence(token.lower()))
    }

    /// `my friend Anna`: the name alone may be meant.
    pub(super) fn add_name_inside(&mut self, tokens: &[&Token]) {
        let lower = tokens.iter().take_while(|t| !t.capital).count();
        let leads = lower == 0 && tokens.last().is_some_and(|t| !t.capital && t.is_word());
        if self.cue == Cue::Named {
            return;
        }
        let numbered = tokens.iter().take(lower).all(|t| t.is_number());
        if (lower > 0 && numbered)
            || (lower == 0 && !leads)
            || lower == tokens.len()
            || self.reading.lang == Lang::De
        {
            return;
        }
        let run: Vec<&&Token> = tokens
            .iter()
            .skip(lower)
            .take_while(|t| {
                t.capital || t.is_number() || !t.spaced && (t.is_symbol("-") || t.is_symbol("_"))
            })
            .collect();
        let (Some(first), Some(last), Some(whole)) = (run.first(), run.last(), self.found.last())
        else {
            return;
        };
        let span = first.span.start..last.span.end;
        let text = self.reading.slice(&span).to_owned();
        let inner = Chunk {
            text,
            span,
            name: true,
            specifies: true,
            inner: true,
            ..whole.clone()
        };
        self.found.push(inner);
    }

    pub(super) fn add_quotes(&mut self) {
        for (text, span) in &self.reading.quoted {
            if self.taken.iter().any(|taken| overlap(taken, span)) {
                continue;
            }
            // `titled "x"` is no name of what stands before.
            let cue = self.reading.cue_of(span);
            let near = self
                .leaves
                .iter()
                .map(|leaf| leaf.label(self.reading, span))
                .enumerate();
            let label = near
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
                .filter(|(_, near)| *near > if cue == Some(Cue::Named) { 0.9 } else { 0.5 })
                .map(|(index, _)| index);
            self.group += 1;
            self.found.push(Chunk {
                text: text.trim().to_owned(),
                span: span.clone(),
                cue: self.reading.cue_of(span).unwrap_or(Cue::Object),
                name: false,
                quoted: true,
                label,
                modifies: false,
                specifies: false,
                inner: false,
                title: false,
                group: self.group,
            });
        }
    }
}

/// Nouns that belong to the name of what they are: `living room`, not `users table`.
pub(super) fn is_part_of_names(noun: &str) -> bool {
    const NOUNS: &str = "room door gate street road avenue lane square lake river island park station airport port harbour hall \
        bridge school hospital university tower building zone light lamp alert";
    NOUNS.split_whitespace().any(|known| known == noun)
}
