//! Ranges of times of day: what is said of one end holds for the other.

use super::calendar::{WEEKDAY, near, word};
use super::clock::{Clock, Part, clock_at};
use super::date::Day;
use super::moment::Moment;
use super::numerals::word_value;
use crate::demo::lang::Lang;
use crate::demo::words::Token;

/// `from 2 to 4 pm`, `오후 2시부터 3시까지`: what is said of one end of a range holds for the other.
pub(super) fn share_part(found: &mut [Moment], tokens: &[Token]) {
    for at in 1..found.len() {
        let Some([first, second]) = found.get_mut(at - 1..=at) else {
            return;
        };
        let between = tokens
            .get(first.tokens.end..second.tokens.start)
            .unwrap_or_default();
        share_week(first, second, between);
        let apart = second.day.is_some() || between.len() > 2;
        let (Some(begin), Some(end)) = (first.clock, second.clock) else {
            continue;
        };
        let minutes = |clock: Clock| i32::from(clock.hour) * 60 + i32::from(clock.minute);
        let later = |clock: Clock| Clock {
            hour: clock.hour + 12,
            open: false,
            ..clock
        };
        if apart {
            continue;
        }
        if end.open && end.hour < 12 && minutes(end) <= minutes(begin) {
            second.clock = Some(later(end))
                .filter(|late| minutes(*late) > minutes(begin))
                .or(second.clock);
        } else if begin.open && begin.hour < 12 && !end.open && minutes(later(begin)) < minutes(end)
        {
            first.clock = Some(later(begin));
        }
    }
}

/// `tomorrow evening, a table at seven`: the only part of the day that is said holds for an hour that leaves it
/// open.
pub(super) fn share_part_of_day(found: &mut [Moment]) {
    let mut parts = found.iter().filter_map(|moment| moment.part);
    let late = parts.next().filter(|part| *part != Part::Morning);
    let (Some(part), None) = (late, parts.next()) else {
        return;
    };
    for moment in found.iter_mut().filter(|moment| moment.part.is_none()) {
        if let Some(clock) = moment.clock.filter(|clock| clock.open && clock.hour < 12) {
            moment.clock = Some(clock.in_part(part));
        }
    }
}

/// `Thursday and Friday next week`: both are of that week.
fn share_week(first: &mut Moment, second: &Moment, between: &[Token]) {
    let joined = between.iter().any(|token| {
        matches!(
            token.lower(),
            "and" | "or" | "to" | "-" | "–" | "through" | "until" | "und" | "bis"
        )
    });
    let near = joined && between.len() <= 2;
    if let (Some(Day::Weekday { week, .. }), Some(Day::Weekday { week: said, .. }), true) =
        (first.day.as_mut(), second.day.as_ref(), near)
        && week.is_none()
    {
        *week = *said;
    }
}

/// `tomorrow between 9 and 11`: hours, where a day stands next to them.
pub(super) fn hours_between(tokens: &[Token], at: usize) -> Option<(Clock, usize)> {
    let hour = |at: usize| {
        let token = tokens.get(at).filter(|token| token.is_number())?;
        token
            .lower()
            .parse::<i8>()
            .ok()
            .filter(|hour| (0..=24).contains(hour))
    };
    let joins = |at: usize| {
        matches!(
            word(tokens, at),
            "and" | "to" | "-" | "–" | "until" | "till"
        )
    };
    let opens = |at: usize| matches!(word(tokens, at), "between" | "from");
    let day =
        |at: usize| near(word(tokens, at)).is_some() || WEEKDAY.first(word(tokens, at)).is_some();
    let begin = match () {
        () if at >= 1 && opens(at - 1) && joins(at + 1) && hour(at + 2).is_some() => at,
        () if at >= 3 && opens(at - 3) && hour(at - 2).is_some() && joins(at - 1) => at - 2,
        () => return None,
    };
    let placed = begin >= 2 && day(begin - 2)
        || day(begin + 3)
        || word(tokens, begin + 3) == "on" && day(begin + 4);
    let clock = Clock::of_hour(hour(at)?)?;
    placed.then_some((clock, at + 1))
}

/// The `2` of `from 2 to 4 pm`.
pub(super) fn opens_range(tokens: &[Token], at: usize, lang: Lang) -> Option<(Clock, usize)> {
    let token = tokens.get(at)?;
    let hour = match word_value(token.lower(), lang) {
        Some(hour) if hour.fract() == 0.0 && hour <= 24.0 => hour as i8,
        _ => token.lower().parse().ok()?,
    };
    let joins = tokens.get(at + 1).is_some_and(|token| {
        matches!(
            token.lower(),
            "to" | "-" | "–" | "until" | "till" | "bis" | "and"
        )
    });
    let (end, _) = clock_at(tokens, at + 2, lang).filter(|_| joins)?;
    let mut clock = end;
    (clock.hour, clock.minute, clock.open) = (hour, 0, true);
    ((1..=12).contains(&hour) && !end.open).then_some((clock, at + 1))
}
