//! What a filling says beside its values: how much of the text it used, and what is listed with a value.

use std::ops::Range;

use serde_json::Value;

use super::assign::Board;
use super::leaf::{Candidate, Leaf, Scene, Strength};
use crate::demo::lang::Lang;
use crate::demo::reading::overlap;
use crate::demo::role::Want;
use crate::demo::schema::Shape;

impl<'a> Board<'a> {
    pub(super) fn key_of(&self, index: usize) -> Option<(String, Range<usize>)> {
        let free = |candidate: &&Candidate| {
            candidate.score >= 0.2
                && candidate.value.is_string()
                && !candidate
                    .spans
                    .iter()
                    .any(|span| self.taken.iter().any(|taken| overlap(taken, span)))
        };
        let pool = self
            .pool
            .iter()
            .filter(|(at, _)| *at == index)
            .map(|(_, candidate)| candidate);
        // Things are looked up by their names.
        let named = |candidate: &Candidate| {
            let capital = candidate.spans.first().is_some_and(|span| span.start > 0)
                && candidate
                    .value
                    .as_str()
                    .is_some_and(|text| text.starts_with(char::is_uppercase));
            candidate.score + if capital { 0.45 } else { 0.0 }
        };
        let best = pool
            .filter(free)
            .max_by(|a, b| named(a).total_cmp(&named(b)))?;
        Some((best.value.as_str()?.to_owned(), best.spans.first()?.clone()))
    }

