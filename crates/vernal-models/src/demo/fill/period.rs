//! Days that are said by more or less than their date: `from 12 to 15 December`, `in October`, `last week`,
//! `Christmas`.

use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::Date;

use super::calendar::{LAST, MONTH, NEXT, THIS, word};
use super::date::Day;
use super::date_digits::{fixed, year_of};
use crate::demo::lookup::Lookup;
use crate::demo::words::Token;

/// A stretch of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stretch {
    Week,
    Weekend,
    Month,
    Year,
}

/// The days between which a day that is said as a whole period lies, the last one included.
pub(crate) fn period_of(day: &Day, today: Date) -> Option<(Date, Date)> {
    match day {
        Day::Month { year, month } => {
            let ahead = i16::from(year.is_none() && *month < today.month());
            let first =
                Date::new(year.unwrap_or(today.year()).checked_add(ahead)?, *month, 1).ok()?;
            Some((first, first.last_of_month()))
        }
        Day::Stretch { stretch, ahead } => {
            let monday = || {
                let back = i64::from(today.weekday().to_monday_zero_offset());
                today.checked_add((ahead * 7 - back).days()).ok()
            };
            let after = |date: Date, days: i64| date.checked_add(days.days()).ok();
            match stretch {
                Stretch::Week => Some((monday()?, after(monday()?, 6)?)),
                Stretch::Weekend => Some((after(monday()?, 5)?, after(monday()?, 6)?)),
                Stretch::Month => {
                    let within = today
                        .checked_add(jiff::Span::new().try_months(*ahead).ok()?)
                        .ok()?;
                    Some((within.first_of_month(), within.last_of_month()))
                }
                Stretch::Year => {
                    let within = today
                        .checked_add(jiff::Span::new().try_years(*ahead).ok()?)
                        .ok()?;
                    Some((within.first_of_year(), within.last_of_year()))
                }
            }
        }
        _ => None,
    }
}

/// The day where a period is one day for those who need one: a week from now, the first of the month.
pub(crate) fn one_day(day: &Day, today: Date) -> Option<Date> {
    match day {
        Day::Stretch {
            stretch: Stretch::Week,
            ahead,
        } => today.checked_add((ahead * 7).days()).ok(),
        Day::Stretch {
            stretch: Stretch::Month,
            ahead,
        } => today
            .checked_add(jiff::Span::new().try_months(*ahead).ok()?)
            .ok(),
        Day::Stretch {
            stretch: Stretch::Year,
            ahead,
        } => today
            .checked_add(jiff::Span::new().try_years(*ahead).ok()?)
            .ok(),
        _ => period_of(day, today).map(|(first, _)| first),
    }
}

/// `next week`, `last month`, `this year`, `다음 달`.
pub(super) fn stretch(tokens: &[Token], at: usize) -> Option<(Day, usize)> {
    let first = word(tokens, at);
    let glued = [
        ("다음주", Stretch::Week, 1),
        ("이번주", Stretch::Week, 0),
        ("지난주", Stretch::Week, -1),
        ("저번주", Stretch::Week, -1),
        ("다음달", Stretch::Month, 1),
        ("이번달", Stretch::Month, 0),
        ("지난달", Stretch::Month, -1),
        ("저번달", Stretch::Month, -1),
        ("내년", Stretch::Year, 1),
        ("올해", Stretch::Year, 0),
        ("작년", Stretch::Year, -1),
        ("来週", Stretch::Week, 1),
        ("今週", Stretch::Week, 0),
        ("先週", Stretch::Week, -1),
        ("来月", Stretch::Month, 1),
        ("今月", Stretch::Month, 0),
        ("先月", Stretch::Month, -1),
        ("下周", Stretch::Week, 1),
        ("本周", Stretch::Week, 0),
        ("上周", Stretch::Week, -1),
    ];
    if let Some((_, stretch, ahead)) = glued.iter().find(|(name, ..)| first.starts_with(name)) {
        return Some((
            Day::Stretch {
                stretch: *stretch,
                ahead: *ahead,
            },
            at + 1,
        ));
    }
    let ahead = match first {
        _ if NEXT.contains(&first) => 1,
        _ if LAST.contains(&first) => -1,
        _ if THIS.contains(&first) => 0,
        _ => return None,
    };
    let second = word(tokens, at + 1);
    let bare = crate::demo::script::without_particle(second).0;
    let stretch = match bare {
        "week" | "week's" | "woche" | "semana" | "semaine" | "주" => Stretch::Week,
        "weekend" | "wochenende" | "주말" if ahead >= 0 => Stretch::Weekend,
        "month" | "month's" | "monat" | "mes" | "mois" | "달" => Stretch::Month,
        "year" | "year's" | "jahr" | "año" | "해" => Stretch::Year,
        _ => return None,
    };
    // `다음 달 3일`
    let day = tokens.get(at + 2).filter(|token| token.is_number());
    let day = day
        .and_then(|token| token.lower().parse::<i8>().ok())
        .filter(|day| (1..=31).contains(day));
    if let (Stretch::Month, Some(day)) = (stretch, day)
        && word(tokens, at + 3).starts_with('일')
    {
        return Some((Day::InMonth { ahead, day }, at + 4));
    }
    Some((Day::Stretch { stretch, ahead }, at + 2))
}

