//! Lists: several values for one parameter.

use std::ops::Range;

use serde_json::Value;

use super::amount::{amounts, json_number};
use super::assign::fill_leaves;
use super::calendar::WEEKDAY;
use super::choice::choices;
use super::chunk::Chunk;
use super::leaf::{Candidate, Leaf, Scene, Strength, leaves_of};
use super::name::names;
use super::siblings::are_listed;
use super::typed::typed;
use crate::demo::cue::{ends_sentence, is_conjunction};
use crate::demo::lang::Lang;
use crate::demo::reading::{Reading, overlap};
use crate::demo::schema::{Choice, List, Param, Shape};
use crate::demo::script::without_particle;

/// Lists whose items have a form of their own: numbers, addresses, listed values.
pub(crate) fn typed_lists(leaf: &Leaf<'_>, list: &List, scene: &Scene<'_>) -> Vec<Candidate> {
    let reading = scene.reading;
    let items = match &list.item.shape {
        Shape::Number(number) => {
            let found = amounts(leaf, number, scene)
                .into_iter()
                .filter(|candidate| candidate.score >= 0.3);
            let plain = reading.quantities.iter().filter(|q| {
                !reading
                    .moments
                    .iter()
                    .any(|moment| overlap(&moment.span, &q.span))
            });
            let all: Vec<Candidate> = found.collect();
            if all.len() >= 2 {
                all
            } else {
                plain
                    .filter_map(|q| {
                        Some(Candidate::new(
                            json_number(q.value, number)?,
                            q.span.clone(),
                            0.6,
                        ))
                    })
                    .collect()
            }
        }
        Shape::Choice(values) => {
            if let Some(days) = days_of_week(values, scene) {
                return vec![days];
            }
            choices(leaf, values, scene)
                .into_iter()
                .filter(|c| c.score >= 0.6 && c.strength == Strength::Firm)
                .collect()
        }
        Shape::Text(_) | Shape::Anything => {
            let found = typed(leaf, scene);
            let best = found
                .iter()
                .map(|candidate| candidate.score)
                .fold(0.0, f32::max);
            let good = |candidate: &Candidate| candidate.score >= best - 0.2;
            let listed = |candidate: &Candidate| {
                let mut others = found.iter().filter(|other| good(other));
                others.any(
                    |other| match (other.spans.first(), candidate.spans.first()) {
                        (Some(a), Some(b)) => are_listed(a, b, scene),
                        _ => false,
                    },
                )
            };
            let fitting = found.iter().filter(|candidate| {
                candidate.score >= 0.6 && (good(candidate) || listed(candidate))
            });
            fitting.cloned().collect()
        }
        _ => Vec::new(),
    };
    joined(items, list).into_iter().collect()
}

/// `every weekday`, `on weekends`, `daily`, `Monday to Friday`, where the listed values are days.
fn days_of_week(values: &[Choice], scene: &Scene<'_>) -> Option<Candidate> {
    let day = |choice: &Choice| WEEKDAY.first(&choice.value.as_str()?.to_lowercase());
    if values.iter().filter(|choice| day(choice).is_some()).count() < 5 {
        return None;
    }
    let tokens = &scene.reading.tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower());
    let found = tokens.iter().enumerate().find_map(|(at, token)| {
        let span = |last: usize| Some(token.span.start..tokens.get(last)?.span.end);
        let stem = without_particle(token.lower()).0;
        if let (Some(first), "to" | "-" | "–" | "through" | "bis" | "until", Some(last)) = (
            WEEKDAY.first(token.lower()),
            word(at + 1),
            WEEKDAY.first(word(at + 2)),
        ) && first < last
        {
            return Some((first..=last, span(at + 2)?));
        }
        match (stem, word(at + 1)) {
            (
                "weekday" | "weekdays" | "workday" | "workdays" | "werktags" | "wochentags"
                | "평일" | "평일마다",
                _,
            ) => Some((1..=5, span(at)?)),
            ("weekend" | "weekends" | "주말" | "주말마다" | "wochenende", _) => {
                Some((6..=7, span(at)?))
            }
            ("daily" | "everyday" | "täglich" | "매일" | "날마다", _) => {
                Some((1..=7, span(at)?))
            }
            ("every" | "each", "day" | "morning" | "evening" | "night") => {
                Some((1..=7, span(at + 1)?))
            }
            _ => None,
        }
    });
    let (days, span) = found?;
    let chosen = values
        .iter()
        .filter(|choice| day(choice).is_some_and(|day| days.contains(&day)));
    let list: Vec<Value> = chosen.map(|choice| choice.value.clone()).collect();
    Some(Candidate::new(list, span, 0.9))
}