    /// An object of which something was said has what else it requires: `BP 128 over 82`.
    pub(super) fn complete_objects(&mut self) {
        for index in 0..self.leaves.len() {
            let open = self.chosen.get(index).is_some_and(Option::is_none);
            let Some(leaf) = self.leaves.get(index).filter(|leaf| open && leaf.completes) else {
                continue;
            };
            let object = leaf.path.split_last().map(|(_, outer)| outer);
            let said = |other: &Leaf<'_>, chosen: &Option<Candidate>| {
                let beside = other.path.split_last().map(|(_, outer)| outer) == object;
                let chosen = chosen
                    .iter()
                    .filter(|c| beside && c.strength == Strength::Firm);
                chosen
                    .flat_map(|c| c.spans.clone())
                    .find(|span| !span.is_empty())
            };
            let pairs = self.leaves.iter().zip(&self.chosen);
            let Some(near) = pairs
                .filter_map(|(other, chosen)| said(other, chosen))
                .next()
            else {
                continue;
            };
            let free = |candidate: &Candidate| {
                candidate.spans.iter().all(|span| {
                    !span.is_empty() && !self.taken.iter().any(|taken| overlap(taken, span))
                })
            };
            let own = self.pool.iter().filter(|(at, candidate)| {
                let good = candidate.strength == Strength::Firm && candidate.score >= 0.4;
                *at == index && good && free(candidate)
            });
            let away = |candidate: &Candidate| {
                candidate
                    .spans
                    .first()
                    .map_or(usize::MAX, |span| span.start.abs_diff(near.start))
            };
            let best = own.min_by_key(|(_, candidate)| away(candidate));
            if let Some((_, candidate)) = best.cloned() {
                self.choose(index, candidate);
            }
        }
    }

    /// How much of what has a form of its own found its place, and how much did not.
    pub(super) fn evidence(&self, scene: &Scene<'_>) -> f32 {
        let reading = scene.reading;
        let used = |span: &Range<usize>| self.taken.iter().any(|taken| overlap(taken, span));
        let formed = reading.formed.iter().map(|formed| &formed.span);
        let moments = reading.moments.iter().map(|moment| &moment.span);
        let quotes = reading.quoted.iter().map(|(_, span)| span);
        let spans: Vec<&Range<usize>> = formed
            .chain(quotes)
            .filter(|span| span.start < reading.background)
            .collect();
        let moments: f32 = moments
            .filter(|span| span.start < reading.background)
            .map(|span| match (self.holder_of(span), used(span)) {
                (Some(true), _) => 0.3,
                (Some(false), _) => 0.08,
                (None, true) => 0.1,
                (None, false) => -0.2,
            })
            .sum();
        let typed: f32 = spans
            .iter()
            .map(|span| match (self.holder_of(span), used(span)) {
                (Some(true), _) => 0.25,
                (Some(false), _) => 0.08,
                (None, true) => 0.1,
                (None, false) => -0.12,
            })
            .sum();
        let numbers = reading.quantities.iter().filter(|q| {
            q.written != super::number::Written::Article && q.span.start < reading.background
        });
        let counted: f32 = numbers
            .map(|q| if used(&q.span) { 0.1 } else { -0.06 })
            .sum();
        let firm = self.chosen.iter().flatten().filter(|candidate| {
            candidate.strength == Strength::Firm
                && candidate.spans.iter().any(|span| !span.is_empty())
        });
        let fitting: f32 = firm.map(|candidate| 0.15 * candidate.score.min(1.0)).sum();
        typed + moments + counted + fitting
    }

    /// Whether what holds a part of the text is made for it, rather than a text that just contains it.
    pub(super) fn holder_of(&self, span: &Range<usize>) -> Option<bool> {
        let mut held = self.leaves.iter().zip(&self.chosen).filter(|(_, chosen)| {
            chosen
                .as_ref()
                .is_some_and(|c| c.spans.iter().any(|own| overlap(own, span)))
        });
        let loose = |want: Want| {
            matches!(
                want,
                Want::Text | Want::Query | Want::Title | Want::Topic | Want::Thing | Want::Kind
            )
        };
        held.next().map(|(leaf, chosen)| {
            let whole = chosen
                .as_ref()
                .is_some_and(|c| c.spans.iter().any(|own| own == span));
            !loose(leaf.want) || whole
        })
    }

    /// Values that are listed together with the chosen one: `Paris and Oslo`.
    pub(super) fn siblings(&mut self, scene: &Scene<'_>) -> Vec<(usize, Value)> {
        let numeric = self
            .leaves
            .iter()
            .filter(|leaf| matches!(leaf.param.shape, Shape::Number(_)))
            .count();
        for (index, leaf) in self.leaves.iter().enumerate() {
            let Some(chosen) = self.chosen.get(index).and_then(Option::as_ref) else {
                continue;
            };
            let single = match &leaf.param.shape {
                Shape::Text(_) => !matches!(
                    leaf.want,
                    Want::Text | Want::Expression | Want::Code | Want::Thought | Want::Unit
                ),
                Shape::Number(_) => {
                    numeric == 1 && !matches!(leaf.want, Want::Duration | Want::Limit | Want::Page)
                }
                Shape::Choice(_) => true,
                _ => false,
            };
            if !single || chosen.strength == Strength::Convention {
                continue;
            }
            let more = self.listed_with(index, chosen, leaf, scene);
            if !more.is_empty() {
                self.taken
                    .extend(more.iter().flat_map(|other| other.spans.clone()));
                return more.into_iter().map(|other| (index, other.value)).collect();
            }
        }
        Vec::new()
    }

    pub(super) fn listed_with(
        &self,
        index: usize,
        chosen: &Candidate,
        leaf: &Leaf<'a>,
        scene: &Scene<'_>,
    ) -> Vec<Candidate> {
        let mut more: Vec<Candidate> = Vec::new();
        let mut spans = chosen.spans.clone();
        let pool: Vec<&Candidate> = self
            .pool
            .iter()
            .filter(|(at, _)| *at == index)
            .map(|(_, candidate)| candidate)
            .collect();
        loop {
            let next = pool.iter().find(|candidate| {
                let free = !candidate.spans.iter().any(|span| {
                    span.is_empty()
                        || spans.iter().any(|s| overlap(s, span))
                        || self.taken.iter().any(|taken| overlap(taken, span))
                });
                let like = candidate.score >= (chosen.score - 0.45).max(0.25)
                    && candidate.strength != Strength::Key;
                let titled = matches!(leaf.want, Want::Title | Want::Query | Want::Topic)
                    && !candidate
                        .spans
                        .iter()
                        .all(|span| scene.reading.is_quoted(span));
                let joined = spans.iter().any(|span| {
                    candidate
                        .spans
                        .iter()
                        .any(|other| are_listed(span, other, scene))
                });
                let capital = |value: &Value| {
                    value
                        .as_str()
                        .is_some_and(|text| text.starts_with(char::is_uppercase))
                };
                let alike = scene.reading.lang == Lang::De
                    || capital(&candidate.value) == capital(&chosen.value);
                free && like
                    && alike
                    && joined
                    && !titled
                    && candidate.value != chosen.value
                    && more.iter().all(|other| other.value != candidate.value)
            });
            let Some(next) = next.filter(|_| more.len() < 8) else {
                return more;
            };
            more.push((*next).clone());
            spans.extend(next.spans.iter().cloned());
        }
    }
}

/// Whether only a conjunction and small words stand between two parts of the text.
pub(super) fn are_listed(a: &Range<usize>, b: &Range<usize>, scene: &Scene<'_>) -> bool {
    use crate::demo::cue::{is_conjunction, preposition};
    let between = if a.end <= b.start {
        a.end..b.start
    } else {
        b.end..a.start
    };
    let reading = scene.reading;
    const FAR: usize = 60;
    if between.start > between.end || between.end > reading.background || between.len() > FAR {
        return false;
    }
    let tokens = crate::demo::words::tokens(reading.slice(&between));
    let small = |token: &crate::demo::words::Token| {
        is_conjunction(token.lower())
            || preposition(reading.lang, token.lower()).is_some()
            || crate::demo::lang::is_stop(reading.lang, token.lower())
            || scene
                .tool
                .words
                .iter()
                .any(|word| word.likeness(&token.word) >= 0.9)
    };
    tokens.len() <= 4
        && tokens.iter().any(|token| is_conjunction(token.lower()))
        && tokens.iter().all(small)
}
