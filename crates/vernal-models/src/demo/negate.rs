//! What a message says is not wanted: `don't cancel it, move it`, `fourteen instead of 11`, `A 말고 B`.

use std::ops::Range;

use super::cue::{ends_sentence, preposition};
use super::fill::moment::Moment;
use super::fill::number::{Quantity, Written};
use super::lang::Lang;
use super::words::Token;

/// The parts of a text that are ruled out. What is only reported (`it doesn't work`) is none of them.
pub(crate) fn negated(tokens: &[Token], lang: Lang) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let ruled_out = match lang {
            Lang::En => english(tokens, at).or_else(|| contrast(tokens, at, lang)),
            Lang::De => german(tokens, at).or_else(|| contrast(tokens, at, lang)),
            Lang::Es => spanish(tokens, at).or_else(|| contrast(tokens, at, lang)),
            Lang::Ko => korean(tokens, at),
            _ => None,
        };
        let span = ruled_out.and_then(|range| {
            let (first, last) = (
                tokens.get(range.start)?,
                tokens.get(range.end.checked_sub(1)?)?,
            );
            Some(first.span.start..last.span.end)
        });
        found.extend(span);
    }
    found
}

/// `at six, no, make that seven`: times and numbers before a correction that gives others of their kind.
pub(crate) fn corrected(
    tokens: &[Token],
    moments: &[Moment],
    quantities: &[Quantity],
) -> Vec<Range<usize>> {
    let corrects = |at: &usize| {
        let before = word_before(tokens, *at, 1);
        let opens = *at > 0 && !before.chars().any(char::is_alphanumeric);
        match (word(tokens, *at), word(tokens, *at + 1)) {
            ("아니다" | "아니" | "아냐" | "아참", _) => true,
            ("make" | "scratch", "that")
            | ("i", "mean")
            | ("no", "wait")
            | ("wait", "no" | ",") => true,
            ("no" | "actually" | "nein" | "non", ",") => opens,
            ("actually", "make") | ("doch", "lieber") | ("mejor", _) => opens,
            _ => false,
        }
    };
    let Some(at) = (1..tokens.len()).find(corrects) else {
        return Vec::new();
    };
    let Some(start) = tokens.get(at).map(|token| token.span.start) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let (before, after): (Vec<_>, Vec<_>) = moments.iter().partition(|m| m.span.start < start);
    for moment in before {
        let timed = after.iter().any(|other| other.has_time());
        let dated = after.iter().any(|other| other.day.is_some());
        found.extend(moment.time_span.clone().filter(|_| timed));
        found.extend(moment.day_span.clone().filter(|_| dated));
    }
    let inside = |quantity: &Quantity| {
        let mut all = moments.iter();
        all.any(|moment| {
            moment.span.start <= quantity.span.start && quantity.span.end <= moment.span.end
        })
    };
    let plain = quantities
        .iter()
        .filter(|quantity| !inside(quantity) && quantity.written != Written::Article);
    let (before, after): (Vec<_>, Vec<_>) = plain.partition(|q| q.span.start < start);
    for quantity in before {
        let alike = after
            .iter()
            .any(|other| other.unit.map(|u| u.dimension) == quantity.unit.map(|u| u.dimension));
        found.extend(alike.then(|| quantity.span.clone()));
    }
    found
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", Token::lower)
}

fn word_before(tokens: &[Token], at: usize, back: usize) -> &str {
    at.checked_sub(back).map_or("", |at| word(tokens, at))
}

/// Where a part of a sentence ends and what is wanted instead may begin.
fn ends_part(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else {
        return true;
    };
    let dash = matches!(token.lower(), "-" | "–" | "—") && token.spaced;
    dash || ends_sentence(token.lower()) && tokens.get(at + 1).is_none_or(|next| next.spaced)
        || matches!(
            token.lower(),
            "," | "but" | "just" | "instead" | "sondern" | "aber" | "sino" | "pero"
        )
}

fn part_end(tokens: &[Token], from: usize) -> usize {
    (from..tokens.len())
        .find(|at| ends_part(tokens, *at))
        .unwrap_or(tokens.len())
}

/// `don't cancel it`, `I don't want to end anything`, `not the blue one`, `I'm not ordering yet`.
fn english(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let opens = |at: usize| {
        let before = word_before(tokens, at, 1);
        at == 0
            || ends_part(tokens, at - 1)
            || matches!(
                before,
                "please" | "and" | "so" | "i" | "we" | "do" | "rather" | "better"
            )
    };
    // `no need to order ink`, `without paying tolls`
    let needless = match (word(tokens, at), word(tokens, at + 1), word(tokens, at + 2)) {
        ("no", "need", "to" | "for") => Some(3),
        ("needn't" | "stop" | "avoid" | "without", next, _) if next.ends_with("ing") => Some(1),
        ("no", "longer", next) if next.starts_with("need") || next.starts_with("want") => Some(2),
        ("don't" | "doesn't" | "not", "have" | "need", "to") => Some(3),
        _ => None,
    };
    if let Some(length) = needless
        && (at == 0 || word(tokens, at) != "stop")
    {
        return Some(at..part_end(tokens, at + length));
    }
    let negation = match word(tokens, at) {
        "don't" | "dont" | "never" => opens(at),
        "not" => {
            let being = matches!(word_before(tokens, at, 1), "i'm" | "we're" | "am");
            being || opens(at)
        }
        _ => false,
    };
    let meant = |word: &str| {
        matches!(
            word,
            "forget"
                | "know"
                | "think"
                | "understand"
                | "remember"
                | "mind"
                | "worry"
                | "hesitate"
                | "sure"
                | "yet"
                | "feel"
                | "see"
                | "until"
                | "more"
                | "less"
                | "later"
                | "only"
        )
    };
    let spoils = (1..4).any(|ahead| word(tokens, at + ahead) == "forget");
    let wanted = !meant(word(tokens, at + 1)) && !spoils;
    (negation && wanted).then(|| at..part_end(tokens, at + 1))
}

