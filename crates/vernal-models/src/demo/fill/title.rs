//! Titles with small words in them: `Paddington in Peru`, `Klara and the Sun`.

use super::chunk::{Chunk, Cutter};
use super::leaf::listed;
use crate::demo::cue::{Cue, preposition};
use crate::demo::lang::Lang;
use crate::demo::role::Want;

impl Cutter<'_> {
    /// Adds two neighbouring names as one, which only a parameter for a title may take.
    pub(super) fn add_titles(&mut self) {
        if !self.leaves.iter().any(|leaf| leaf.want == Want::Title) {
            return;
        }
        if matches!(self.reading.lang, Lang::De | Lang::Ko | Lang::Ja | Lang::Zh) {
            return;
        }
        let mut names: Vec<Chunk> = self
            .found
            .iter()
            .filter(|chunk| chunk.name && !chunk.inner)
            .cloned()
            .collect();
        names.sort_by_key(|chunk| chunk.span.start);
        let tokens = &self.reading.tokens;
        let named = |at: usize| tokens.get(at).is_some_and(|token| token.capital);
        let placed = (0..tokens.len()).filter(|at| {
            let cue = tokens
                .get(*at)
                .and_then(|token| preposition(self.reading.lang, token.lower()));
            let article = tokens
                .get(at + 1)
                .is_some_and(|token| token.lower() == "the");
            cue == Some(Cue::In) && (named(at + 1) || article && named(at + 2))
        });
        let placed = placed.count();
        let takers = self.leaves.iter().filter(|leaf| {
            matches!(
                leaf.want,
                Want::Place | Want::Container | Want::Thing | Want::Country
            )
        });
        let spare = placed > takers.count();
        for pair in names.windows(2) {
            let [first, second] = pair else { continue };
            let between = self
                .reading
                .text
                .get(first.span.end..second.span.start)
                .unwrap_or_default();
            let small = between
                .split_whitespace()
                .all(|word| listed("and the of a an in for to on with from", word))
                && !between.trim().is_empty()
                && between.split_whitespace().count() <= 2;
            let free = match second.cue {
                Cue::In => spare,
                Cue::From | Cue::To | Cue::With => false,
                _ => true,
            };
            if small && free {
                let span = first.span.start..second.span.end;
                let text = self.reading.slice(&span).to_owned();
                if second.cue == Cue::In {
                    self.found.retain(|chunk| chunk.span != second.span);
                }
                self.found.push(Chunk {
                    text,
                    span,
                    title: true,
                    ..first.clone()
                });
            }
        }
    }
}
