//! What the user wants done: one goal for each part of the message that a tool fits.

use super::choose::{Fit, rank};
use super::continued::{goes_on, is_told, tells_of_past};
use super::cue::{ends_sentence, is_abbreviated};
use super::fill::{Scene, fill};
use super::lang::Lang;
use super::provide::provides;
use super::reading::Reading;
use super::schema::Shape;
use super::synonyms::Action;
use super::tool::Tool;
use super::words::Token;

/// A tool to be called for a part of the message.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) tool: usize,
    pub(crate) reading: Reading,
}

/// The least that a fit must score, and the least of it that must come from words that mean something.
const ENOUGH: f32 = 1.5;
const ENOUGH_CONTENT: f32 = 0.6;
/// How many of the best tools are tried on the text.
const TRIED: usize = 8;

/// The goals of a message.
pub(crate) fn goals(text: &str, tools: &[Tool]) -> Vec<Goal> {
    let whole = Reading::new(text);
    let single = best_tool(&whole, tools);
    let clauses = clauses(&whole);
    if clauses.len() > 1 {
        let split = goals_of_clauses(&whole, &clauses, tools);
        let distinct = split.len() > 1;
        if distinct {
            return split;
        }
    }
    if let Some(two) = joined_by_and(&whole, tools) {
        return two;
    }
    if let Some(two) = single.and_then(|tool| repeated(&whole, tool, tools)) {
        return two;
    }
    single
        .into_iter()
        .map(|tool| Goal {
            tool,
            reading: whole.clone(),
        })
        .collect()
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
    if lists || first.into_iter().any(|token| ends_sentence(token.lower())) {
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

/// The only `and` of a text.
fn only_joint(whole: &Reading) -> Option<std::ops::Range<usize>> {
    let is_and = |token: &&Token| matches!(token.lower(), "and" | "und" | "y" | "et" | "그리고");
    let mut joints = whole
        .tokens
        .iter()
        .filter(is_and)
        .filter(|token| !whole.is_quoted(&token.span));
    let joint = joints.next().filter(|_| joints.next().is_none())?;
    Some(joint.span.clone())
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
    for (clause, reading) in clauses.iter().zip(&readings) {
        // What is told before a wish only explains it.
        let found = best_tool(reading, tools).filter(|_| !(wishes && is_told(reading)));
        let before = parts.last().and_then(|(_, tool)| tools.get((*tool)?));
        let found = found.filter(|_| !before.is_some_and(|before| goes_on(reading, before)));
        match (parts.last_mut(), found) {
            (Some((span, _)), None) => span.end = clause.end,
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

/// Cuts a message where a new wish begins: at the end of a sentence, at `then`, at `and` before a verb.
fn clauses(reading: &Reading) -> Vec<std::ops::Range<usize>> {
    let tokens = &reading.tokens;
    let mut cuts = Vec::new();
    let mut told = false;
    for (at, token) in tokens.iter().enumerate() {
        if reading.is_quoted(&token.span) {
            continue;
        }
        let word = token.lower();
        let next = tokens.get(at + 1);
        let next_spaced = next.is_none_or(|next| next.spaced);
        let shortened = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|t| is_abbreviated(t.lower()));
        if ends_sentence(word) && next_spaced && !shortened {
            told = false;
            cuts.push(token.span.end);
        } else if matches!(
            word,
            "that" | "saying" | "says" | ":" | "dass" | "diciendo" | "라고"
        ) && at > 0
        {
            told = true;
        } else if !told && opens_wish(tokens, at, reading.lang) {
            cuts.push(token.span.start);
        }
        if reading.lang == Lang::Ko
            && ["하고", "한 다음", "해주고", "주고", "리고"]
                .iter()
                .any(|end| word.ends_with(end))
            && token.word.is_action()
        {
            cuts.push(token.span.end);
        }
    }
    let mut clauses = Vec::new();
    let mut start = 0;
    cuts.push(reading.text.len());
    for cut in cuts {
        if reading
            .text
            .get(start..cut)
            .is_some_and(|part| part.chars().any(char::is_alphanumeric))
        {
            clauses.push(start..cut);
        }
        start = start.max(cut);
    }
    clauses
}

/// `and then`, `, then`, `and` before a verb or a question.
fn opens_wish(tokens: &[Token], at: usize, lang: Lang) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", Token::lower);
    let joins = matches!(
        word(at),
        "and" | "," | "then" | "und" | "dann" | "y" | "luego" | "et" | "puis" | "also" | "plus"
    );
    // `and then` was cut at `and`.
    let cut = at > 0 && matches!(word(at - 1), "and" | "und" | "y" | "et" | ",");
    if !joins || at == 0 || cut {
        return false;
    }
    let mut next = at + 1;
    while matches!(
        word(next),
        "then"
            | "also"
            | "and"
            | "please"
            | "dann"
            | "luego"
            | "después"
            | "bitte"
            | "ensuite"
            | "can"
            | "could"
            | "you"
            | ","
    ) {
        next += 1;
    }
    let Some(token) = tokens.get(next).filter(|token| token.is_word()) else {
        return false;
    };
    if lang == Lang::En && word(next.saturating_sub(1)) == "," && word(at) == "," && next == at + 1
    {
        // Only a clear verb may follow a bare comma: `a, b and c` lists things.
        return token.word.is_action()
            && !token.capital
            && tokens
                .get(next + 1)
                .is_some_and(|t| matches!(t.lower(), "the" | "a" | "an" | "my" | "me" | "it"));
    }
    let question = matches!(
        token.lower(),
        "what"
            | "what's"
            | "how"
            | "who"
            | "when"
            | "where"
            | "which"
            | "is"
            | "wie"
            | "was"
            | "qué"
            | "cuál"
    );
    let verb = token.word.is_action()
        || matches!(
            token.lower(),
            "remind"
                | "convert"
                | "translate"
                | "calculate"
                | "play"
                | "turn"
                | "email"
                | "text"
                | "erinnere"
                | "rechne"
                | "recuérdame"
                | "open"
                | "close"
                | "run"
                | "lock"
                | "unlock"
                | "summarize"
        );
    question || (verb && !token.capital)
}

/// The tool that fits best, if any fits well enough.
pub(crate) fn best_tool(reading: &Reading, tools: &[Tool]) -> Option<usize> {
    let tried = tried(reading, tools);
    let best = tried
        .into_iter()
        .max_by(|a, b| a.score.total_cmp(&b.score).then(b.tool.cmp(&a.tool)))?;
    // `Why do cats purr?` asks for no tool, unless it is all about one.
    let first = reading.tokens.iter().find(|token| token.is_word());
    let wonders = first.is_some_and(|token| matches!(token.lower(), "why" | "warum" | "왜"));
    // Nor does `The play was moving` look anything up.
    let reads = tools.get(best.tool).and_then(Tool::action) == Some(Action::Read);
    let idle = wonders || (reads && tells_of_past(reading));
    let enough = if idle { ENOUGH + 1.5 } else { ENOUGH };
    (best.score >= enough && best.content >= ENOUGH_CONTENT).then_some(best.tool)
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
        let required = filling.leaves.iter().filter(|leaf| leaf.required).count();
        if required == 0 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_cut_where_a_new_wish_begins() {
        let cut = |text: &str| {
            let reading = Reading::new(text);
            clauses(&reading).len()
        };
        for (text, count) in [
            ("Set an alarm at 7 and then play some jazz", 2),
            ("What's the weather in Rome? Book a hotel.", 2),
            ("Find a hotel and what is the weather there", 2),
            ("add milk, eggs and bread to my list", 1),
            ("note that I must call mom and buy milk", 1),
            ("say \"stop. and show me\" to Bob", 1),
            ("Ask Dr. Kim for an appointment", 1),
            ("", 0),
        ] {
            assert_eq!(cut(text), count, "{text}");
        }
    }
}
