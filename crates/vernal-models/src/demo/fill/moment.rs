//! Points in time in a text: days and times of day put together, and lengths of time from now.

use std::ops::Range;

use super::clock::{Clock, Part, clock_at, part_of};
use super::date::{Day, day_at, days_away};
use super::duration::{Duration, Length};
use super::iso::{Stamp, stamp_at};
use super::moment_range::{hours_between, opens_range, share_part, share_part_of_day};
use crate::demo::lang::Lang;
use crate::demo::words::Token;

/// A point in time as it is said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moment {
    pub(crate) day: Option<Day>,
    pub(crate) clock: Option<Clock>,
    pub(crate) part: Option<Part>,
    /// So long from now; negative where it is past.
    pub(crate) from_now: Option<(Length, i64)>,
    /// Written out in ISO 8601.
    pub(crate) stamp: Option<Stamp>,
    pub(crate) span: Range<usize>,
    pub(crate) tokens: Range<usize>,
    pub(crate) day_span: Option<Range<usize>>,
    pub(crate) time_span: Option<Range<usize>>,
}

impl Moment {
    /// Whether it names a day, or lies a while from now.
    pub(crate) fn has_day(&self) -> bool {
        self.day.is_some() || self.from_now.is_some() || self.stamp.is_some()
    }

    /// Whether it names a time of day.
    pub(crate) fn has_time(&self) -> bool {
        let stamped = self
            .stamp
            .as_ref()
            .is_some_and(|stamp| stamp.time.is_some());
        self.clock.is_some() || self.from_now.is_some() || stamped
    }

    /// The moment that is a length of time from now.
    pub(super) fn after(duration: &Duration) -> Self {
        Self {
            from_now: Some((duration.length.clone(), 1)),
            time_span: Some(duration.span.clone()),
            day_span: Some(duration.span.clone()),
            span: duration.span.clone(),
            tokens: duration.tokens.clone(),
            ..Self::default()
        }
    }

    fn of_tokens(tokens: &[Token], range: Range<usize>) -> Self {
        let start = tokens.get(range.start).map_or(0, |t| t.span.start);
        let end = range
            .end
            .checked_sub(1)
            .and_then(|last| tokens.get(last))
            .map_or(start, |t| t.span.end);
        Self {
            span: start..end,
            tokens: range,
            ..Self::default()
        }
    }
}

/// Every point in time of the text, in order.
pub(crate) fn moments(
    text: &str,
    tokens: &[Token],
    durations: &[Duration],
    lang: Lang,
) -> Vec<Moment> {
    let mut found: Vec<Moment> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(piece) = piece_at(text, tokens, durations, at, lang) else {
            at += 1;
            continue;
        };
        at = piece.tokens.end.max(at + 1);
        match found.last_mut().filter(|last| joins(last, &piece, tokens)) {
            Some(last) => merge(last, piece),
            None => found.push(piece),
        }
    }
    share_part_of_day(&mut found);
    // A part of the day alone (`good night`) is no point in time.
    found.retain(|moment| moment.has_day() || moment.has_time());
    share_part(&mut found, tokens);
    found
}

fn piece_at(
    text: &str,
    tokens: &[Token],
    durations: &[Duration],
    at: usize,
    lang: Lang,
) -> Option<Moment> {
    let token = tokens.get(at)?;
    if let Some((stamp, length)) = text.get(token.span.start..).and_then(stamp_at) {
        let end = token.span.start + length;
        let after = tokens
            .iter()
            .position(|t| t.span.start >= end)
            .unwrap_or(tokens.len());
        let mut moment = Moment::of_tokens(tokens, at..after);
        moment.span = token.span.start..end;
        moment.day_span = Some(moment.span.clone());
        moment.time_span = stamp.time.is_some().then(|| moment.span.clone());
        moment.stamp = Some(stamp);
        return Some(moment);
    }
    if let Some(moment) = relative_at(tokens, durations, at) {
        return Some(moment);
    }
    if let Some((clock, after)) = clock_at(tokens, at, lang)
        .or_else(|| opens_range(tokens, at, lang).or_else(|| hours_between(tokens, at)))
    {
        let mut moment = Moment::of_tokens(tokens, at..after);
        moment.clock = Some(clock);
        moment.time_span = Some(moment.span.clone());
        return Some(moment);
    }
    if let Some((day, after)) = day_at(tokens, at, lang) {
        let mut moment = Moment::of_tokens(tokens, at..after);
        moment.part = (token.lower() == "tonight").then_some(Part::Evening);
        moment.day = Some(day);
        moment.day_span = Some(moment.span.clone());
        return Some(moment);
    }
    let part = part_of(token.lower(), lang)?;
    let mut moment = Moment::of_tokens(tokens, at..at + 1);
    moment.part = Some(part);
    // `at 7:40 this morning`, also when it is over
    let this = at.checked_sub(1).and_then(|at| tokens.get(at));
    if this.is_some_and(|token| token.lower() == "this") {
        moment.day = Some(Day::FromToday(0));
        moment.day_span = Some(moment.span.clone());
    }
    Some(moment)
}

