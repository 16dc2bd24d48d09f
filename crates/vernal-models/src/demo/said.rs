//! The words of a message, with what each weighs when a tool is chosen.

use super::cue::preposition;
use super::fill::pattern::Form;
use super::fill::unit::Dimension;
use super::lang::{Lang, is_stop};
use super::reading::{Reading, overlap};
use super::synonyms::Action;
use super::words::{Token, Word};
use super::world::language_named;

/// The most words of a text that are compared.
const MAX_WORDS: usize = 60;

/// A word of the text with its weight.
pub(crate) struct Said {
    pub(crate) word: Word,
    pub(crate) weight: f32,
    /// Only the same word counts: it is a name, or was not written at all.
    pub(crate) exact: bool,
}

pub(crate) fn said_words(reading: &Reading) -> Vec<Said> {
    let mut said: Vec<Said> = Vec::new();
    for (at, token) in reading.tokens.iter().enumerate() {
        let lower = token.lower();
        if !token.is_word() || reading.is_quoted(&token.span) || said.len() >= MAX_WORDS {
            continue;
        }
        let pair = reading
            .tokens
            .get(at + 1)
            .map(|next| Word::new(&format!("{lower}_{}", next.lower())));
        if let Some(pair) = pair.filter(|pair| !pair.concepts.is_empty()) {
            said.push(Said {
                word: pair,
                weight: 0.9,
                exact: false,
            });
        }
        let question = token.word.is_action();
        let negated = reading.is_negated(&token.span);
        if negated && question {
            continue;
        }
        if preposition(reading.lang, lower).is_some() && token.word.concepts.is_empty() {
            continue;
        }
        if is_stop(reading.lang, lower) && !question && !token.word.is_about("extra") {
            continue;
        }
        let timed = reading
            .moments
            .iter()
            .any(|moment| overlap(&moment.span, &token.span))
            || reading
                .durations
                .iter()
                .any(|duration| overlap(&duration.span, &token.span));
        let next = reading.tokens.get(at + 1).map_or("", Token::lower);
        let only_reads = question && token.word.actions().all(|action| action == Action::Read);
        let mut weight = match () {
            () if timed => 0.3,
            () if only_reads && is_stop(reading.lang, lower) => 0.12,
            () if lower == "tell" && matches!(next, "me" | "us") => 0.12,
            () if only_reads => 0.3,
            () if question && token.word.concepts.len() == token.word.actions().count() => 0.7,
            () => 1.0,
        };
        if token.span.start >= reading.background {
            weight *= 0.4;
        }
        if negated {
            // What is ruled out still tells what the message is about.
            weight *= 0.25;
        }
        let name = token.capital && at > 0 && reading.lang != Lang::De;
        said.push(Said {
            word: token.word.clone(),
            weight,
            exact: name,
        });
    }
    said.extend(implied(reading));
    said
}

/// Words that are not said but meant by what is there: a calculation, an address, amounts of money.
fn implied(reading: &Reading) -> Vec<Said> {
    let mut keys: Vec<(&str, f32)> = Vec::new();
    if let Some(expression) = &reading.expression {
        keys.push(("calculate", if expression.signs { 0.8 } else { 0.6 }));
        for (sign, key) in [
            ("+", "plus"),
            ("-", "minus"),
            ("*", "times"),
            ("/", "divide"),
            ("sqrt", "sqrt"),
        ] {
            if expression.text.contains(sign) {
                keys.push((key, 0.6));
            }
        }
    }
    let at = |word: &str| {
        reading
            .tokens
            .iter()
            .position(|token| token.lower() == word)
    };
    if let (Some(lets), Some(know)) = (at("let"), at("know"))
        && (lets..lets + 5).contains(&know)
    {
        keys.extend([("message", 0.7), ("send", 0.7)]);
    }
    for formed in &reading.formed {
        match formed.form {
            Form::Email => keys.push(("email", 0.4)),
            Form::Url | Form::Domain => keys.push(("url", 0.8)),
            Form::Path => {
                let name = formed.text.rsplit('/').next().unwrap_or_default();
                let (kind, verb) = if name.contains('.') {
                    ("file", "read")
                } else {
                    ("directory", "list")
                };
                keys.extend([(kind, 0.8), (verb, 0.4)]);
            }
            Form::Handle if formed.text.starts_with('#') => keys.push(("channel", 0.6)),
            Form::Handle => keys.push(("user", 0.3)),
            Form::Phone => keys.push(("phone", 0.4)),
            _ => {}
        }
    }
    let counted = |token: &Token| {
        reading
            .quantities
            .iter()
            .any(|quantity| overlap(&quantity.whole, &token.span))
    };
    let mut units: Vec<Dimension> = reading
        .quantities
        .iter()
        .filter_map(|q| Some(q.unit?.dimension))
        .collect();
    units.extend(
        reading
            .tokens
            .iter()
            .filter(|token| !counted(token))
            .filter_map(|token| {
                let unit = super::fill::unit::unit_of(token.lower())?;
                (token.lower().chars().count() > 1).then_some(unit.dimension)
            }),
    );
    let physical = |dimension: &&Dimension| {
        !matches!(
            dimension,
            Dimension::Pieces | Dimension::People | Dimension::Percent
        )
    };
    let mut measured = units.iter().filter(physical);
    if measured
        .next()
        .is_some_and(|first| measured.any(|second| first == second))
    {
        keys.push(("convert", 0.6));
        keys.push(("unit", 0.6));
    }
    if reading.quantities.iter().any(|q| {
        q.unit
            .is_some_and(|unit| unit.dimension == Dimension::Temperature)
    }) {
        keys.push(("temperature", 0.6));
    }
    let monies = reading.tokens.iter().filter(|token| {
        [token.lower(), &token.word.stem]
            .iter()
            .any(|word| super::world::currency_of(word).is_some())
    });
    if monies.count() >= 2 {
        keys.push(("currency", 0.8));
        keys.push(("convert", 0.5));
    }
    let speaks_of_language = reading.tokens.iter().any(|token| {
        token.is_word()
            && [token.lower(), &token.word.stem]
                .iter()
                .any(|word| language_named(word).is_some())
    });
    if speaks_of_language {
        keys.push(("translate", 0.5));
    }
    let lower = reading
        .text
        .get(..reading.text.len().min(400))
        .unwrap_or_default()
        .to_lowercase();
    if lower.contains("select ") && lower.contains(" from ") {
        keys.push(("database", 0.7));
    }
    keys.into_iter()
        .map(|(key, weight)| Said {
            word: Word::new(key),
            weight,
            exact: false,
        })
        .collect()
}
