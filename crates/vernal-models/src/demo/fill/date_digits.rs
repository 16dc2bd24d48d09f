//! Dates in digits: `2025-12-24`, `12/24/2025`, `24.12.`.

use super::date::Day;
use crate::demo::lang::Lang;
use crate::demo::words::Token;

pub(crate) fn year_of(text: &str) -> Option<i16> {
    let year: i16 = text.parse().ok()?;
    match text.len() {
        4 => Some(year).filter(|y| (1000..=2999).contains(y)),
        2 => Some(year + if year < 70 { 2000 } else { 1900 }),
        _ => None,
    }
}

pub(crate) fn fixed(year: Option<i16>, month: i8, day: i8) -> Option<Day> {
    let valid = jiff::civil::Date::new(year.unwrap_or(2024), month, day).is_ok();
    valid.then_some(Day::Fixed { year, month, day })
}

/// `2025-12-24`, `12/24/2025`, `24.12.2025`, `24.12.`.
pub(crate) fn numeric(tokens: &[Token], at: usize, lang: Lang) -> Option<(Day, usize)> {
    let first = tokens.get(at).filter(|token| token.is_number())?;
    let parts: Vec<&str> = first.lower().split('.').collect();
    if let [a, b, c] = parts.as_slice() {
        let day = if a.len() == 4 {
            fixed(year_of(a), b.parse().ok()?, c.parse().ok()?)
        } else {
            fixed(Some(year_of(c)?), b.parse().ok()?, a.parse().ok()?)
        };
        return day.map(|day| (day, at + 1));
    }
    if let [a, b] = parts.as_slice() {
        let dot = tokens
            .get(at + 1)
            .is_some_and(|t| t.is_symbol(".") && !t.spaced);
        let day = fixed(None, b.parse().ok()?, a.parse().ok()?)?;
        return (dot && lang == Lang::De).then_some((day, at + 2));
    }
    let sign = tokens.get(at + 1).filter(|t| !t.spaced).map(Token::lower)?;
    if !matches!(sign, "-" | "/") {
        return None;
    }
    let second = tokens.get(at + 2).filter(|t| t.is_number() && !t.spaced)?;
    let third = tokens
        .get(at + 3)
        .filter(|t| t.is_symbol(sign))
        .and_then(|_| tokens.get(at + 4));
    let number = |text: &str| text.parse::<i8>().ok();
    if let Some(third) = third.filter(|t| t.is_number()) {
        let day = if first.lower().len() == 4 {
            fixed(
                year_of(first.lower()),
                number(second.lower())?,
                number(third.lower())?,
            )
        } else {
            let (a, b) = (number(first.lower())?, number(second.lower())?);
            let day_first = a > 12 || (b <= 12 && matches!(lang, Lang::De | Lang::Es | Lang::Fr));
            let (month, day) = if day_first { (b, a) } else { (a, b) };
            fixed(Some(year_of(third.lower())?), month, day)
        };
        return day.map(|day| (day, at + 5));
    }
    if sign == "/" && first.lower().len() <= 2 && second.lower().len() == 2 {
        let (a, b) = (number(first.lower())?, number(second.lower())?);
        let (month, day) = if a > 12 { (b, a) } else { (a, b) };
        return fixed(None, month, day).map(|day| (day, at + 3));
    }
    None
}