/// `in October`, `October 2026`, `for March`, `10월`: a month without a day.
pub(super) fn month(tokens: &[Token], at: usize) -> Option<(Day, usize)> {
    let token = tokens.get(at)?;
    let number = |at: usize| tokens.get(at).filter(|token| token.is_number());
    let year = |at: usize| {
        number(at)
            .filter(|t| t.lower().len() == 4)
            .and_then(|t| year_of(t.lower()))
    };
    if let Some(month) = number(at).and_then(|t| t.lower().parse::<i8>().ok()) {
        let sign = word(tokens, at + 1);
        let korean =
            sign.starts_with('월') && !sign.starts_with("월요일") && (1..=12).contains(&month);
        let said = at
            .checked_sub(2)
            .filter(|_| word(tokens, at.wrapping_sub(1)).starts_with('년'));
        let year = said.and_then(year);
        return (korean && number(at + 2).is_none())
            .then_some((Day::Month { year, month }, at + 2));
    }
    let month = MONTH
        .first(token.lower())
        .filter(|_| token.is_word() && token.capital)?;
    let before = at.checked_sub(1).map_or("", |before| word(tokens, before));
    let next = if matches!(word(tokens, at + 1), "of" | "de" | ",") {
        at + 2
    } else {
        at + 1
    };
    if let Some(year) = year(next) {
        return Some((
            Day::Month {
                year: Some(year),
                month,
            },
            next + 1,
        ));
    }
    let placed = "in for of since during this last next from to until till through by im en de du letzten diesen";
    placed
        .split_whitespace()
        .any(|word| word == before)
        .then_some((Day::Month { year: None, month }, at + 1))
}

const BETWEEN: &str = "to - – until till through bis and und al a y au à ~";

/// The first day of `12 to 15 December`, the second of `December 12 to 15` and of `12월 3일부터 5일까지`.
pub(super) fn in_range(tokens: &[Token], at: usize) -> Option<(Day, usize)> {
    let number = |at: usize| {
        let token = tokens.get(at).filter(|token| token.is_number())?;
        token
            .lower()
            .parse::<i8>()
            .ok()
            .filter(|day| (1..=31).contains(day))
    };
    let joins = |at: usize| {
        BETWEEN
            .split_whitespace()
            .any(|known| known == word(tokens, at))
    };
    let after_number = |mut at: usize| {
        while matches!(word(tokens, at), "st" | "nd" | "rd" | "th" | ".") {
            at += 1;
        }
        at
    };
    let day = number(at)?;
    let next = after_number(at + 1);
    if joins(next) {
        let from = next + 1 + usize::from(matches!(word(tokens, next + 1), "the" | "zum" | "el"));
        number(from)?;
        let mut end = after_number(from + 1);
        end += usize::from(matches!(word(tokens, end), "of" | "de"));
        let month = tokens
            .get(end)
            .and_then(|token| MONTH.first(token.lower()))?;
        return fixed(None, month, day).map(|day| (day, next));
    }
    let back = |by: usize| at.checked_sub(by);
    if back(1).is_some_and(joins) {
        let mut first = back(2)?;
        while matches!(word(tokens, first), "st" | "nd" | "rd" | "th" | ".") {
            first = first.checked_sub(1)?;
        }
        number(first)?;
        let month = first
            .checked_sub(1)
            .and_then(|at| MONTH.first(word(tokens, at)))?;
        return fixed(None, month, day).map(|day| (day, next));
    }
    let dated =
        |at: Option<usize>, sign: char| at.is_some_and(|at| word(tokens, at).starts_with(sign));
    if dated(Some(at + 1), '일') {
        if dated(back(1), '일') && dated(back(3), '월') {
            let month = back(4).and_then(number)?;
            return fixed(None, month, day).map(|day| (day, at + 2));
        }
        let ends = ["일에", "일까지", "일부터", "일날", "일자"];
        let of_month = ends.iter().any(|end| word(tokens, at + 1).starts_with(end));
        return (of_month && !dated(back(1), '월')).then_some((Day::OfMonth(day), at + 2));
    }
    None
}

