//! Listed values that are said in part, by their initials, or by one letter.

use super::choice_kind::is_of_kind;
use super::leaf::{Candidate, Scene};
use crate::demo::lang::is_stop;
use crate::demo::schema::Choice;
use crate::demo::words::{Token, Word};

/// `lost` for `closed_lost`, `renew my passport` for `passport_renewal`: words of the choice in any order,
/// of which one is a word of no other choice.
pub(super) fn partly(choice: &Choice, all: &[Choice], scene: &Scene<'_>) -> Option<Candidate> {
    let reading = scene.reading;
    let told = |word: &Word| word.lower.chars().count() > 2 || !word.lower.is_ascii();
    let words: Vec<&Word> = choice.words.iter().filter(|word| told(word)).collect();
    if choice.words.len() < 2 {
        return None;
    }
    let said = |word: &Word| {
        let mut tokens = reading.tokens.iter();
        tokens.find(|token| {
            let like =
                token.is_word() && (word.likeness(&token.word) >= 0.75 || is_of_kind(word, token));
            like && !reading.is_quoted(&token.span)
                && !reading.is_negated(&token.span)
                && (word.lower == token.lower() || !is_stop(reading.lang, token.lower()))
                && token.span.start < reading.background
        })
    };
    let own = |word: &Word| {
        let others = all.iter().filter(|other| other.value != choice.value);
        !others
            .flat_map(|other| &other.words)
            .any(|other| other.likeness(word) >= 0.75)
    };
    let found: Vec<(&Word, &Token)> = words
        .iter()
        .filter_map(|word| Some((*word, said(word)?)))
        .collect();
    let of_tool = |token: &Token| scene.tool.words.iter().any(|word| word.is(&token.word));
    let telling = found
        .iter()
        .any(|(word, token)| own(word) && !of_tool(token));
    let score = match found.len() == words.len() {
        true if words.len() > 1 => 0.85,
        _ if telling => 0.4 + 0.3 * found.len() as f32 / words.len() as f32,
        _ => return None,
    };
    // `on my card, not as credit`
    let ruled_out = all.iter().any(|other| {
        let said = |word: &Word| {
            let mut tokens = reading.tokens.iter();
            tokens.any(|token| word.is(&token.word) && reading.is_negated(&token.span))
        };
        other.value != choice.value && !other.words.is_empty() && other.words.iter().all(said)
    });
    let score = if ruled_out { score + 0.25 } else { score };
    let mut candidate = Candidate::new(choice.value.clone(), 0..0, score);
    candidate.spans = found.iter().map(|(_, token)| token.span.clone()).collect();
    Some(candidate)
}

/// `AB negative` for `AB-`, `B plus` for `B+`.
pub(super) fn by_sign_word(choice: &Choice, scene: &Scene<'_>) -> Option<Candidate> {
    let value = choice.value.as_str()?;
    let (letters, words) = match value.strip_suffix('-') {
        Some(letters) => (letters, ["negative", "minus"]),
        None => (value.strip_suffix('+')?, ["positive", "plus"]),
    };
    let pair = scene.reading.tokens.windows(2).find(|pair| match pair {
        [name, sign] => scene.reading.slice(&name.span) == letters && words.contains(&sign.lower()),
        _ => false,
    })?;
    let span = pair.first()?.span.start..pair.last()?.span.end;
    Some(Candidate::new(choice.value.clone(), span, 1.0))
}

/// `European Union` for `EU`.
pub(super) fn by_initials(choice: &Choice, scene: &Scene<'_>) -> Option<Candidate> {
    let value = choice.value.as_str()?;
    let length = value.chars().count();
    if !(2..=5).contains(&length) || !value.chars().all(|c| c.is_ascii_uppercase()) {
        return None;
    }
    let run = scene.reading.tokens.windows(length).find(|run| {
        let mut pairs = run.iter().zip(value.chars());
        pairs.all(|(token, c)| {
            token.capital && token.is_word() && scene.reading.slice(&token.span).starts_with(c)
        })
    })?;
    let span = run.first()?.span.start..run.last()?.span.end;
    Some(Candidate::new(choice.value.clone(), span, 0.85))
}

