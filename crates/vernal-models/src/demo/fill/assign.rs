//! Which value goes to which parameter: the best pairs first, no part of the text twice.

use super::amount::amounts;
use super::boolean::booleans;
use super::choice::choices;
use super::chunk::{Chunk, chunks};
use super::clause::clause_start;
use super::filling::{Filling, Missing};
use super::leaf::{Candidate, Leaf, Scene, Strength, leaves};
use super::list::{typed_lists, word_lists};
use super::name::names;
use super::text::texts;
use super::time;
use super::time_number;
use super::typed::{conventions, typed};
use crate::demo::cue::Cue;
use crate::demo::reading::overlap;
use crate::demo::role::Want;
use crate::demo::schema::Shape;
use crate::demo::tool::Tool;
use std::ops::Range;

/// How much worse a value is that another tool takes.
const SPARED: f32 = 0.5;

/// Fills a tool's parameters. `resort` also takes what is only good enough where nothing else can be had.
pub(crate) fn fill<'a>(tool: &'a Tool, scene: &Scene<'_>, resort: bool) -> Filling<'a> {
    fill_leaves(leaves(tool), scene, resort)
}

/// Fills the given leaves.
pub(crate) fn fill_leaves<'a>(
    leaves: Vec<Leaf<'a>>,
    scene: &Scene<'_>,
    resort: bool,
) -> Filling<'a> {
    let mut board = Board {
        chosen: vec![None; leaves.len()],
        leaves,
        taken: Vec::new(),
        pool: Vec::new(),
    };
    board.run(scene, resort)
}

pub(super) struct Board<'a> {
    pub(super) leaves: Vec<Leaf<'a>>,
    pub(super) chosen: Vec<Option<Candidate>>,
    pub(super) taken: Vec<Range<usize>>,
    /// Everything that was considered.
    pub(super) pool: Vec<(usize, Candidate)>,
}

