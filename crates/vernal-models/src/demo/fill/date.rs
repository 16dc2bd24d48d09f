//! Calendar days in a text: `Dec 24`, `24.12.`, `next Monday`, `tomorrow`, `내일`, `2025-12-24`.

use super::calendar::{LAST, MONTH, NEXT, THIS, WEEKDAY, near, word};
use super::date_digits::{fixed, numeric, year_of};
use super::duration::Length;
use super::period::{Stretch, holiday, in_range, month, stretch};
use crate::demo::cue::preposition;
use crate::demo::lang::Lang;
use crate::demo::words::{Token, TokenKind};

/// A day as it is said; most need to know today.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Day {
    Fixed {
        year: Option<i16>,
        month: i8,
        day: i8,
    },
    /// So many days from today.
    FromToday(i64),
    /// A weekday, Monday being 1: the next one, or the one in a week counted from this one.
    Weekday { day: i8, week: Option<i64> },
    /// The next time the month has this day.
    OfMonth(i8),
    /// A day of this month, or of one so many ahead.
    InMonth { ahead: i64, day: i8 },
    /// A length of time from today; negative lengths are in the past.
    After { months: i64, days: i64 },
    /// A whole month, in the year where one was said.
    Month { year: Option<i16>, month: i8 },
    /// A whole week, month or year: this one, or one so many ahead of it.
    Stretch { stretch: Stretch, ahead: i64 },
}

fn small(tokens: &[Token], at: usize, max: i8) -> Option<i8> {
    let token = tokens
        .get(at)
        .filter(|token| token.kind == TokenKind::Number)?;
    token
        .lower()
        .parse::<i8>()
        .ok()
        .filter(|n| (1..=max).contains(n))
}

fn year(tokens: &[Token], at: usize) -> Option<i16> {
    let token = tokens
        .get(at)
        .filter(|token| token.kind == TokenKind::Number)?;
    year_of(token.lower()).filter(|_| token.lower().len() == 4)
}

/// The day that is said at a token, and the index after it.
pub(crate) fn day_at(tokens: &[Token], at: usize, lang: Lang) -> Option<(Day, usize)> {
    numeric(tokens, at, lang)
        .or_else(|| in_range(tokens, at))
        .or_else(|| with_month_name(tokens, at))
        .or_else(|| with_month_sign(tokens, at))
        .or_else(|| weekday(tokens, at))
        .or_else(|| stretch(tokens, at))
        .or_else(|| named(tokens, at, lang))
        .or_else(|| holiday(tokens, at))
        .or_else(|| month(tokens, at))
        .or_else(|| day_of_month(tokens, at))
}

/// `December 24th, 2025`, `24 December`, `24. Dezember`, `24 de diciembre de 2025`.
fn with_month_name(tokens: &[Token], at: usize) -> Option<(Day, usize)> {
    let first = tokens.get(at)?;
    let after_year = |mut next: usize| -> (Option<i16>, usize) {
        let start = next;
        if matches!(word(tokens, next), "," | "de" | "del" | "of") {
            next += 1;
        }
        year(tokens, next).map_or((None, start), |year| (Some(year), next + 1))
    };
    if let Some(month) = MONTH.first(first.lower()).filter(|_| first.is_word()) {
        let mut next = at + 1;
        if tokens.get(next).is_some_and(|t| t.is_symbol(".")) {
            next += 1;
        }
        if word(tokens, next) == "the" {
            next += 1;
        }
        let day = small(tokens, next, 31)?;
        next += 1;
        if matches!(word(tokens, next), "st" | "nd" | "rd" | "th") {
            next += 1;
        }
        // `May 5 people` counts people.
        let (year, next) = after_year(next);
        return fixed(year, month, day).map(|day| (day, next));
    }
    let day = small(tokens, at, 31)?;
    let mut next = at + 1;
    while matches!(
        word(tokens, next),
        "st" | "nd" | "rd" | "th" | "." | "of" | "de" | "º"
    ) && next < at + 4
    {
        next += 1;
    }
    let month = tokens
        .get(next)
        .filter(|t| t.is_word())
        .and_then(|t| MONTH.first(t.lower()))?;
    let dot = usize::from(
        tokens
            .get(next + 1)
            .is_some_and(|t| t.is_symbol(".") && !t.spaced),
    );
    let (year, next) = match after_year(next + 1 + dot) {
        (None, _) => (None, next + 1),
        found => found,
    };
    fixed(year, month, day).map(|day| (day, next))
}