/// Lists of names and other words, and of objects.
pub(crate) fn word_lists(
    leaf: &Leaf<'_>,
    index: usize,
    list: &List,
    chunks: &[Chunk],
    taken: &[Range<usize>],
    scene: &Scene<'_>,
) -> Vec<Candidate> {
    match &list.item.shape {
        Shape::Object(params) => objects(params, list, taken, scene).into_iter().collect(),
        Shape::Text(text) => of_names(
            names(leaf, index, text, chunks, scene),
            list,
            leaf.required,
            scene,
        ),
        Shape::Anything => of_names(
            names(leaf, index, &Default::default(), chunks, scene),
            list,
            leaf.required,
            scene,
        ),
        _ => Vec::new(),
    }
}

fn of_names(
    found: Vec<Candidate>,
    list: &List,
    required: bool,
    scene: &Scene<'_>,
) -> Vec<Candidate> {
    let mut groups: Vec<usize> = found
        .iter()
        .filter_map(|candidate| candidate.group)
        .collect();
    groups.sort_unstable();
    groups.dedup();
    let lists = groups.into_iter().filter_map(|group| {
        let mut items: Vec<Candidate> = found
            .iter()
            .filter(|c| c.group == Some(group) && c.strength != Strength::Key)
            .cloned()
            .collect();
        // A name inside of a longer chunk is not listed twice.
        let wider = items.clone();
        items.retain(|item| {
            let inside = |other: &Candidate| {
                other.spans != item.spans && spans_contain(&other.spans, &item.spans)
            };
            !wider.iter().any(inside)
        });
        let capital = |item: &Candidate| {
            let text = item.value.as_str().unwrap_or_default();
            text.starts_with(char::is_uppercase)
        };
        let mixed = items.iter().any(capital) && !items.iter().all(capital);
        let mut list = joined(items, list)?;
        // `Omar Haddad, works at …` lists nothing.
        list.score -= if mixed && !required { 0.3 } else { 0.0 };
        Some(list)
    });
    let mut lists: Vec<Candidate> = lists.collect();
    lists.extend(quoted_runs(&found, list, scene));
    lists
}

/// `"one", "two" and "three"`: quoted texts that are listed belong together.
fn quoted_runs(found: &[Candidate], list: &List, scene: &Scene<'_>) -> Vec<Candidate> {
    let quoted = |candidate: &&Candidate| {
        let is_quote = |span: &Range<usize>| scene.reading.quoted.iter().any(|(_, q)| q == span);
        candidate.strength != Strength::Key && candidate.spans.iter().all(is_quote)
    };
    let mut runs: Vec<Vec<Candidate>> = Vec::new();
    for candidate in found.iter().filter(quoted) {
        let listed = |before: &Candidate| match (before.spans.first(), candidate.spans.first()) {
            (Some(a), Some(b)) => are_listed(a, b, scene),
            _ => false,
        };
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(listed) => run.push(candidate.clone()),
            _ => runs.push(vec![candidate.clone()]),
        }
    }
    let several = runs.into_iter().filter(|run| run.len() > 1);
    several.filter_map(|run| joined(run, list)).collect()
}

fn spans_contain(outer: &[Range<usize>], inner: &[Range<usize>]) -> bool {
    match (outer.first(), inner.first()) {
        (Some(outer), Some(inner)) => outer.start <= inner.start && inner.end <= outer.end,
        _ => false,
    }
}

