//! What the user wants done: one goal for each part of the message that a tool fits.

use super::choose::Fit;
use super::clauses::{clauses, only_joint, wished};
use super::continued::is_told;
use super::converted::converter;
use super::cue::ends_sentence;
use super::fill::{Scene, fill};
use super::fitting::{best_tool, filled, helpers_of, tried};
use super::more::{adds_only, goes_on, is_personal, requests};
use super::reading::Reading;
use super::refer::refers_back;
use super::refused::is_refused;
use super::schema::Shape;
use super::tool::Tool;
use super::words::Word;

/// A tool to be called for a part of the message.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) tool: usize,
    pub(crate) reading: Reading,
}

/// The goals of a message.
pub(crate) fn goals(text: &str, tools: &[Tool]) -> Vec<Goal> {
    let whole = Reading::new(text);
    if whole.is_long() {
        let single = best_tool(&whole, tools);
        return single
            .into_iter()
            .map(|tool| Goal {
                tool,
                reading: whole.clone(),
            })
            .collect();
    }
    let clauses = clauses(&whole, tools);
    let mut single =
        best_tool(&wished(&whole, &clauses), tools).or_else(|| best_tool(&whole, tools));
    // Where one tool takes all that is said, another needs a verb of its own to be meant too.
    let all = single.filter(|tool| takes_all(&whole, *tool, tools));
    let wanted = |goal: &Goal| {
        all.is_none_or(|all| {
            goal.tool == all || is_asked_for(goal, tools) || is_helped(goal, all, tools)
        })
    };
    if clauses.len() > 1 {
        let mut split = goals_of_clauses(&whole, &clauses, tools);
        split.retain(wanted);
        let distinct = split.len() > 1;
        if distinct {
            return split;
        }
        // One sentence says it, and the others are only too many words.
        single = single.or(split.first().map(|goal| goal.tool));
    }
    if let Some(two) = joined_by_and(&whole, tools).filter(|two| two.iter().all(wanted)) {
        return two;
    }
    if let Some(two) = single.and_then(|tool| repeated(&whole, tool, tools)) {
        return two;
    }
    let converter = single.and_then(|tool| converter(&whole, tool, tools));
    single
        .into_iter()
        .chain(converter)
        .map(|tool| Goal {
            tool,
            reading: whole.clone(),
        })
        .collect()
}

/// Whether a tool alone has a place for every value in the text.
fn takes_all(whole: &Reading, tool: usize, tools: &[Tool]) -> bool {
    let tried = tried(whole, tools);
    tried.iter().any(|fit| fit.tool == tool && fit.holds > 1)
}

/// Whether one tool finds what another misses.
fn is_helped(goal: &Goal, helper: usize, tools: &[Tool]) -> bool {
    let Some(tool) = tools.get(goal.tool) else {
        return false;
    };
    let filling = filled(tool, &goal.reading);
    let helpers = helpers_of(goal.tool, &filling, tools);
    helpers.concat().contains(&helper)
}

/// Whether a verb in its part of the text is what the tool does.
fn is_asked_for(goal: &Goal, tools: &[Tool]) -> bool {
    let Some(tool) = tools.get(goal.tool) else {
        return false;
    };
    let opens = tool.words.first().into_iter().chain(tool.about.first());
    let verbs = opens.filter(|word| word.is_action());
    let own = goal
        .reading
        .tokens
        .iter()
        .filter(|token| token.is_word() && token.span.start < goal.reading.background);
    let mut said = own.map(|token| &token.word);
    let verbs: Vec<&Word> = verbs.collect();
    said.any(|word| verbs.iter().any(|verb| verb.likeness(word) >= 0.7))
}

/// `Alarm at 7 and weather in Rome`: two wishes without a verb, where each half asks for another tool.
fn joined_by_and(whole: &Reading, tools: &[Tool]) -> Option<Vec<Goal>> {
    let joint = only_joint(whole)?;
    let halves = [0..joint.start, joint.end..whole.text.len()];
    let goals: Vec<Goal> = goals_of_clauses(whole, &halves, tools);
    let [first, second] = goals.as_slice() else {
        return None;
    };
    // Each half must ask for its own tool much more than for the other's.
    let clear = |goal: &Goal, other: usize| {
        let mut part = goal.reading.clone();
        part.tokens
            .retain(|token| token.span.start < part.background);
        let tried = tried(&part, tools);
        let score = |tool: usize| {
            tried
                .iter()
                .find(|fit| fit.tool == tool)
                .map_or(0.0, |fit| fit.score)
        };
        score(goal.tool) - score(other) >= 1.0
    };
    let distinct =
        first.tool != second.tool && clear(first, second.tool) && clear(second, first.tool);
    distinct.then_some(goals)
}