/// `2025년 12월 24일`, `12月24日`.
fn with_month_sign(tokens: &[Token], at: usize) -> Option<(Day, usize)> {
    let sign_at = |at: usize, signs: &[&str]| {
        tokens
            .get(at)
            .is_some_and(|t| signs.iter().any(|sign| t.lower().starts_with(sign)))
    };
    if let Some(year) = year(tokens, at)
        && sign_at(at + 1, &["년", "年"])
    {
        let (day, next) = with_month_sign(tokens, at + 2)?;
        let Day::Fixed { month, day, .. } = day else {
            return None;
        };
        return Some((
            Day::Fixed {
                year: Some(year),
                month,
                day,
            },
            next,
        ));
    }
    let month = small(tokens, at, 12)?;
    if !sign_at(at + 1, &["월", "月"]) {
        return None;
    }
    let day = small(tokens, at + 2, 31)?;
    if !sign_at(at + 3, &["일", "日", "号"]) {
        return None;
    }
    fixed(None, month, day).map(|day| (day, at + 4))
}

/// `Monday`, `next Monday`, `last Friday`, `다음 주 월요일`, `来週の月曜日`, `Monday next week`.
fn weekday(tokens: &[Token], at: usize) -> Option<(Day, usize)> {
    let mut next = at;
    let mut week = None;
    let said = word(tokens, next);
    let is_week =
        |word: &str| matches!(word, "week" | "주" | "woche" | "semana") || word.starts_with("주의");
    if NEXT.contains(&said) && is_week(word(tokens, next + 1))
        || matches!(said, "다음주" | "来週" | "下周")
    {
        week = Some(1);
    } else if THIS.contains(&said) && is_week(word(tokens, next + 1))
        || matches!(said, "이번주" | "今週" | "本周")
    {
        week = Some(0);
    } else if LAST.contains(&said) && is_week(word(tokens, next + 1))
        || matches!(said, "지난주" | "先週" | "上周")
    {
        week = Some(-1);
    }
    if week.is_some() {
        next += if is_week(word(tokens, next + 1)) {
            2
        } else {
            1
        };
        while matches!(word(tokens, next), "on" | "の" | "am") {
            next += 1;
        }
        let day = tokens
            .get(next)
            .and_then(|_| WEEKDAY.first(word(tokens, next)))?;
        return Some((Day::Weekday { day, week }, next + 1));
    }
    let (before_last, prefixed) = (
        LAST.contains(&said),
        NEXT.contains(&said) || THIS.contains(&said),
    );
    if before_last || prefixed {
        next += 1;
    }
    let token = tokens.get(next).filter(|t| t.is_word())?;
    let day = WEEKDAY.first(word(tokens, next))?;
    // `sun`, `mar` and `sat` are words of their own unless they look like a name or are qualified.
    if token.lower().len() <= 3
        && token.lower().is_ascii()
        && !(prefixed || before_last || token.capital && is_placed(tokens, next))
    {
        return None;
    }
    next += 1;
    if before_last {
        week = Some(i64::MIN);
    } else if NEXT.contains(&word(tokens, next)) && is_week(word(tokens, next + 1)) {
        return Some((Day::Weekday { day, week: Some(1) }, next + 2));
    } else if NEXT.contains(&word(tokens, next)) {
        next += 1;
    }
    Some((Day::Weekday { day, week }, next))
}

/// Whether a short name of a day stands where a day may: `on Sun`, `Sat 5pm`, not `Klara and the Sun`.
fn is_placed(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| word(tokens, before));
    let after = tokens.get(at + 1);
    matches!(
        before,
        "" | "on"
            | "by"
            | "until"
            | "till"
            | "every"
            | "from"
            | "to"
            | "before"
            | "after"
            | "since"
            | ","
            | "for"
            | "-"
            | "("
    ) || after.is_some_and(|token| {
        token.is_number() || matches!(token.lower(), "at" | "morning" | "evening" | "," | "-")
    })
}

