//! The words of a message, with what each weighs when a tool is chosen.

use std::ops::Range;

use super::cue::preposition;
use super::fill::pattern::Form;
use super::fill::unit::Dimension;
use super::lang::{Lang, is_stop};
use super::reading::{Reading, overlap};
use super::script::is_dense;
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
    /// It stands before the value that it names: `kiln 2`, `block C4`.
    pub(crate) labels: bool,
}

/// Two words that mean one thing, with the part of the text from one to the other: `pick up`, also in
/// `pick them up`.
pub(crate) fn phrases(tokens: &[Token]) -> Vec<(Word, Range<usize>)> {
    let two = |a: &Token, b: &Token| {
        let phrase = Word::new(&format!("{}_{}", a.lower(), b.lower()));
        let whole = !phrase.concepts.is_empty() && !is_dense(a.lower());
        whole.then_some((phrase, a.span.start..b.span.end))
    };
    let apart = |at: usize| {
        let (a, middle, b) = (tokens.get(at)?, tokens.get(at + 1)?, tokens.get(at + 2)?);
        let pronoun = matches!(
            middle.lower(),
            "me" | "it" | "them" | "him" | "her" | "us" | "this" | "that" | "these" | "those"
        );
        two(a, b).filter(|_| pronoun)
    };
    // `double-sided` too
    let near = |at: usize| {
        let hyphen = tokens
            .get(at + 1)
            .is_some_and(|token| token.is_symbol("-") && !token.spaced);
        two(
            tokens.get(at)?,
            tokens.get(at + if hyphen { 2 } else { 1 })?,
        )
    };
    // `roll the service back to`
    let far = |at: usize| {
        let opens = at == 0
            || tokens
                .get(at - 1)
                .is_some_and(|before| !before.is_word() || before.lower() == "and");
        let particle = (at + 2..at + 9).find(|at| {
            let back = tokens.get(*at).is_some_and(|token| {
                matches!(token.lower(), "back" | "off" | "up" | "down" | "out" | "on")
            });
            let closes = tokens.get(at + 1).is_none_or(|next| {
                !next.is_word() || preposition(Lang::En, next.lower()).is_some()
            });
            back && closes
        });
        two(tokens.get(at)?, tokens.get(particle.filter(|_| opens)?)?)
    };
    let found =
        (0..tokens.len()).filter_map(|at| near(at).or_else(|| apart(at)).or_else(|| far(at)));
    found.collect()
}

pub(crate) fn said_words(reading: &Reading) -> Vec<Said> {
    let mut said: Vec<Said> = Vec::new();
    for (at, token) in reading.tokens.iter().enumerate() {
        let lower = token.lower();
        if !token.is_word() || reading.is_quoted(&token.span) || said.len() >= MAX_WORDS {
            continue;
        }
        let mut here = reading
            .phrases
            .iter()
            .filter(|(_, span)| span.start == token.span.start);
        if let Some((pair, _)) = here.next() {
            said.push(Said {
                word: pair.clone(),
                weight: 0.9,
                exact: false,
                labels: false,
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
            // `잠갔는지 확인해줘` locks nothing.
            () if reading.lang == Lang::Ko && lower.ends_with("는지") => 0.3,
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
            labels: labels_value(reading, at),
        });
    }
    said.extend(implied(reading));
    said
}

/// Whether a word stands before a number, a code or a letter that it names.
fn labels_value(reading: &Reading, at: usize) -> bool {
    let between =
        |token: &&Token| matches!(token.lower(), "number" | "no" | "nr" | "#" | "id" | ":");
    let value = reading
        .tokens
        .iter()
        .skip(at + 1)
        .find(|token| !between(token));
    value.is_some_and(|value| {
        let coded = |form: Form| matches!(form, Form::Id | Form::Code);
        let letter = reading.slice(&value.span).chars().all(char::is_uppercase)
            && value.lower().chars().count() == 1;
        let formed = || {
            let mut all = reading.formed.iter();
            all.any(|formed| coded(formed.form) && overlap(&formed.span, &value.span))
        };
        value.is_number() || letter || formed()
    })
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
        keys.extend([("message", 0.7), ("send", 0.7), ("notify", 0.7)]);
    }
    let money = reading
        .quantities
        .iter()
        .any(|quantity| quantity.currency.is_some());
    if money
        && reading
            .tokens
            .iter()
            .any(|token| token.word.actions().any(|action| action == Action::Send))
    {
        keys.extend([("transfer", 0.6), ("money", 0.8), ("send_money", 0.6)]);
    }
    // `1,800 euros a month`
    let monthly = reading.tokens.windows(2).any(|pair| {
        let [per, month] = pair else { return false };
        matches!(per.lower(), "a" | "per" | "each" | "every") && month.lower() == "month"
    });
    if money && monthly {
        keys.extend([("rent", 0.6), ("monthly", 0.5)]);
    }
    // `약 먹으라고 알려줘`
    let told = reading.tokens.windows(2).any(|pair| {
        let [said, verb] = pair else { return false };
        let ends = ["라고", "다고", "자고"]
            .iter()
            .any(|end| said.lower().ends_with(end));
        ends && !reading.is_quoted(&said.span) && verb.lower().starts_with("알려")
    });
    if told {
        keys.extend([("reminder", 0.8), ("notify", 0.5)]);
    }
    if reading
        .tokens
        .iter()
        .any(|token| token.lower().starts_with("며칠"))
    {
        keys.extend([("day", 0.8), ("count", 0.5), ("days", 0.5)]);
    }
    let asks_time = reading.tokens.windows(2).any(|pair| {
        let [what, noun] = pair else { return false };
        what.lower() == "what" && matches!(noun.lower(), "day" | "date" | "time" | "weekday")
    });
    let now = |token: &Token| matches!(token.lower(), "it" | "today" | "now");
    if asks_time && reading.tokens.iter().any(now) {
        keys.extend([("time", 1.0), ("clock", 0.5)]);
    }
    let first = reading
        .tokens
        .iter()
        .find(|token| token.is_word())
        .map_or("", Token::lower);
    if matches!(first, "where" | "where's" | "wo" | "dónde" | "où") {
        keys.extend([("location", 0.6), ("track", 0.4)]);
    }
    keys.extend(super::hints::hinted(&reading.tokens));
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
                let (unit, _) = super::fill::unit::unit_prefix(token.lower())?;
                let scale = token.capital && matches!(token.lower(), "c" | "f");
                (token.lower().chars().count() > 1 || scale).then_some(unit.dimension)
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
    let said = reading.tokens.iter().filter_map(|token| {
        let mut forms = [token.lower(), token.word.stem.as_str()].into_iter();
        forms.find_map(super::world::currency_of)
    });
    let mut monies: Vec<&str> = said.collect();
    let counted = reading.quantities.iter().filter_map(|q| q.currency);
    for code in counted {
        if !monies.contains(&code) {
            monies.push(code);
        }
    }
    if reading
        .quantities
        .iter()
        .any(|quantity| quantity.currency.is_some())
    {
        keys.push(("price", 0.4));
    }
    if monies.len() >= 2 {
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
            labels: false,
        })
        .collect()
}