impl<'a> Board<'a> {
    pub(super) fn run(&mut self, scene: &Scene<'_>, resort: bool) -> Filling<'a> {
        let mut typed = self.each(|leaf| typed_candidates(leaf, &leaf.param.shape, scene));
        let clause = clause_start(scene).filter(|_| self.leaves.iter().any(is_written));
        for (index, candidate) in &mut typed {
            let plain = self
                .leaves
                .get(*index)
                .is_some_and(|leaf| matches!(leaf.want, Want::Id | Want::Amount));
            let inside = candidate
                .spans
                .iter()
                .any(|span| clause.is_some_and(|start| span.start >= start));
            candidate.score -= if plain && inside { 0.25 } else { 0.0 };
            candidate.score -= if self.is_labelled_other(*index, candidate, scene) {
                0.8
            } else {
                0.0
            };
        }
        self.greedy(typed, 0.25, 0.7, scene);
        self.complete_objects();
        self.by_words(scene, false);
        let open =
            |(leaf, chosen): (&Leaf<'_>, &Option<Candidate>)| leaf.required && chosen.is_none();
        if self.leaves.iter().zip(&self.chosen).any(open) {
            self.by_words(scene, true);
        }
        self.ends(scene);
        self.place_leftovers(scene);
        self.place_names(scene);
        self.place_tail(scene);
        self.leftovers(scene, resort);
        self.finish(scene)
    }

    /// Names first, then free text, which takes what is left.
    pub(super) fn by_words(&mut self, scene: &Scene<'_>, strict: bool) {
        let late =
            |want: Want| matches!(want, Want::Text | Want::Query | Want::Title | Want::Topic);
        let cut = chunks(scene.reading, scene.tool, &self.leaves, &self.taken, strict);
        let mut named = self.words(&cut, scene, |leaf| !late(leaf.want));
        // `a playlist called Rain`: nothing else is named so.
        let titles = self.words(&cut, scene, |leaf| leaf.want == Want::Title);
        named.extend(titles.into_iter().filter(|(_, title)| {
            let mut spans = title.spans.iter();
            spans.any(|span| scene.reading.cue_of(span) == Some(Cue::Named))
        }));
        self.spare_clause(&mut named, scene);
        self.greedy(named, 0.3, 0.85, scene);
        let cut = chunks(scene.reading, scene.tool, &self.leaves, &self.taken, strict);
        let mut free = self.words(&cut, scene, |leaf| late(leaf.want));
        for (index, leaf) in self.leaves.iter().enumerate() {
            if let Shape::Text(shape) = &leaf.param.shape {
                let found = texts(leaf, &cut, &self.taken, scene).into_iter();
                free.extend(
                    found
                        .filter(|c| c.value.as_str().is_some_and(|t| shape.allows(t)))
                        .map(|c| (index, c)),
                );
            }
        }
        self.greedy(free.clone(), 0.3, f32::INFINITY, scene);
        self.greedy(free, 0.3, 0.8, scene);
    }

    pub(super) fn each(
        &self,
        find: impl Fn(&Leaf<'a>) -> Vec<Candidate>,
    ) -> Vec<(usize, Candidate)> {
        let open = self
            .leaves
            .iter()
            .enumerate()
            .filter(|(index, _)| self.chosen.get(*index).is_some_and(Option::is_none));
        open.flat_map(|(index, leaf)| find(leaf).into_iter().map(move |found| (index, found)))
            .collect()
    }

    pub(super) fn words(
        &self,
        cut: &[Chunk],
        scene: &Scene<'_>,
        wanted: impl Fn(&Leaf<'a>) -> bool,
    ) -> Vec<(usize, Candidate)> {
        let mut found = Vec::new();
        for (index, leaf) in self
            .leaves
            .iter()
            .enumerate()
            .filter(|(_, leaf)| wanted(leaf))
        {
            if self.chosen.get(index).is_some_and(Option::is_some) {
                continue;
            }
            found.extend(
                self.words_for(leaf, index, &leaf.param.shape, cut, scene)
                    .into_iter()
                    .map(|c| (index, c)),
            );
        }
        found
    }

    pub(super) fn words_for(
        &self,
        leaf: &Leaf<'a>,
        index: usize,
        shape: &Shape,
        cut: &[Chunk],
        scene: &Scene<'_>,
    ) -> Vec<Candidate> {
        match shape {
            Shape::Text(text) => names(leaf, index, text, cut, scene),
            Shape::Anything => names(leaf, index, &Default::default(), cut, scene),
            // A name in place of a number: another tool may know the number.
            Shape::Number(_) if leaf.want == Want::Id => {
                let found = names(leaf, index, &Default::default(), cut, scene).into_iter();
                found
                    .map(|candidate| candidate.with_strength(Strength::Key))
                    .collect()
            }
            Shape::List(list) => word_lists(leaf, index, list, cut, &self.taken, scene),
            Shape::Either(shapes) => shapes
                .iter()
                .flat_map(|shape| self.words_for(leaf, index, shape, cut, scene))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Gives out the best pairs first. A candidate below the bar of its leaf is only remembered.
    pub(super) fn greedy(
        &mut self,
        mut candidates: Vec<(usize, Candidate)>,
        required: f32,
        optional: f32,
        scene: &Scene<'_>,
    ) {
        for (index, candidate) in &mut candidates {
            if self.is_spared(*index, candidate, scene) {
                candidate.score -= SPARED;
            }
        }
        self.pool.extend(candidates.iter().cloned());
        candidates.retain(|(index, candidate)| {
            let is_required = self.leaves.get(*index).is_some_and(|leaf| leaf.required);
            let bar = if is_required { required } else { optional };
            candidate.strength == Strength::Firm && candidate.score >= bar
        });
        let rank = |(index, candidate): &(usize, Candidate)| {
            let is_required = self.leaves.get(*index).is_some_and(|leaf| leaf.required);
            candidate.score + if is_required { 0.05 } else { 0.0 }
        };
        let start = |candidate: &Candidate| candidate.spans.first().map_or(0, |span| span.start);
        candidates.sort_by(|a, b| {
            rank(b)
                .total_cmp(&rank(a))
                .then(a.0.cmp(&b.0))
                .then(start(&a.1).cmp(&start(&b.1)))
        });
        for (index, candidate) in candidates {
            // `the lift in 12 is stuck`: a text may contain what is also a value.
            let written = self
                .leaves
                .get(index)
                .is_some_and(|leaf| leaf.want == Want::Text)
                && candidate.score >= 0.85;
            let clash = |span: &Range<usize>, taken: &Range<usize>| {
                let inside = span.start < taken.start && taken.end < span.end;
                overlap(taken, span) && !(written && inside)
            };
            let free = !candidate
                .spans
                .iter()
                .any(|span| self.taken.iter().any(|taken| clash(span, taken)));
            if free && self.chosen.get(index).is_some_and(Option::is_none) {
                self.choose(index, candidate);
            }
        }
    }

    pub(super) fn choose(&mut self, index: usize, candidate: Candidate) {
        self.taken.extend(
            candidate
                .spans
                .iter()
                .filter(|span| !span.is_empty())
                .cloned(),
        );
        if let Some(place) = self.chosen.get_mut(index) {
            *place = Some(candidate);
        }
    }

    /// Required leaves that are still open take what is left, what goes without saying, or a default.
    pub(super) fn leftovers(&mut self, scene: &Scene<'_>, resort: bool) {
        for index in 0..self.leaves.len() {
            let Some(leaf) = self.leaves.get(index).filter(|leaf| leaf.required) else {
                continue;
            };
            if self.chosen.get(index).is_some_and(Option::is_some) {
                continue;
            }
            let lowest = if resort {
                Strength::LastResort
            } else {
                Strength::Convention
            };
            let usable = |candidate: &&Candidate| {
                let free = !candidate
                    .spans
                    .iter()
                    .any(|span| self.taken.iter().any(|taken| overlap(taken, span)));
                let shared = matches!(
                    leaf.want,
                    Want::Text | Want::Title | Want::Query | Want::Topic
                );
                let firm_enough = candidate.strength != Strength::Firm || candidate.score >= 0.3;
                candidate.strength >= lowest
                    && firm_enough
                    && (free || (shared && resort))
                    && candidate.score >= 0.1
            };
            let pool = self
                .pool
                .iter()
                .filter(|(at, _)| *at == index)
                .map(|(_, candidate)| candidate);
            let best = pool
                .filter(usable)
                .max_by(|a, b| a.score.total_cmp(&b.score))
                .cloned();
            let default = || {
                leaf.param.default.clone().map(|value| {
                    Candidate::new(value, 0..0, 0.2).with_strength(Strength::Convention)
                })
            };
            let best = best
                .filter(|best| best.strength != Strength::Convention)
                .or_else(default)
                .or_else(|| {
                    let listed = self
                        .pool
                        .iter()
                        .find(|(at, c)| *at == index && c.strength == Strength::Convention);
                    listed
                        .map(|(_, candidate)| candidate.clone())
                        .or_else(|| conventions(leaf, scene.reading))
                });
            if let Some(candidate) = best {
                self.choose(index, candidate);
            }
        }
    }

    pub(super) fn finish(&mut self, scene: &Scene<'_>) -> Filling<'a> {
        let more = self.siblings(scene);
        let mut filling = Filling {
            wait: self
                .chosen
                .iter()
                .flatten()
                .filter_map(|candidate| candidate.wait)
                .max(),
            evidence: self.evidence(scene),
            more,
            ..Filling::default()
        };
        for (index, leaf) in self.leaves.iter().enumerate() {
            if leaf.required && self.chosen.get(index).is_some_and(Option::is_none) {
                filling.missing.push(Missing {
                    leaf: index,
                    key: self.key_of(index),
                });
            }
        }
        filling.leaves = std::mem::take(&mut self.leaves);
        filling.chosen = std::mem::take(&mut self.chosen);
        filling
    }
}

fn is_written(leaf: &Leaf<'_>) -> bool {
    matches!(leaf.want, Want::Text | Want::Title)
}

/// The values with a form of their own that the leaf might take, by the shape that it has.
pub(crate) fn typed_candidates(
    leaf: &Leaf<'_>,
    shape: &Shape,
    scene: &Scene<'_>,
) -> Vec<Candidate> {
    match shape {
        Shape::Number(number) => match leaf.want {
            Want::Timestamp => time_number::numbers(leaf, number, scene),
            Want::DatePart(_) => {
                let mut found = time_number::numbers(leaf, number, scene);
                found.extend(amounts(leaf, number, scene));
                found
            }
            _ => amounts(leaf, number, scene),
        },
        Shape::Boolean => booleans(leaf, scene),
        Shape::Choice(values) => choices(leaf, values, scene),
        Shape::List(list) => typed_lists(leaf, list, scene),
        Shape::Either(shapes) => shapes
            .iter()
            .flat_map(|shape| typed_candidates(leaf, shape, scene))
            .collect(),
        Shape::Text(shape) => {
            let found = match leaf.want {
                Want::Date | Want::Time | Want::When | Want::DateTime => time::moments(leaf, scene),
                Want::Duration => time::lengths(leaf, scene),
                _ => typed(leaf, scene),
            };
            found
                .into_iter()
                .filter(|c| c.value.as_str().is_none_or(|text| shape.allows(text)))
                .collect()
        }
        Shape::Anything => typed(leaf, scene),
        Shape::Object(_) => Vec::new(),
    }
}
