//! Which tool fits a text best: by its words, and by what of the text it can take.

use super::choose::{Fit, rank};
use super::continued::tells_of_past;
use super::fill::{Scene, fill};
use super::lang::{Lang, is_stop};
use super::provide::provides;
use super::reading::Reading;
use super::role::Want;
use super::synonyms::Action;
use super::tool::Tool;
use super::words::Word;

/// The least that a fit must score, and the least of it that must come from words that mean something.
const ENOUGH: f32 = 1.5;

const ENOUGH_CONTENT: f32 = 0.6;

const ENOUGH_THINGS: f32 = 0.25;

/// How many of the best tools are tried on the text.
const TRIED: usize = 8;

/// The tool that fits best, if any fits well enough.
pub(crate) fn best_tool(reading: &Reading, tools: &[Tool]) -> Option<usize> {
    let tried = tried(reading, tools);
    let best = tried
        .iter()
        .copied()
        .max_by(|a, b| a.score.total_cmp(&b.score).then(b.tool.cmp(&a.tool)))?;
    let best = served_by(best, &tried, reading, tools).unwrap_or(best);
    // `Why do cats purr?` asks for no tool, unless it is all about one.
    let first = reading.tokens.iter().find(|token| token.is_word());
    let wonders = first.is_some_and(|token| matches!(token.lower(), "why" | "warum" | "왜"));
    // Nor does `The play was moving` look anything up.
    let reads = tools.get(best.tool).and_then(Tool::action) == Some(Action::Read);
    let idle = wonders || (reads && tells_of_past(reading));
    let enough = if idle { ENOUGH + 1.5 } else { ENOUGH };
    // `Write a poem` keeps no note: what changes something needs more than a verb.
    let bare = !reads
        && best.things < ENOUGH_THINGS
        && tools.get(best.tool).and_then(Tool::action).is_some();
    (best.score >= enough && best.content >= ENOUGH_CONTENT && !bare).then_some(best.tool)
}

/// `The status of the latest invoice`: what looks up the invoice fits best, but what tells its status needs
/// it anyway and is asked for by a word of its own.
fn served_by(best: Fit, tried: &[Fit], reading: &Reading, tools: &[Tool]) -> Option<Fit> {
    const NEAR: f32 = 2.0;
    let provider = tools.get(best.tool)?;
    let said = |word: &Word| {
        let mut tokens = reading.tokens.iter();
        tokens.any(|token| {
            token.is_word()
                && token.span.start < reading.background
                && word.likeness(&token.word) >= if word.lower.is_ascii() { 0.9 } else { 0.75 }
        })
    };
    let own = |tool: &Tool| {
        let of_both = |word: &Word| {
            provider
                .words
                .iter()
                .chain(&provider.about)
                .any(|other| other.is(word))
        };
        let described = tool.about.iter().filter(|word| !word.lower.is_ascii());
        tool.words
            .iter()
            .chain(described)
            .filter(|word| !word.is_action() || word.actions().any(|action| action != Action::Read))
            .any(|word| !of_both(word) && !is_stop(Lang::En, &word.lower) && said(word))
    };
    let needs = |tool: &Tool| {
        let scene = Scene {
            reading,
            tool,
            now: None,
            prefer: None,
        };
        let filling = fill(tool, &scene, false);
        let mut missing = filling
            .missing
            .iter()
            .filter_map(|missing| filling.leaves.get(missing.leaf));
        missing.any(|leaf| leaf.want == Want::Id && provides(provider, leaf, tool) >= 0.6)
    };
    let near = tried
        .iter()
        .filter(|fit| fit.tool != best.tool && best.score - fit.score <= NEAR);
    let mut served = near.filter(|fit| {
        tools
            .get(fit.tool)
            .is_some_and(|tool| own(tool) && needs(tool))
    });
    served.next().copied()
}

/// The best tools by their words, with what filling their parameters from the text adds.
pub(crate) fn tried(reading: &Reading, tools: &[Tool]) -> Vec<Fit> {
    let mut fits = rank(tools, reading);
    fits.truncate(TRIED);
    for fit in &mut fits {
        let Some(tool) = tools.get(fit.tool) else {
            continue;
        };
        let scene = Scene {
            reading,
            tool,
            now: None,
            prefer: None,
        };
        let filling = fill(tool, &scene, false);
        fit.score += filling.evidence.clamp(-0.6, 1.2);
        fit.things += if filling.evidence > 0.36 {
            ENOUGH_THINGS
        } else {
            0.0
        };
        let required = filling.leaves.iter().filter(|leaf| leaf.required).count();
        if required == 0 {
            let said = filling
                .chosen
                .iter()
                .flatten()
                .filter(|chosen| chosen.score >= 0.7)
                .count();
            fit.score += 0.3 * said.min(2) as f32;
            continue;
        }
        let mut missed = 0.0;
        for missing in &filling.missing {
            let Some(leaf) = filling.leaves.get(missing.leaf) else {
                continue;
            };
            let helped = tools
                .iter()
                .enumerate()
                .any(|(at, other)| at != fit.tool && provides(other, leaf, tool) >= 0.6);
            missed += if helped { 0.35 } else { 1.0 };
        }
        let share = missed / required as f32;
        fit.score += 0.5 - 1.0 * share;
        if filling.missing.is_empty() && filling.evidence > 0.3 {
            fit.content += 0.25;
            // All of several parameters at once are hardly there by chance.
            fit.score += if required > 1 { 0.2 } else { 0.0 };
        }
    }
    fits
}