const LATER: &[&str] = &[
    "later",
    "hence",
    "뒤",
    "뒤에",
    "후",
    "후에",
    "이후",
    "이후에",
    "있다가",
    "後",
    "後に",
    "后",
    "之后",
    "以后",
    "später",
    "después",
    "plus",
    "이내",
    "이내에",
    "이내로",
    "안에",
    "내에",
];
const AGO: &[&str] = &["ago", "earlier", "전", "전에", "前", "前に", "之前"];

/// `in 10 minutes`, `10 minutes from now`, `3 days ago`, `10분 뒤`.
fn relative_at(tokens: &[Token], durations: &[Duration], at: usize) -> Option<Moment> {
    let word = |at: usize| tokens.get(at).map_or("", Token::lower);
    let starting = |at: usize| {
        durations
            .iter()
            .find(|duration| duration.tokens.start == at)
    };
    let prefixed = match (word(at), word(at + 1)) {
        ("in" | "en" | "dans", _) => starting(at + 1).map(|duration| (duration, 1)),
        ("dentro", "de") => starting(at + 2).map(|duration| (duration, 1)),
        // `within 30 days`: the last of them.
        ("within" | "binnen" | "innerhalb", _) => starting(at + 1).map(|duration| (duration, 1)),
        ("vor" | "hace", _) => starting(at + 1).map(|duration| (duration, -1)),
        ("il", "y") => starting(at + 3).map(|duration| (duration, -1)),
        _ => None,
    };
    let (duration, sign, after) = match prefixed {
        Some((duration, sign)) => {
            let from_now =
                word(duration.tokens.end) == "time" || word(duration.tokens.end) == "from";
            let extra = if from_now && word(duration.tokens.end + 1) == "now" {
                2
            } else {
                0
            };
            (duration, sign, duration.tokens.end + extra)
        }
        None => {
            let duration = starting(at)?;
            let end = duration.tokens.end;
            let rest = duration.rest.as_str();
            let (sign, after) = match (word(end), word(end + 1)) {
                _ if LATER.contains(&rest) => (1, end),
                _ if AGO.contains(&rest) => (-1, end),
                ("from", "now" | "today") | ("after", "now") | ("ab", "jetzt") => (1, end + 2),
                ("from", "tomorrow") => return None,
                (next, _) if LATER.contains(&next) => (1, end + 1),
                (next, _) if AGO.contains(&next) => (-1, end + 1),
                _ => return None,
            };
            (duration, sign, after)
        }
    };
    let mut moment = Moment::of_tokens(tokens, at..after);
    moment.day_span = Some(moment.span.clone());
    let length = &duration.length;
    if length.seconds == 0.0 && (length.days != 0 || length.months != 0) {
        moment.day = Some(days_away(length, sign));
    } else {
        moment.time_span = Some(moment.span.clone());
        moment.from_now = Some((length.clone(), sign));
    }
    Some(moment)
}

const CONNECTORS: &str = "at on um am , in the a las la de por del of el の に this around ( ) - 에 à le pm am \
    gegen den im early late every los para um";

