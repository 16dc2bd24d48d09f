//! What was said on purpose, and which tools have a place for it: a tool that leaves out what another
//! takes is hardly the one that is meant.

use std::ops::Range;

use serde_json::Value;

use super::fill::{Candidate, Filling, Leaf, Strength};
use super::reading::{Reading, overlap};
use super::role::Want;
use super::schema::{Shape, Text};
use super::side::Side;

/// How much it speaks against a tool that it has no place for what another tool takes.
const LEFT_OUT: f32 = 0.6;

/// How much it speaks against a tool that nothing tells what it needs.
const INCOMPLETE: f32 = 0.3;

/// The most that this may speak against a tool.
const MOST: f32 = 2.4;

/// The parts of the text that a filling holds as values with a form of their own.
pub(super) fn held(filling: &Filling<'_>, reading: &Reading) -> Vec<Range<usize>> {
    let leaves = filling.leaves.iter().zip(&filling.chosen);
    let chosen = leaves.filter_map(|(leaf, chosen)| Some((leaf, chosen.as_ref()?)));
    let own = chosen.filter(|(leaf, chosen)| is_telling(leaf, chosen, reading));
    own.flat_map(|(_, chosen)| chosen.spans.iter().cloned())
        .filter(|span| !span.is_empty() && !reading.is_of_another(span))
        .collect()
}

/// What a tool has a place for.
pub(super) struct Claim {
    pub(super) tool: usize,
    pub(super) held: Vec<Range<usize>>,
    /// Whether it has all that it needs, or other tools can find it.
    pub(super) complete: bool,
    /// Tools that can find what it misses: what they hold, it holds too.
    pub(super) helpers: Vec<usize>,
}

/// How a tool stands beside the others.
pub(super) struct Standing {
    /// What speaks against it.
    pub(super) against: f32,
    /// How many things it holds, where it holds all and no other complete tool as many; else 0.
    pub(super) holds: usize,
}

/// Compares what the tools have a place for.
pub(super) fn standings(claims: &[Claim]) -> Vec<Standing> {
    let mut things: Vec<&Range<usize>> = Vec::new();
    let able = claims.iter().filter(|claim| claim.complete);
    for span in able.flat_map(|claim| &claim.held) {
        if !things.iter().any(|thing| overlap(thing, span)) {
            things.push(span);
        }
    }
    let holds = |claim: &Claim, thing: &Range<usize>| {
        let of_helpers = claims.iter().filter(|c| claim.helpers.contains(&c.tool));
        let all = claim.held.iter().chain(of_helpers.flat_map(|c| &c.held));
        all.into_iter().any(|span| overlap(span, thing))
    };
    let counts: Vec<usize> = claims
        .iter()
        .map(|claim| things.iter().filter(|thing| holds(claim, thing)).count())
        .collect();
    let any_complete = claims.iter().any(|claim| claim.complete);
    let stand = |(at, claim): (usize, &Claim)| {
        let count = counts.get(at).copied().unwrap_or(0);
        let mut others = claims.iter().zip(&counts).enumerate();
        let alone = !others.any(|(other, (rival, held))| {
            other != at && rival.complete && rival.helpers.is_empty() && *held >= count
        });
        let missing = things.len() - count;
        Standing {
            against: (LEFT_OUT * missing as f32).min(MOST)
                + if claim.complete || !any_complete {
                    0.0
                } else {
                    INCOMPLETE
                },
            holds: if claim.complete && alone && missing == 0 {
                count
            } else {
                0
            },
        }
    };
    claims.iter().enumerate().map(stand).collect()
}

/// Whether a value is one that hardly stands in the text by chance.
fn is_telling(leaf: &Leaf<'_>, chosen: &Candidate, reading: &Reading) -> bool {
    if chosen.strength != Strength::Firm || chosen.score < 0.55 {
        return false;
    }
    let quoted = |span: &Range<usize>| reading.quoted.iter().any(|(_, quote)| quote == span);
    if chosen.spans.iter().all(quoted) {
        return true;
    }
    match &leaf.param.shape {
        Shape::Number(_) => true,
        Shape::List(list) => {
            let loose = matches!(
                list.item.shape,
                Shape::Text(Text { format: None, .. }) | Shape::Anything
            );
            let name = |item: &Value| {
                item.as_str()
                    .is_some_and(|t| t.starts_with(char::is_uppercase))
            };
            let items = chosen.value.as_array().map_or(&[][..], Vec::as_slice);
            !loose || items.len() > 1 && items.iter().all(name)
        }
        Shape::Choice(_) | Shape::Boolean => chosen.score >= 0.7,
        _ => match leaf.want {
            Want::Place | Want::Country => leaf.side != Side::Neither && chosen.score >= 0.9,
            Want::Date
            | Want::Time
            | Want::When
            | Want::DateTime
            | Want::Duration
            | Want::Email
            | Want::Url
            | Want::Phone
            | Want::Path
            | Want::Id
            | Want::Symbol
            | Want::Currency
            | Want::Language
            | Want::Zone => true,
            _ => false,
        },
    }
}