/// `tomorrow`, `the day after tomorrow`.
fn named(tokens: &[Token], at: usize, lang: Lang) -> Option<(Day, usize)> {
    let words: Vec<&str> = (at..at + 4).map(|at| word(tokens, at)).collect();
    match words.as_slice() {
        ["day", "after", "tomorrow", ..] => return Some((Day::FromToday(2), at + 3)),
        ["day", "before", "yesterday", ..] => return Some((Day::FromToday(-2), at + 3)),
        ["pasado", "mañana", ..] => return Some((Day::FromToday(2), at + 2)),
        ["después", "de", "mañana", ..] => return Some((Day::FromToday(1), at + 3)),
        ["après", "-", "demain", ..] => return Some((Day::FromToday(2), at + 3)),
        ["après", "demain", ..] => return Some((Day::FromToday(2), at + 2)),
        _ => {}
    }
    let first = words.first().copied()?;
    let before = at.checked_sub(1).map_or("", |before| word(tokens, before));
    // `la mañana` is the morning, `guten Morgen` a greeting.
    let is_morning = matches!(
        (before, first),
        ("la", "mañana") | ("guten", "morgen") | ("good", _) | ("am", "morgen")
    );
    if let Some(days) = near(first).filter(|_| !is_morning) {
        // `hier` is `here` in German.
        return (first != "hier" || lang == Lang::Fr).then_some((Day::FromToday(days), at + 1));
    }
    None
}

/// `the 24th`, `on the 3rd`: not where a noun follows.
fn day_of_month(tokens: &[Token], at: usize) -> Option<(Day, usize)> {
    let day = small(tokens, at, 31)?;
    let before = at.checked_sub(1).map_or("", |before| word(tokens, before));
    let suffix = matches!(word(tokens, at + 1), "st" | "nd" | "rd" | "th");
    let follower = tokens.get(at + 2);
    let ends = follower.is_none_or(|t| {
        !t.is_word() || t.lower() == "and" || preposition(Lang::En, t.lower()).is_some()
    });
    (suffix && ends && matches!(before, "the" | "on" | "by" | "until"))
        .then_some((Day::OfMonth(day), at + 2))
}

/// The day that lies a length of time from today.
pub(crate) fn days_away(length: &Length, sign: i64) -> Day {
    Day::After {
        months: length.months * sign,
        days: length.days * sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::lang::language_of;
    use crate::demo::words::tokens;

    fn read(text: &str) -> Option<Day> {
        let tokens = tokens(text);
        (0..tokens.len())
            .find_map(|at| day_at(&tokens, at, language_of(text)))
            .map(|(day, _)| day)
    }

    fn md(month: i8, day: i8) -> Option<Day> {
        Some(Day::Fixed {
            year: None,
            month,
            day,
        })
    }

    #[test]
    fn days_are_read() {
        let christmas = Some(Day::Fixed {
            year: Some(2025),
            month: 12,
            day: 24,
        });
        for (text, day) in [
            ("on 2025-12-24", christmas.clone()),
            ("on 12/24/2025", christmas.clone()),
            ("am 24.12.2025 bitte", christmas.clone()),
            ("Dec 24th, 2025", christmas.clone()),
            ("24 de diciembre de 2025", christmas.clone()),
            ("2025년 12월 24일에", christmas),
            ("December 24", md(12, 24)),
            ("the 24th of December", md(12, 24)),
            ("der 24. Dezember ist", md(12, 24)),
            ("bitte am 24.12. für mich", md(12, 24)),
            ("12月24日", md(12, 24)),
            ("tomorrow", Some(Day::FromToday(1))),
            ("day after tomorrow", Some(Day::FromToday(2))),
            ("모레 아침", Some(Day::FromToday(2))),
            ("내일은", Some(Day::FromToday(1))),
            ("next Monday", Some(Day::Weekday { day: 1, week: None })),
            (
                "Monday next week",
                Some(Day::Weekday {
                    day: 1,
                    week: Some(1),
                }),
            ),
            (
                "다음 주 월요일",
                Some(Day::Weekday {
                    day: 1,
                    week: Some(1),
                }),
            ),
            ("on Friday", Some(Day::Weekday { day: 5, week: None })),
            (
                "am nächsten Freitag",
                Some(Day::Weekday { day: 5, week: None }),
            ),
            ("by the 3rd", Some(Day::OfMonth(3))),
            ("the 3rd item", None),
            ("the sun is up, version 1.2", None),
            ("February 31", None),
        ] {
            assert_eq!(read(text), day, "{text}");
        }
    }
}