/// Whether two pieces say one point in time: a day and a time, with nothing but small words between.
fn joins(first: &Moment, second: &Moment, tokens: &[Token]) -> bool {
    let between = tokens
        .get(first.tokens.end..second.tokens.start)
        .unwrap_or_default();
    let small = between.len() <= 3
        && between
            .iter()
            .all(|t| CONNECTORS.split_whitespace().any(|word| word == t.lower()));
    let clash = |a: bool, b: bool| a && b;
    let weekday_of_date = matches!(first.day, Some(Day::Weekday { .. }))
        && matches!(second.day, Some(Day::Fixed { .. } | Day::OfMonth(_)))
        || matches!(first.day, Some(Day::Fixed { .. }))
            && matches!(second.day, Some(Day::Weekday { .. }))
            && between.is_empty();
    small
        && first.stamp.is_none()
        && second.stamp.is_none()
        && first.from_now.is_none()
        && second.from_now.is_none()
        && !clash(first.clock.is_some(), second.clock.is_some())
        && (weekday_of_date || !clash(first.day.is_some(), second.day.is_some()))
        && !(clash(first.part.is_some(), second.part.is_some())
            && second.day.is_none()
            && second.clock.is_none())
}

fn merge(first: &mut Moment, second: Moment) {
    let fixed = |day: &Option<Day>| matches!(day, Some(Day::Fixed { .. }));
    if second.day.is_some() && !fixed(&first.day) {
        first.day = second.day;
    }
    let joined = |a: &Option<Range<usize>>, b: Option<Range<usize>>| match (a.clone(), b) {
        (Some(a), Some(b)) => Some(a.start.min(b.start)..a.end.max(b.end)),
        (a, b) => a.or(b),
    };
    first.day_span = joined(&first.day_span, second.day_span);
    first.time_span = joined(&first.time_span, second.time_span);
    first.clock = first.clock.or(second.clock);
    first.part = first.part.or(second.part);
    first.span.end = second.span.end;
    first.tokens.end = second.tokens.end;
    if let (Some(clock), Some(part)) = (first.clock, first.part) {
        first.clock = Some(clock.in_part(part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::fill::duration::durations;
    use crate::demo::fill::number::quantities;
    use crate::demo::lang::language_of;
    use crate::demo::words::tokens;

    fn read(text: &str) -> Vec<Moment> {
        let tokens = tokens(text);
        let lang = language_of(text);
        moments(
            text,
            &tokens,
            &durations(&tokens, &quantities(&tokens, lang)),
            lang,
        )
    }

    fn clock(moment: &Moment) -> Option<(i8, i8)> {
        moment.clock.map(|clock| (clock.hour, clock.minute))
    }

    #[test]
    fn days_and_times_are_put_together() {
        for (text, time) in [
            ("tomorrow at 7pm", (19, 0)),
            ("at 7 tomorrow evening", (19, 0)),
            ("7:30 on Friday", (7, 30)),
            ("next Monday, at 10am", (10, 0)),
            ("내일 오후 3시에", (15, 0)),
            ("明日の午後3時", (15, 0)),
            ("mañana a las 7 de la tarde", (19, 0)),
            ("der Termin ist morgen um 19 Uhr", (19, 0)),
            ("tonight at 8", (20, 0)),
        ] {
            let found = read(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!(clock(&found[0]), Some(time), "{text}");
            assert!(found[0].day.is_some(), "{text}");
        }
    }

    #[test]
    fn lengths_from_now_are_told_from_lengths() {
        for text in [
            "in 10 minutes",
            "10 minutes from now",
            "10분 뒤에",
            "10분뒤",
            "10分後",
            "en 10 minutos",
            "in 10 Minuten bitte",
        ] {
            let found = read(text);
            let (length, sign) = found[0].from_now.clone().unwrap();
            assert_eq!((length.total, sign), (600.0, 1), "{text}");
        }
        assert_eq!(
            read("3 days ago")[0].day,
            Some(Day::After {
                months: 0,
                days: -3
            })
        );
        assert!(read("for 10 minutes").is_empty());
    }

    #[test]
    fn two_points_in_time_stay_two() {
        assert_eq!(read("from July 1 to July 14").len(), 2);
        assert_eq!(read("from 9am to 11am").len(), 2);
        assert!(read("good night").is_empty());
    }
}
