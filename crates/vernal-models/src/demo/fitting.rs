//! Which tool fits a text best: by its words, and by what of the text it can take.

use super::asked::main_verb;
use super::choose::{Fit, is_specific, rank};
use super::continued::tells_of_past;
use super::fill::{Filling, Leaf, Scene, fill};
use super::held::{Claim, held, standings};
use super::lang::{Lang, is_stop};
use super::provide::provides;
use super::reading::Reading;
use super::role::Want;
use super::said::said_words;
use super::synonyms::Action;
use super::tool::Tool;
use super::words::{Token, Word};

/// The least that a fit must score, and the least of it that must come from words that mean something.
const ENOUGH: f32 = 1.5;

const ENOUGH_CONTENT: f32 = 0.6;

const ENOUGH_THINGS: f32 = 0.25;

/// How many things a tool alone must have a place for to be meant without a word of it.
const HOLDS_ALL: usize = 2;

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
    let opinion = matches!(
        (
            first.map_or("", Token::lower),
            reading.tokens.get(1).map_or("", Token::lower)
        ),
        ("i", "think" | "feel" | "guess" | "love" | "hate" | "wonder")
    );
    let idle = wonders || opinion || (reads && tells_of_past(reading));
    let enough = if idle { ENOUGH + 1.5 } else { ENOUGH };
    // `Write a poem` keeps no note: what changes something needs more than a verb.
    let bare = !reads
        && best.things < ENOUGH_THINGS
        && tools.get(best.tool).and_then(Tool::action).is_some();
    let said = best.score >= enough && best.content >= ENOUGH_CONTENT && !bare;
    let holds = || tried.iter().find(|fit| fit.holds >= HOLDS_ALL && !wonders);
    let meant = if said { Some(&best) } else { holds() };
    meant.map(|fit| fit.tool)
}

/// `The status of the latest invoice`: what looks up the invoice fits best, but what tells its status needs
/// it anyway and is asked for by a word of its own.
fn served_by(best: Fit, tried: &[Fit], reading: &Reading, tools: &[Tool]) -> Option<Fit> {
    const NEAR: f32 = 2.0;
    let provider = tools.get(best.tool)?;
    let words = said_words(reading);
    let said = |word: &Word| {
        let near = if word.lower.is_ascii() { 0.9 } else { 0.75 };
        words
            .iter()
            .any(|said| said.weight >= 0.5 && word.likeness(&said.word) >= near)
    };
    let verb = main_verb(reading);
    let own = |tool: &Tool| {
        let of_both = |word: &Word| {
            provider
                .words
                .iter()
                .chain(&provider.about)
                .any(|other| other.is(word))
        };
        let described = tool.about.iter().filter(|word| !word.lower.is_ascii());
        // `Text whoever is on duty`
        let asked =
            |word: &Word| verb.is_some_and(|verb| is_specific(verb) && word.likeness(verb) >= 0.5);
        let tells =
            |word: &Word| !word.is_action() || word.actions().any(|action| action != Action::Read);
        let mut words = tool
            .words
            .iter()
            .chain(described)
            .filter(|word| tells(word));
        words.any(|word| {
            !of_both(word) && !is_stop(Lang::En, &word.lower) && (said(word) || asked(word))
        })
    };
    let needs = |tool: &Tool| {
        let filling = filled(tool, reading);
        let mut missing = filling
            .missing
            .iter()
            .filter_map(|missing| filling.leaves.get(missing.leaf));
        missing.any(|leaf| {
            matches!(leaf.want, Want::Id | Want::Phone | Want::Email)
                && provides(provider, leaf, tool) >= 0.6
        })
    };
    let near = tried.iter().filter(|fit| fit.tool != best.tool);
    // What takes all that is said, with what the best can find for it, is what it is found for.
    let mut served = near.filter(|fit| {
        tools.get(fit.tool).is_some_and(|tool| {
            let told = best.score - fit.score <= NEAR && own(tool);
            (told || fit.holds >= HOLDS_ALL) && needs(tool)
        })
    });
    served.next().copied()
}

/// The best tools by their words, with what filling their parameters from the text adds.
pub(crate) fn tried(reading: &Reading, tools: &[Tool]) -> Vec<Fit> {
    let mut fits = rank(tools, reading);
    fits.truncate(TRIED);
    // Tools without a word of the text may still have a place for all that it says.
    let unsaid = (0..tools.len()).filter(|at| fits.iter().all(|fit| fit.tool != *at));
    let unsaid: Vec<Fit> = unsaid.map(Fit::unsaid).collect();
    fits.extend(unsaid);
    fits.truncate(TRIED);
    let fillings: Vec<Filling<'_>> = fits
        .iter()
        .filter_map(|fit| Some(filled(tools.get(fit.tool)?, reading)))
        .collect();
    let mut claims: Vec<Claim> = Vec::new();
    for (fit, filling) in fits.iter_mut().zip(&fillings) {
        let helpers = helpers_of(fit.tool, filling, tools);
        weigh(fit, filling, &helpers);
        claims.push(Claim {
            tool: fit.tool,
            held: held(filling, reading),
            complete: helpers.iter().all(|helpers| !helpers.is_empty()),
            helpers: helpers.concat(),
        });
    }
    for (fit, standing) in fits.iter_mut().zip(standings(&claims)) {
        fit.score -= standing.against;
        fit.holds = standing.holds;
    }
    fits
}

pub(crate) fn filled<'a>(tool: &'a Tool, reading: &Reading) -> Filling<'a> {
    let scene = Scene {
        reading,
        tool,
        now: None,
        prefer: None,
    };
    fill(tool, &scene, false)
}

/// For each value that is missing, the tools that may find it.
pub(crate) fn helpers_of(index: usize, filling: &Filling<'_>, tools: &[Tool]) -> Vec<Vec<usize>> {
    let Some(tool) = tools.get(index) else {
        return Vec::new();
    };
    let missing = filling
        .missing
        .iter()
        .filter_map(|missing| filling.leaves.get(missing.leaf));
    let able = |leaf: &Leaf<'_>| {
        let others = tools.iter().enumerate().filter(|(at, _)| *at != index);
        others
            .filter(|(_, other)| provides(other, leaf, tool) >= 0.6)
            .map(|(at, _)| at)
            .collect()
    };
    missing.map(able).collect()
}

/// Adds to the score of a tool what filling its parameters tells.
fn weigh(fit: &mut Fit, filling: &Filling<'_>, helpers: &[Vec<usize>]) {
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
        return;
    }
    let missed: f32 = helpers
        .iter()
        .map(|helpers| if helpers.is_empty() { 1.0 } else { 0.35 })
        .sum();
    fit.score += 0.5 - missed / required as f32;
    if filling.missing.is_empty() && filling.evidence > 0.3 {
        fit.content += 0.25;
        // All of several parameters at once are hardly there by chance.
        fit.score += if required > 1 { 0.2 } else { 0.0 };
    }
}