/// `between 10 and 12` for `10-12`.
pub(super) fn as_range(choice: &Choice, text: &str, scene: &Scene<'_>) -> Option<Candidate> {
    let hour = |text: &str| {
        text.trim()
            .trim_end_matches(":00")
            .trim_end_matches('h')
            .parse::<f64>()
            .ok()
    };
    let (first, last) = text.split_once(['-', '–', '~'])?;
    let (first, last) = (hour(first)?, hour(last)?);
    let reading = scene.reading;
    let pair = reading.quantities.windows(2).find(|pair| {
        let [a, b] = pair else { return false };
        let between = reading
            .text
            .get(a.whole.end..b.span.start)
            .unwrap_or_default();
        let joint = between.trim().trim_matches(|c: char| c == ',' || c == ':');
        let late =
            |value: f64, wanted: f64| value == wanted || value < 12.0 && value + 12.0 == wanted;
        matches!(
            joint,
            "and"
                | "to"
                | "-"
                | "–"
                | "und"
                | "bis"
                | "y"
                | "a"
                | "et"
                | "~"
                | "부터"
                | "에서"
                | "pm and"
                | "am and"
                | "am to"
                | "pm to"
        ) && late(a.value, first)
            && late(b.value, last)
    })?;
    let span = pair.first()?.span.start..pair.last()?.whole.end;
    Some(Candidate::new(choice.value.clone(), span, 0.85))
}

/// `Wollprogramm` for `Wolle`.
pub(super) fn is_in_compound(choice: &str, word: &str) -> bool {
    let root = choice.strip_suffix(['e', 'n', 's']).unwrap_or(choice);
    root.chars().count() >= 4
        && word.len() >= root.len() + 3
        && (word.starts_with(root) || word.ends_with(choice))
}

/// `an A record`, `size L`, `large`: a choice of one letter.
pub(super) fn as_letter(
    choice: &Choice,
    at: usize,
    token: &Token,
    scene: &Scene<'_>,
) -> Option<f32> {
    let letter = choice.value.as_str()?;
    let size = match letter {
        "S" => "small",
        "M" => "medium",
        "L" => "large",
        _ => "",
    };
    if !size.is_empty() && Word::new(size).likeness(&token.word) >= 0.75 {
        return Some(0.8);
    }
    let written =
        scene.reading.slice(&token.span) == letter && letter.chars().all(char::is_uppercase);
    let glued = scene
        .reading
        .after(token.span.end, 0)
        .is_some_and(|next| !next.spaced && !next.lower().is_ascii());
    (written && (at > 0 || glued)).then_some(0.8)
}

/// `13x18`: a value with digits, written as it is listed.
pub(super) fn verbatim(choice: &Choice, text: &str, scene: &Scene<'_>) -> Option<Candidate> {
    let reading = scene.reading;
    let letters = text.contains(|c: char| c.is_alphabetic());
    let telling = (text.chars().count() > 2 || letters)
        && text.contains(|c: char| c.is_ascii_digit())
        || is_signed(text);
    let lower = reading.head().to_ascii_lowercase();
    let edge = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    let (at, _) = lower.match_indices(text).find(|(at, _)| {
        let before = lower.get(..*at).and_then(|head| head.chars().next_back());
        let after = lower
            .get(at + text.len()..)
            .and_then(|tail| tail.chars().next());
        edge(before) && edge(after)
    })?;
    let span = at..at + text.len();
    telling.then(|| Candidate::new(choice.value.clone(), span, 1.0))
}

/// `B+`: one letter and a sign.
pub(super) fn is_signed(text: &str) -> bool {
    text.chars().count() == 2 && text.ends_with(['+', '-'])
}

/// `*` for `multiply`, between two numbers.
pub(super) fn operator(choice: &Choice, at: usize, token: &Token, tokens: &[Token]) -> Option<f32> {
    let key = match token.lower() {
        "+" => "plus",
        "-" => "minus",
        "*" | "×" => "times",
        _ => "divide",
    };
    let number = |at: Option<usize>| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(Token::is_number)
    };
    let between = number(at.checked_sub(1)) && number(Some(at + 1));
    let meant = choice.words.iter().any(|word| word.is_about(key))
        || choice.value.as_str() == Some(token.lower());
    (between && meant).then_some(0.9)
}
