//! Values written like the samples that a parameter gives: `8c` where the description says `e.g. 7b`.

use std::ops::Range;

use super::leaf::{Candidate, Leaf, Scene};
use crate::demo::reading::{Reading, overlap};
use crate::demo::schema::Param;
use crate::demo::tool::Tool;

const MARKS: &[&str] = &[
    "e.g.",
    "e. g.",
    "e.g ",
    "such as ",
    "for example",
    "example:",
    "z. b.",
    "z.b.",
    "zum beispiel",
    "p. ej.",
    "p.ej.",
    "por ejemplo",
    "예:",
    "예)",
    "예를 들어",
    "例:",
    "例：",
    "例如",
];

/// The samples with digits in a description.
pub(crate) fn samples(description: &str) -> Vec<String> {
    let lower = description.to_ascii_lowercase();
    let Some(start) = MARKS
        .iter()
        .filter_map(|mark| Some(lower.find(mark)? + mark.len()))
        .min()
    else {
        return Vec::new();
    };
    let told = description
        .get(start..)
        .unwrap_or_default()
        .split(char::is_whitespace);
    let runs = told.take(4).map(|run| run.trim_matches(EDGES).to_owned());
    // `195/65 R15`: one sample of two words.
    let whole = description.get(start..).unwrap_or_default();
    let whole = whole.split([',', ';', ')']).next().unwrap_or_default();
    let whole = whole.trim().trim_matches(EDGES).to_owned();
    let spaced = (2..=3).contains(&whole.split_whitespace().count())
        && whole
            .split_whitespace()
            .all(|run| form(run).len() < run.len() || run.len() < 3);
    let phrase = Some(whole).filter(|whole| spaced && is_telling(&form(whole)));
    phrase
        .into_iter()
        .chain(runs)
        .filter(|run| is_telling(&form(run)))
        .collect()
}

/// A parameter without samples is written as the parameter of the same name in another tool.
pub(crate) fn share_samples(tools: &mut [Tool]) {
    let params = tools.iter().flat_map(|tool| &tool.params);
    let known: Vec<(String, Vec<String>)> = params
        .filter(|param| !param.samples.is_empty())
        .map(|param| (param.name.clone(), param.samples.clone()))
        .collect();
    for param in tools.iter_mut().flat_map(|tool| &mut tool.params) {
        if let Some((_, samples)) = known.iter().find(|(name, _)| *name == param.name)
            && param.samples.is_empty()
        {
            param.samples.clone_from(samples);
        }
    }
}

/// Whether the text has something that is written as a sample is, with the same first letters.
pub(crate) fn has_like_sample(param: &Param, reading: &Reading) -> bool {
    let own = || {
        let head = reading.head();
        head.get(..reading.background).unwrap_or(head)
    };
    let clear = |text: &str| text.len() > 3 && like(param, text).is_some_and(|score| score > 1.0);
    !param.samples.is_empty()
        && runs(own())
            .iter()
            .any(|run| endings(reading.slice(run)).any(clear))
}

/// What the text has in the form of the samples.
pub(super) fn sampled(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let reading = scene.reading;
    let mut found = Vec::new();
    for run in with_neighbours(leaf.param, runs(reading.head())) {
        let timed = reading
            .moments
            .iter()
            .any(|moment| overlap(&moment.span, &run));
        let measured = reading.quantities.iter().any(|quantity| {
            overlap(&quantity.whole, &run)
                && (quantity.unit.is_some() || quantity.currency.is_some())
        });
        let text = reading.slice(&run);
        let written =
            endings(text).find_map(|text| like(leaf.param, text).map(|score| (text, score)));
        let Some((text, score)) = written else {
            continue;
        };
        let doubt = if timed || (measured && text.is_ascii()) {
            0.4
        } else {
            0.0
        };
        found.push(Candidate::new(
            text,
            run.start..run.start + text.len(),
            score - doubt,
        ));
    }
    found
}

/// Single runs and, where a sample has two or three, as many of them together.
fn with_neighbours(param: &Param, runs: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let longest = param
        .samples
        .iter()
        .map(|sample| sample.split_whitespace().count());
    let longest = longest.max().unwrap_or(1);
    let joined = (2..=longest).rev().flat_map(|count| {
        let windows = runs.windows(count);
        windows.filter_map(|run| Some(run.first()?.start..run.last()?.end))
    });
    let mut all: Vec<Range<usize>> = joined.collect();
    all.extend(runs.iter().cloned());
    all
}

/// How much a text is like a sample: of the same form, and with the same first letters or not.
fn like(param: &Param, text: &str) -> Option<f32> {
    let own = form(text);
    let mut alike = param
        .samples
        .iter()
        .filter(|sample| form(sample) == own)
        .peekable();
    alike.peek()?;
    Some(if alike.any(|sample| head(sample) == head(text)) {
        1.05
    } else {
        0.85
    })
}

fn head(text: &str) -> &str {
    let end = text
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The text, and the text without what may be a particle at its end.
fn endings(text: &str) -> impl Iterator<Item = &str> {
    let hangul = |c: char| ('가'..='힣').contains(&c);
    let tails = text
        .char_indices()
        .rev()
        .take(3)
        .take_while(move |(_, c)| hangul(*c));
    let shorter: Vec<&str> = tails.filter_map(|(at, _)| text.get(..at)).collect();
    std::iter::once(text).chain(shorter)
}

const EDGES: &[char] = &[
    ',', '.', ';', ':', '!', '?', '(', ')', '"', '\'', '“', '”', '„', '¿', '¡', '`',
];

/// What stands between white space, without the marks around it.
fn runs(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for part in text.split_inclusive(char::is_whitespace) {
        let bare = part.trim_start_matches(EDGES);
        let start = from + part.len() - bare.len();
        let end = start
            + bare
                .trim_end_matches(|c: char| c.is_whitespace() || EDGES.contains(&c))
                .len();
        if start < end {
            found.push(start..end);
        }
        from += part.len();
    }
    found
}

/// The kinds of signs in a text, equal neighbours once: `a-9` for `MT-402`.
fn form(text: &str) -> String {
    let kind = |c: char| match c {
        _ if c.is_ascii_digit() => '9',
        _ if c.is_ascii_alphabetic() => 'a',
        _ if c.is_alphabetic() => 'x',
        _ => c,
    };
    let mut form = String::new();
    for sign in text.chars().map(kind) {
        if !form.ends_with(sign) {
            form.push(sign);
        }
    }
    form
}

/// Digits alone have any number's form.
fn is_telling(form: &str) -> bool {
    form.contains('9') && form.contains(['a', 'x', '-', '/', '_'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_stand_behind_their_mark() {
        for (description, sample) in [
            ("Class, e.g. 7b", "7b"),
            ("Visit id such as V-1021", "V-1021"),
            ("예: 12가3456", "12가3456"),
            ("Kennung, z. B. A-12", "A-12"),
        ] {
            assert_eq!(samples(description), [sample]);
        }
        assert!(samples("Between 1 and 20").is_empty());
        assert!(samples("A number, e.g. 12").is_empty());
    }

    #[test]
    fn forms_tell_ids_apart() {
        assert_eq!(form("MT-402"), form("HIVE-7"));
        assert_eq!(form("12가3456"), "9x9");
        assert_ne!(form("7b"), form("B7"));
    }
}