/// One candidate of all items, in the order of the text.
fn joined(mut items: Vec<Candidate>, list: &List) -> Option<Candidate> {
    items.sort_by_key(|item| item.spans.first().map_or(0, |span| span.start));
    let mut kept: Vec<Candidate> = Vec::new();
    for item in items {
        let clash = kept.iter().any(|other| {
            other
                .spans
                .iter()
                .any(|a| item.spans.iter().any(|b| overlap(a, b)))
                || other.value == item.value
        });
        if !clash {
            kept.push(item);
        }
    }
    kept.truncate(list.max.unwrap_or(usize::MAX));
    if kept.is_empty() || kept.len() < list.min {
        return None;
    }
    let score = kept.iter().map(|item| item.score).fold(0.0, f32::max);
    let wait = kept.iter().filter_map(|item| item.wait).max();
    let several = if kept.len() > 1 { 0.2 } else { 0.0 };
    let strength = if kept.iter().any(|item| item.strength == Strength::Firm) {
        Strength::Firm
    } else {
        Strength::LastResort
    };
    Some(Candidate {
        spans: kept.iter().flat_map(|item| item.spans.clone()).collect(),
        value: Value::Array(kept.into_iter().map(|item| item.value).collect()),
        score: score + several,
        strength,
        wait,
        group: None,
    })
}

/// `2 apples and 3 bananas`: an object for each part of the enumeration.
fn objects(
    params: &[Param],
    list: &List,
    taken: &[Range<usize>],
    scene: &Scene<'_>,
) -> Option<Candidate> {
    let reading = scene.reading;
    let mut items = Vec::new();
    for span in pieces(reading, taken) {
        let text = reading.slice(&span);
        let piece = Reading::with_language(text, reading.lang);
        let inner = Scene {
            reading: &piece,
            tool: scene.tool,
            now: scene.now,
            prefer: None,
        };
        let filled = fill_leaves(leaves_of(params, &scene.tool.words), &inner, false);
        let firm = filled.evidence > 0.0;
        if filled.missing.is_empty()
            && firm
            && let Some(value) = filled.object()
        {
            let mut candidate = Candidate::new(value, span.clone(), 0.75);
            candidate.wait = filled.wait;
            let used = filled
                .chosen
                .iter()
                .flatten()
                .flat_map(|chosen| &chosen.spans);
            candidate.spans = used
                .filter(|used| !used.is_empty())
                .map(|used| used.start + span.start..used.end + span.start)
                .collect();
            items.push(candidate);
        }
    }
    joined(items, list)
}

/// The text between conjunctions, without what belongs to other values.
fn pieces(reading: &Reading, taken: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for token in &reading.tokens {
        let ends = ends_sentence(token.lower());
        let cut = ((is_conjunction(token.lower()) || ends) && !reading.is_quoted(&token.span))
            || taken.iter().any(|taken| overlap(taken, &token.span))
            || token.span.start >= reading.background;
        // `불고기 2인분이랑 냉면 1인분`
        let with = reading.lang == Lang::Ko
            && !cut
            && ["이랑", "랑", "하고", "와", "과"]
                .iter()
                .any(|end| token.lower().ends_with(end))
            && token.lower().chars().count() > 2;
        if with {
            let start = open.take().map_or(token.span.start, |span| span.start);
            pieces.push(start..token.span.end);
            continue;
        }
        match (&mut open, cut) {
            (Some(_), true) => pieces.extend(open.take()),
            (Some(span), false) => span.end = token.span.end,
            (None, false) => open = Some(token.span.clone()),
            (None, true) => {}
        }
    }
    pieces.extend(open);
    pieces
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::{Value, json};

    fn list(items: Value, text: &str) -> Value {
        filled(
            "make",
            json!({"things": {"type": "array", "items": items}}),
            &["things"],
            text,
        )["things"]
            .clone()
    }

    #[test]
    fn enumerations_become_lists() {
        assert_eq!(
            list(json!({"type": "string"}), "things: pears, figs and plums"),
            json!(["pears", "figs", "plums"])
        );
        assert_eq!(
            list(json!({"type": "number"}), "make 1, 2.5 and 4"),
            json!([1, 2.5, 4])
        );
        assert_eq!(
            list(
                json!({"enum": ["red", "blue", "green"]}),
                "blue and red ones"
            ),
            json!(["blue", "red"])
        );
        let emails = json!({"type": "string", "format": "email"});
        let emails = filled(
            "invite",
            json!({"emails": {"type": "array", "items": emails}}),
            &["emails"],
            "a@b.co and c@d.eu",
        );
        assert_eq!(emails, json!({"emails": ["a@b.co", "c@d.eu"]}));
    }
}
