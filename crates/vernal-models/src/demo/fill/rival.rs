//! What a part of the text rather belongs to: another tool, another parameter, a text that it is said in.

use super::assign::Board;
use super::clause::clause_start;
use super::leaf::{Candidate, Leaf, Scene};
use crate::demo::harvest::vague;
use crate::demo::reading::overlap;
use crate::demo::role::Want;
use crate::demo::schema::Shape;
use crate::demo::words::Word;

impl Board<'_> {
    /// `on branch release/2`: the word right before a value names another parameter.
    pub(super) fn is_labelled_other(
        &self,
        index: usize,
        candidate: &Candidate,
        scene: &Scene<'_>,
    ) -> bool {
        let Some(span) = candidate.spans.first().filter(|span| !span.is_empty()) else {
            return false;
        };
        let near = |leaf: &Leaf<'_>| leaf.label(scene.reading, span);
        let own = self.leaves.get(index).map_or(1.0, near);
        let text = |leaf: &Leaf<'_>| matches!(leaf.param.shape, Shape::Text(_));
        let alike = |leaf: &Leaf<'_>| self.leaves.get(index).is_some_and(text) && text(leaf);
        let mut others = self.leaves.iter().enumerate();
        own == 0.0 && others.any(|(at, leaf)| at != index && alike(leaf) && near(leaf) >= 1.0)
    }

    /// Whether a value is made of what the tool takes for which this one looks something up, and is
    /// not the same thing.
    pub(super) fn is_spared(&self, index: usize, candidate: &Candidate, scene: &Scene<'_>) -> bool {
        let Some(leaf) = self.leaves.get(index) else {
            return false;
        };
        let shared = |words: &[Word]| {
            let mut own = leaf.param.words.iter();
            own.any(|own| !vague(own) && words.iter().any(|word| word.likeness(own) >= 0.9))
        };
        let mut spared = scene.reading.spared.iter();
        spared.any(|part| {
            let inside = candidate.spans.iter().any(|span| overlap(span, &part.span));
            inside && !shared(&part.words)
        })
    }

    /// Names in a clause that is a text itself are mostly a part of it.
    pub(super) fn spare_clause(&self, named: &mut [(usize, Candidate)], scene: &Scene<'_>) {
        let Some(start) = clause_start(scene) else {
            return;
        };
        if !self.leaves.iter().any(|leaf| leaf.want == Want::Text) {
            return;
        }
        for (index, candidate) in named {
            let inside = candidate.spans.iter().any(|span| span.start >= start);
            let quoted = candidate
                .spans
                .iter()
                .all(|span| scene.reading.is_quoted(span));
            let required = self.leaves.get(*index).is_some_and(|leaf| leaf.required);
            if inside && !quoted {
                candidate.score -= if required { 0.2 } else { 0.5 };
            }
        }
    }
}