const HOLIDAYS: &[(i8, i8, &str)] = &[
    (
        1,
        1,
        "new_year new_year's new_years neujahr neujahrstag 신정 새해",
    ),
    (
        2,
        14,
        "valentine's valentines valentine valentinstag 발렌타인데이 밸런타인데이",
    ),
    (3, 1, "삼일절"),
    (3, 14, "화이트데이"),
    (5, 5, "어린이날"),
    (6, 6, "현충일"),
    (8, 15, "광복절"),
    (10, 3, "개천절"),
    (10, 9, "한글날"),
    (10, 31, "halloween 할로윈 핼러윈"),
    (
        12,
        24,
        "christmas_eve heiligabend nochebuena 크리스마스이브",
    ),
    (
        12,
        25,
        "christmas xmas weihnachten navidad noël 크리스마스 성탄절",
    ),
    (12, 31, "new_year's_eve new_years_eve silvester nochevieja"),
];

/// `Christmas`, `New Year's Eve`, `크리스마스까지`.
pub(super) fn holiday(tokens: &[Token], at: usize) -> Option<(Day, usize)> {
    static TABLE: LazyLock<Lookup<(i8, i8)>> = LazyLock::new(|| {
        Lookup::new(
            HOLIDAYS
                .iter()
                .map(|(month, day, words)| ((*month, *day), *words)),
        )
    });
    let token = tokens.get(at).filter(|token| token.is_word())?;
    let words: Vec<&str> = (at..at + 3).map(|at| word(tokens, at)).collect();
    let longest_first = (1..=3).rev().find_map(|length| {
        let name = words.get(..length)?.join("_");
        Some((TABLE.first(&name)?, at + length))
    });
    let bare = || {
        Some((
            TABLE.first(crate::demo::script::without_particle(token.lower()).0)?,
            at + 1,
        ))
    };
    let ((month, day), mut next) = longest_first.or_else(bare)?;
    if word(tokens, next) == "day" {
        next += 1;
    }
    fixed(None, month, day).map(|day| (day, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::fill::date::day_at;
    use crate::demo::lang::language_of;
    use crate::demo::words::tokens;

    fn days(text: &str) -> Vec<Day> {
        let tokens = tokens(text);
        let (mut found, mut at) = (Vec::new(), 0);
        while at < tokens.len() {
            match day_at(&tokens, at, language_of(text)) {
                Some((day, next)) => {
                    found.push(day);
                    at = next.max(at + 1);
                }
                None => at += 1,
            }
        }
        found
    }

    #[test]
    fn ranges_share_their_month() {
        let both = |month, a, b| {
            [a, b]
                .map(|day| Day::Fixed {
                    year: None,
                    month,
                    day,
                })
                .to_vec()
        };
        for (text, wanted) in [
            ("from 12 to 15 December", both(12, 12, 15)),
            ("the 3rd to the 5th of March", both(3, 3, 5)),
            ("March 3-5", both(3, 3, 5)),
            ("12월 3일부터 5일까지", both(12, 3, 5)),
        ] {
            assert_eq!(days(text), wanted, "{text}");
        }
    }

    #[test]
    fn months_weeks_and_holidays_are_days_too() {
        let month = |year, month| vec![Day::Month { year, month }];
        let stretch = |stretch, ahead| vec![Day::Stretch { stretch, ahead }];
        let fixed = |month, day| {
            vec![Day::Fixed {
                year: None,
                month,
                day,
            }]
        };
        for (text, wanted) in [
            ("in October", month(None, 10)),
            ("October 2026", month(Some(2026), 10)),
            ("I may go", vec![]),
            ("last month", stretch(Stretch::Month, -1)),
            ("지난주 매출", stretch(Stretch::Week, -1)),
            ("until Christmas", fixed(12, 25)),
            ("on New Year's Eve", fixed(12, 31)),
            ("크리스마스까지", fixed(12, 25)),
        ] {
            assert_eq!(days(text), wanted, "{text}");
        }
    }

    #[test]
    fn periods_have_a_first_and_a_last_day() {
        let today = jiff::civil::date(2026, 12, 1);
        let of = |day: Day| period_of(&day, today).map(|(a, b)| format!("{a} {b}"));
        let october = Day::Month {
            year: Some(2026),
            month: 10,
        };
        assert_eq!(of(october).as_deref(), Some("2026-10-01 2026-10-31"));
        let week = Day::Stretch {
            stretch: Stretch::Week,
            ahead: 1,
        };
        assert_eq!(of(week).as_deref(), Some("2026-12-07 2026-12-13"));
        assert_eq!(of(Day::FromToday(1)), None);
    }
}