/// `Make the bathroom 23 degrees and the office 19`: each half fills all of the same tool.
fn repeated(whole: &Reading, tool: usize, tools: &[Tool]) -> Option<Vec<Goal>> {
    let joint = only_joint(whole)?;
    let halves = [0..joint.start, joint.end..whole.text.len()];
    let goals = halves.map(|half| Goal {
        tool,
        reading: Reading::with_language(whole.slice(&half), whole.lang),
    });
    let known = tools.get(tool)?;
    let first = whole
        .tokens
        .iter()
        .take_while(|token| token.span.end <= joint.start);
    let lists = known
        .params
        .iter()
        .any(|param| matches!(param.shape, Shape::List(_)));
    let told = goals.iter().any(|goal| is_told(&goal.reading));
    if lists || told || first.into_iter().any(|token| ends_sentence(token.lower())) {
        return None;
    }
    let filled = |goal: &Goal| {
        let scene = Scene {
            reading: &goal.reading,
            tool: known,
            now: None,
            prefer: None,
        };
        let filling = fill(known, &scene, false);
        let required = filling.leaves.iter().filter(|leaf| leaf.required);
        let said = filling
            .leaves
            .iter()
            .zip(&filling.chosen)
            .filter(|(leaf, chosen)| {
                leaf.required && chosen.as_ref().is_some_and(|c| c.score >= 0.4)
            });
        required.count() >= 2 && filling.missing.is_empty() && said.count() >= 2
    };
    goals.iter().all(filled).then(|| goals.into())
}

/// A goal for each clause that a tool fits; a clause without one belongs to the clause before it.
fn goals_of_clauses(
    whole: &Reading,
    clauses: &[std::ops::Range<usize>],
    tools: &[Tool],
) -> Vec<Goal> {
    let mut parts: Vec<(std::ops::Range<usize>, Option<usize>)> = Vec::new();
    let readings: Vec<Reading> = clauses
        .iter()
        .map(|clause| Reading::with_language(whole.slice(clause), whole.lang))
        .collect();
    let wishes = readings
        .iter()
        .any(|reading| !is_told(reading) && best_tool(reading, tools).is_some());
    let whole_fits = tried(whole, tools);
    for (at, (clause, reading)) in clauses.iter().zip(&readings).enumerate() {
        // What is told before a wish only explains it.
        let idle = wishes && is_told(reading)
            || is_refused(reading)
            || parts.iter().any(|(_, found)| found.is_some()) && adds_only(whole, clause);
        let found = best_tool(reading, tools).filter(|_| !idle);
        let found = found.map(|found| decided(reading, found, whole_fits.as_slice(), tools));
        let follows = parts.last().is_some_and(|(_, tool)| tool.is_some());
        let told = parts.len() == 1 && readings.iter().take(at).all(is_told);
        let found = found.filter(|_| !(follows && goes_on(reading)));
        match (parts.last_mut(), found) {
            (Some((span, _)), None) => span.end = clause.end,
            // What is told first belongs to the first wish.
            (Some((span, before @ None)), found) if told => {
                span.end = clause.end;
                *before = found;
            }
            // `I'd love to leave a note. Could you translate it?`: the request says what is meant.
            (Some((span, before)), Some(tool))
                if *before == Some(tool) && requests(reading) && is_personal(whole, span) =>
            {
                span.end = clause.end;
            }
            // `Rate it with 4 stars and write "Great" as my review`: more about the same.
            (Some((span, before)), Some(tool))
                if *before == Some(tool)
                    && (refers_back(reading) || !fills_alone(reading, tool, tools)) =>
            {
                span.end = clause.end;
            }
            (_, found) => parts.push((clause.clone(), found)),
        }
    }
    let mut goals: Vec<Goal> = Vec::new();
    for (index, (span, found)) in parts.iter().enumerate() {
        let Some(tool) = found else { continue };
        // The other clauses help where this one says `it` or `there`.
        let others: Vec<&str> = parts
            .iter()
            .enumerate()
            .filter(|(i, _)| *i < index)
            .map(|(_, (s, _))| whole.slice(s))
            .collect();
        let mut reading = Reading::with_language(
            &format!("{}\n{}", whole.slice(span), others.join("\n")),
            whole.lang,
        );
        reading.background = span.len();
        reading.of_another = true;
        goals.push(Goal {
            tool: *tool,
            reading,
        });
    }
    goals
}

/// The tool for a clause; where it is torn between two, the whole message decides.
fn decided(clause: &Reading, found: usize, whole: &[Fit], tools: &[Tool]) -> usize {
    const TORN: f32 = 2.0;
    const CLEAR: f32 = 3.0;
    let score = |fits: &[Fit], tool: usize| {
        let fit = fits.iter().find(|fit| fit.tool == tool);
        fit.map_or(0.0, |fit| fit.score)
    };
    let best = whole.iter().max_by(|a, b| a.score.total_cmp(&b.score));
    let Some(best) = best.filter(|best| best.tool != found) else {
        return found;
    };
    if best.score - score(whole, found) < CLEAR {
        return found;
    }
    let own = tried(clause, tools);
    let torn = score(&own, best.tool) >= score(&own, found) - TORN;
    if torn { best.tool } else { found }
}

/// Whether a clause has all that a tool needs.
fn fills_alone(reading: &Reading, tool: usize, tools: &[Tool]) -> bool {
    tools.get(tool).is_some_and(|tool| {
        let scene = Scene {
            reading,
            tool,
            now: None,
            prefer: None,
        };
        fill(tool, &scene, false).missing.is_empty()
    })
}
