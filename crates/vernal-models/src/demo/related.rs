//! `The weather at the venue of the meetup`: a value that is only told by what it belongs to.

use super::fill::{Filling, Missing, Strength};
use super::provide::provides;
use super::reading::{Reading, Spared};
use super::role::{Want, listed};
use super::tool::Tool;
use super::words::{Token, Word};

/// How far before a value the word stands that says what of it is wanted.
const NEAR: usize = 6;

/// Takes back the values that another tool has to look up first.
pub(super) fn take_back(
    filling: &mut Filling<'_>,
    reading: &Reading,
    index: usize,
    tools: &[Tool],
) {
    let Some(tool) = tools.get(index) else { return };
    for (at, leaf) in filling.leaves.iter().enumerate() {
        let Some(chosen) = filling.chosen.get_mut(at).filter(|_| leaf.required) else {
            continue;
        };
        let place = matches!(leaf.want, Want::Place | Want::Country | Want::Zone);
        let Some(span) = chosen.as_ref().and_then(|found| found.spans.first()) else {
            continue;
        };
        let found = tools
            .iter()
            .enumerate()
            .any(|(other, provider)| other != index && provides(provider, leaf, tool) >= 0.6);
        if !place || !found || !is_told_by_another(reading, span.start) {
            continue;
        }
        let key = chosen.take().and_then(|found| {
            Some((
                found.value.as_str()?.to_owned(),
                found.spans.first()?.clone(),
            ))
        });
        filling.missing.push(Missing { leaf: at, key });
    }
}

/// Whether the words before say that a place of this is meant: `the venue of`, `where`.
fn is_told_by_another(reading: &Reading, start: usize) -> bool {
    let end = reading
        .tokens
        .partition_point(|token| token.span.start < start);
    let before = reading
        .tokens
        .get(end.saturating_sub(NEAR)..end)
        .unwrap_or_default();
    let word = |at: usize| before.get(at).map_or("", Token::lower);
    (0..before.len()).any(|at| {
        let of = listed("of for", word(at + 1));
        of && listed(
            "venue location place site destination hometown headquarters office",
            word(at),
        ) || at > 0 && word(at) == "where"
    })
}

/// The text for a tool that looks something up: what the values found so far are made of is not for it.
pub(super) fn sparing(filling: &Filling<'_>, tool: &Tool, reading: &Reading) -> Reading {
    let mut spared = reading.clone();
    // `the next tram at the zoo`: the tram is what is asked about.
    let named = reading.tokens.iter().filter(|token| {
        let of_tool = |word: &Word| word.likeness(&token.word) >= 0.9;
        token.is_word() && tool.words.iter().any(of_tool)
    });
    spared.spared.extend(named.map(|token| Spared {
        span: token.span.clone(),
        words: Vec::new(),
    }));
    let chosen = filling.leaves.iter().zip(&filling.chosen);
    for (leaf, chosen) in chosen {
        let of_all = matches!(
            leaf.want,
            Want::Date
                | Want::Time
                | Want::When
                | Want::DateTime
                | Want::Place
                | Want::Country
                | Want::Language
                | Want::Currency
        );
        let firm = chosen
            .iter()
            .filter(|c| c.strength == Strength::Firm && !of_all);
        spared.spared.extend(firm.flat_map(|chosen| {
            chosen.spans.iter().map(|span| Spared {
                span: span.clone(),
                words: leaf.param.words.clone(),
            })
        }));
    }
    spared
}
