//! What was said on purpose and found no place: a quoted text, a number. Where only one parameter is open
//! that could take it, it does.

use serde_json::Value;

use super::assign::Board;
use super::chunk::{Chunk, chunks};
use super::leaf::{Candidate, Leaf, Scene, Strength};
use super::name::is_described;
use super::number::{Quantity, Written};
use super::siblings::are_listed;
use super::unit::Dimension;
use crate::demo::cue::Cue;
use crate::demo::lang::Lang;
use crate::demo::measure::dimension;
use crate::demo::reading::overlap;
use crate::demo::role::{Want, says};
use crate::demo::schema::Shape;

impl Board<'_> {
    /// Gives quoted texts and numbers that nothing has taken to the only parameter left for them.
    pub(super) fn place_leftovers(&mut self, scene: &Scene<'_>) {
        let reading = scene.reading;
        for (text, span) in &reading.quoted {
            if self.is_used(span) || span.start >= reading.background {
                continue;
            }
            let open = self.only_open(|leaf| match &leaf.param.shape {
                Shape::Text(shape) => takes_quotes(leaf.want) && shape.allows(text.trim()),
                _ => false,
            });
            if let Some(index) = open {
                self.choose(index, Candidate::new(text.trim(), span.clone(), 0.7));
            }
        }
        let loose = |quantity: &&Quantity| {
            let counts = quantity.noun.is_some() || quantity.unit.is_some();
            (quantity.written == Written::Digits || quantity.written == Written::Words && counts)
                && quantity.span.start < reading.background
                && !reading.is_quoted(&quantity.span)
                && !reading.is_negated(&quantity.span)
                && !reading
                    .moments
                    .iter()
                    .any(|moment| overlap(&moment.span, &quantity.span))
                && !reading
                    .durations
                    .iter()
                    .any(|duration| overlap(&duration.span, &quantity.span))
                && !reading
                    .formed
                    .iter()
                    .any(|formed| overlap(&formed.span, &quantity.span))
        };
        let mut left = reading
            .quantities
            .iter()
            .filter(loose)
            .filter(|quantity| !self.is_used(&quantity.span));
        let (Some(quantity), None) = (left.next(), left.next()) else {
            return;
        };
        let open = self.only_open(|leaf| {
            matches!(leaf.param.shape, Shape::Number(_))
                && !matches!(
                    leaf.want,
                    Want::Page | Want::Timestamp | Want::DatePart(_) | Want::Confidence
                )
        });
        let people = quantity
            .unit
            .is_some_and(|unit| unit.dimension == Dimension::People);
        let leaf_counts = |index: usize| {
            let leaf = self.leaves.get(index);
            leaf.is_some_and(|leaf| {
                matches!(
                    dimension(leaf.param),
                    None | Some(Dimension::People | Dimension::Pieces)
                ) && !leaf.named("max min maximum minimum")
            })
        };
        let found = open.and_then(|index| {
            let pool = self.pool.iter().filter(|(at, candidate)| {
                *at == index
                    && candidate.strength == Strength::Firm
                    && candidate.score >= 0.35
                    && (!people || leaf_counts(index))
                    && candidate.spans.first() == Some(&quantity.span)
            });
            let best = pool.max_by(|a, b| a.1.score.total_cmp(&b.1.score));
            best.map(|(_, candidate)| (index, candidate.clone()))
        });
        if let Some((index, candidate)) = found {
            self.choose(index, candidate);
        }
    }

    /// A name that nothing has taken goes to the only text that is left for it.
    pub(super) fn place_names(&mut self, scene: &Scene<'_>) {
        if scene.reading.lang == Lang::De {
            return;
        }
        let cut = chunks(scene.reading, scene.tool, &self.leaves, &self.taken, true);
        let free = |chunk: &&Chunk| {
            let inside = chunk.span.start < scene.reading.background && chunk.span.start > 0;
            inside
                && !chunk.title
                && !self.is_used(&chunk.span)
                && !self
                    .taken
                    .iter()
                    .any(|taken| are_listed(taken, &chunk.span, scene))
                && !scene.reading.is_negated(&chunk.span)
        };
        let placed = |chunk: &&Chunk| {
            let cued = matches!(
                chunk.cue,
                Cue::With | Cue::In | Cue::By | Cue::From | Cue::On
            );
            cued && !chunk.quoted && !is_described(&chunk.text, scene)
        };
        let mut names = cut.iter().filter(free).filter(|chunk| chunk.name);
        let mut others = cut.iter().filter(free).filter(placed);
        let name = match (names.next(), names.next()) {
            (Some(name), None) => name,
            (None, _) => match (others.next(), others.next()) {
                (Some(other), None) => other,
                _ => return,
            },
            _ => return,
        };
        let text = |shape: &Shape| matches!(shape, Shape::Text(text) if text.allows(&name.text) && text.format.is_none());
        let open = self.only_open(|leaf| match &leaf.param.shape {
            _ if says(leaf.param, &["hh:mm", "yyyy", "iso 8601"]) => false,
            _ if leaf.want == Want::Place && name.cue == Cue::With => false,
            Shape::List(list) => takes_names(leaf.want) && text(&list.item.shape),
            shape => takes_names(leaf.want) && text(shape),
        });
        if let Some(index) = open {
            let leaf = self.leaves.get(index);
            let list = leaf.is_some_and(|leaf| matches!(leaf.param.shape, Shape::List(_)));
            let value = Value::from(name.text.as_str());
            let value = if list {
                Value::Array(vec![value])
            } else {
                value
            };
            self.choose(index, Candidate::new(value, name.span.clone(), 0.7));
        }
    }

    fn is_used(&self, span: &std::ops::Range<usize>) -> bool {
        self.taken.iter().any(|taken| overlap(taken, span))
    }

    /// The only open leaf of a kind.
    fn only_open(&self, takes: impl Fn(&Leaf<'_>) -> bool) -> Option<usize> {
        let mut open = self.leaves.iter().enumerate().filter(|(index, leaf)| {
            self.chosen.get(*index).is_some_and(Option::is_none) && takes(leaf)
        });
        let (index, _) = open.next()?;
        open.next().is_none().then_some(index)
    }
}

fn takes_names(want: Want) -> bool {
    matches!(
        want,
        Want::Person | Want::Author | Want::Place | Want::Thing | Want::Kind | Want::Container
    )
}

fn takes_quotes(want: Want) -> bool {
    matches!(
        want,
        Want::Text | Want::Title | Want::Query | Want::Topic | Want::Thing | Want::Id | Want::Kind
    )
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    #[test]
    fn what_is_left_goes_to_what_is_open() {
        let transfer = json!({"iban": {"type": "string"}, "purpose": {"type": "string"}});
        let got = filled(
            "transfer",
            transfer,
            &["iban"],
            "Send it to DE8937 with the words \"March rent\"",
        );
        assert_eq!(got["purpose"], "March rent");
        let tickets = json!({"show": {"type": "string"}, "people": {"type": "integer"}});
        let got = filled("buy_tickets", tickets, &["show"], "Buy 3 seats for Hamlet");
        assert_eq!(got["people"], 3);
    }
}