/// `instead of 11`, `rather than tea`: up to the next small word.
fn contrast(tokens: &[Token], at: usize, lang: Lang) -> Option<Range<usize>> {
    let opens = matches!(
        (word(tokens, at), word(tokens, at + 1)),
        ("instead", "of") | ("rather", "than") | ("lugar" | "vez", "de")
    );
    let length = match word(tokens, at) {
        _ if opens => 2,
        "anstatt" | "statt" => 1,
        _ => return None,
    };
    let from = at + length;
    let ends = |at: &usize| {
        *at > from
            && (ends_part(tokens, *at)
                || preposition(lang, word(tokens, *at)).is_some()
                || matches!(word(tokens, *at), "and" | "und" | "y"))
    };
    let end = (from..(from + 5).min(tokens.len())).find(ends);
    Some(at..end.unwrap_or((from + 5).min(tokens.len())))
}

/// `nicht absagen, sondern verschieben`: all of the part that `sondern` corrects.
fn german(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    if !matches!(word(tokens, at), "nicht" | "kein" | "keine" | "keinen") {
        return None;
    }
    let end = part_end(tokens, at);
    let corrected = (end..end + 2).any(|next| word(tokens, next) == "sondern");
    let start = (0..at)
        .rev()
        .find(|at| ends_part(tokens, *at))
        .map_or(0, |at| at + 1);
    corrected.then_some(start..end)
}

/// `no canceles la cita, muévela`.
fn spanish(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let opens = at == 0 || ends_part(tokens, at - 1) || word_before(tokens, at, 1) == "favor";
    let verb = tokens.get(at + 1).is_some_and(|next| {
        next.word.is_action() || matches!(next.lower(), "quiero" | "quisiera" | "necesito")
    });
    (word(tokens, at) == "no" && opens && verb).then(|| at..part_end(tokens, at + 1))
}

/// `끝내지 말고`, `커피 말고`: the word before, which is the verb or the thing.
fn korean(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let said = word(tokens, at);
    let negation = matches!(
        said,
        "말고"
            | "마시고"
            | "말아"
            | "마세요"
            | "말아줘"
            | "마"
            | "말아요"
            | "마라"
            | "마요"
            | "말자"
            | "말아주세요"
            | "말래"
            | "대신"
            | "대신에"
    );
    if negation && at > 0 {
        return Some(at - 1..at + 1);
    }
    // `예약할 필요 없어`, `안 사도 돼`, `취소 안 할래`
    let needless =
        said.starts_with("필요") && (word(tokens, at + 1).starts_with('없') || said.contains("없"));
    if needless && at > 0 {
        return Some(at - 1..(at + 2).min(tokens.len()));
    }
    let spared = said == "안"
        && tokens
            .get(at + 1)
            .is_some_and(|verb| verb.lower().ends_with("도"));
    let declined = said == "안"
        && ["할래", "할게", "해도", "할", "해"].contains(&word(tokens, at + 1))
        && at > 0;
    match () {
        // `날씨는 안 알려줘도 돼`
        () if spared => Some(at.saturating_sub(1)..(at + 3).min(tokens.len())),
        () if declined => Some(at - 1..(at + 2).min(tokens.len())),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::demo::reading::Reading;

    #[test]
    fn what_is_ruled_out_ends_where_the_wish_begins() {
        for (text, negated) in [
            ("Please don't cancel A-1, move it", "don't cancel A-1"),
            (
                "I don't want to end anything, just switch",
                "don't want to end anything",
            ),
            ("fourteen of us instead of 11 for A-1", "instead of 11"),
            (
                "to press. Not the trial people, please",
                "Not the trial people",
            ),
            (
                "I'm not ordering anything yet.",
                "not ordering anything yet",
            ),
            (
                "Bitte nicht absagen, sondern verschieben",
                "Bitte nicht absagen",
            ),
            (
                "por favor no canceles la cita, muévela",
                "no canceles la cita",
            ),
            ("주차 끝내지 말고 연장해 주세요", "끝내지 말고"),
        ] {
            let reading = Reading::new(text);
            let found: Vec<_> = reading
                .negated
                .iter()
                .map(|span| reading.slice(span))
                .collect();
            assert_eq!(found, [negated], "{text}");
        }
    }

    #[test]
    fn reports_and_reminders_rule_nothing_out() {
        for text in [
            "The heater does not work",
            "Don't forget to call Ann",
            "I don't know the address",
            "My lights don't turn on",
        ] {
            assert!(Reading::new(text).negated.is_empty(), "{text}");
        }
    }
}
