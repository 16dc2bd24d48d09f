//! What time it is, as far as a conversation tells, and points in time counted from it.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::Offset;
use jiff::{Span, Timestamp, ToSpan, ZonedDateTime};
use serde_json::Value;

use super::fill::clock::Clock;
use super::fill::date::Day;
use super::fill::iso::{offset_in, stamp_at};
use super::fill::moment::Moment;
use super::fill::period::one_day;
use super::reading::Reading;

/// The time it is, and the offset from UTC where one is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Now {
    pub(crate) datetime: DateTime,
    pub(crate) offset: Option<Offset>,
}

/// A moment on the calendar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Resolved {
    pub(crate) date: Date,
    pub(crate) time: Option<Time>,
    pub(crate) offset: Option<Offset>,
}

impl From<ZonedDateTime> for Now {
    fn from(zoned: ZonedDateTime) -> Self {
        let datetime = zoned.datetime();
        let datetime = datetime
            .with()
            .subsec_nanosecond(0)
            .build()
            .unwrap_or(datetime);
        Self {
            datetime,
            offset: Some(zoned.offset()),
        }
    }
}

/// The time that a tool's result tells: JSON of any shape, or text.
pub(crate) fn now_in(result: &str) -> Option<Now> {
    match serde_json::from_str::<Value>(result.trim()) {
        Ok(Value::String(text)) => in_text(&text),
        Ok(Value::Number(number)) => from_epoch(number.as_f64()?),
        Ok(json) => in_json(&json),
        Err(_) => in_text(result),
    }
}

fn in_json(json: &Value) -> Option<Now> {
    let mut leaves = Vec::new();
    collect(json, "", &mut leaves, 0);
    let offset = leaves
        .iter()
        .find_map(|(_, value)| value.as_str().and_then(offset_in));
    let texts = || leaves.iter().filter_map(|(_, value)| value.as_str());
    let with_offset = |now: Now| Now {
        offset: now.offset.or(offset),
        ..now
    };
    let stamped = || texts().find_map(|text| stamp_in(text).filter(|(_, has_time)| *has_time));
    if let Some((now, _)) = stamped() {
        return Some(with_offset(now));
    }
    // `{"date":"2025-06-01","time":"10:00"}`, in any form.
    let joined: Vec<&str> = texts().collect();
    if let Some(now) = in_text(&joined.join(" ")) {
        return Some(with_offset(now));
    }
    if let Some(now) = from_parts(&leaves) {
        return Some(with_offset(now));
    }
    leaves
        .iter()
        .find_map(|(_, value)| from_epoch(value.as_f64()?))
        .map(with_offset)
}

fn collect<'a>(
    json: &'a Value,
    name: &'a str,
    leaves: &mut Vec<(&'a str, &'a Value)>,
    depth: usize,
) {
    if depth > 6 {
        return;
    }
    match json {
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(name, value)| collect(value, name, leaves, depth + 1));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect(item, name, leaves, depth + 1)),
        leaf => leaves.push((name, leaf)),
    }
}

/// `{"year":2025,"month":6,"day":1,"hour":10,"minute":0}`.
fn from_parts(leaves: &[(&str, &Value)]) -> Option<Now> {
    let part = |wanted: &[&str]| {
        let found = leaves
            .iter()
            .find(|(name, _)| wanted.contains(&name.to_lowercase().as_str()));
        found.and_then(|(_, value)| value.as_i64())
    };
    let small = |value: i64| i8::try_from(value).ok();
    let date = Date::new(
        i16::try_from(part(&["year"])?).ok()?,
        small(part(&["month"])?)?,
        small(part(&["day", "dayofmonth"])?)?,
    );
    let hour = small(part(&["hour", "hours"]).unwrap_or(0))?;
    let minute = small(part(&["minute", "minutes"]).unwrap_or(0))?;
    let second = small(part(&["second", "seconds"]).unwrap_or(0))?;
    let time = Time::new(hour, minute, second, 0).ok()?;
    Some(Now {
        datetime: date.ok()?.to_datetime(time),
        offset: None,
    })
}

/// Seconds or milliseconds since 1970.
fn from_epoch(value: f64) -> Option<Now> {
    let seconds = if value > 1e11 { value / 1000.0 } else { value };
    if !(1e8..1e10).contains(&seconds) {
        return None;
    }
    let timestamp = Timestamp::from_second(seconds as i64).ok()?;
    Some(Now {
        datetime: Offset::UTC.to_datetime(timestamp),
        offset: Some(Offset::UTC),
    })
}

/// An ISO stamp anywhere in the text, and whether it has a time.
fn stamp_in(text: &str) -> Option<(Now, bool)> {
    let starts = text.char_indices().filter(|(at, c)| {
        let before = text.get(..*at).and_then(|head| head.chars().next_back());
        c.is_ascii_digit() && !before.is_some_and(|c| c.is_ascii_digit())
    });
    let (stamp, _) = starts
        .filter_map(|(at, _)| text.get(at..).and_then(stamp_at))
        .next()?;
    let time = stamp.time.unwrap_or(Time::midnight());
    Some((
        Now {
            datetime: stamp.date.to_datetime(time),
            offset: stamp.offset,
        },
        stamp.time.is_some(),
    ))
}

fn in_text(text: &str) -> Option<Now> {
    let stamped = stamp_in(text);
    if let Some((now, true)) = stamped {
        return Some(now);
    }
    let reading = Reading::new(text);
    let offset = text
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']'))
        .find_map(|word| {
            let signed = word.starts_with(['+', '-'])
                || word == "UTC"
                || word == "Z"
                || word.starts_with("UTC");
            offset_in(word).filter(|_| signed)
        });
    let date = stamped.map(|(now, _)| now.datetime.date()).or_else(|| {
        reading.moments.iter().find_map(|moment| match moment.day {
            Some(Day::Fixed {
                year: Some(year),
                month,
                day,
            }) => Date::new(year, month, day).ok(),
            _ => None,
        })
    });
    let clock = reading.moments.iter().find_map(|moment| moment.clock);
    let time = clock.and_then(|clock| Time::new(clock.hour, clock.minute, clock.second, 0).ok());
    match (date, time) {
        (Some(date), time) => Some(Now {
            datetime: date.to_datetime(time.unwrap_or(Time::midnight())),
            offset,
        }),
        _ => text.trim().parse::<f64>().ok().and_then(from_epoch),
    }
}

/// Puts a moment onto the calendar. `None` where it lies outside of any calendar.
pub(crate) fn resolve(moment: &Moment, now: &Now) -> Option<Resolved> {
    if let Some(stamp) = &moment.stamp {
        return Some(Resolved {
            date: stamp.date,
            time: stamp.time,
            offset: stamp.offset,
        });
    }
    if let Some((length, sign)) = &moment.from_now {
        let seconds = (length.seconds.round() as i64).checked_mul(*sign)?;
        let span = Span::new()
            .try_months(length.months * sign)
            .ok()?
            .try_days(length.days * sign)
            .ok()?;
        let span = span.try_seconds(seconds).ok()?;
        let then = now.datetime.checked_add(span).ok()?;
        return Some(Resolved {
            date: then.date(),
            time: Some(then.time()),
            offset: now.offset,
        });
    }
    let time = time_of(moment);
    let date = match &moment.day {
        Some(day) => date_of(day, now.datetime.date())?,
        None => {
            let today = now.datetime.date();
            // A time of day that has passed is meant for tomorrow.
            let passed = time.is_some_and(|time| time <= now.datetime.time());
            if passed {
                today.tomorrow().ok()?
            } else {
                today
            }
        }
    };
    Some(Resolved {
        date,
        time,
        offset: now.offset,
    })
}

fn time_of(moment: &Moment) -> Option<Time> {
    let Clock {
        hour,
        minute,
        second,
        ..
    } = match (moment.clock, moment.part) {
        (Some(clock), _) => clock,
        (None, Some(part)) => Clock {
            hour: part.hour(),
            minute: 0,
            second: 0,
            open: false,
            bare: false,
        },
        (None, None) => return None,
    };
    Time::new(hour, minute, second, 0).ok()
}

/// The date of a day, counted from today.
pub(crate) fn date_of(day: &Day, today: Date) -> Option<Date> {
    match day {
        Day::Fixed {
            year: Some(year),
            month,
            day,
        } => Date::new(*year, *month, *day).ok(),
        Day::Fixed {
            year: None,
            month,
            day,
        } => {
            // The next one; 29 February may be some years away.
            (0..9).find_map(|ahead| {
                let date = Date::new(today.year().checked_add(ahead)?, *month, *day).ok()?;
                (date >= today).then_some(date)
            })
        }
        Day::FromToday(days) => today.checked_add(days.days()).ok(),
        Day::After { months, days } => {
            let span = Span::new().try_months(*months).ok()?.try_days(*days).ok()?;
            today.checked_add(span).ok()
        }
        Day::Month { .. } | Day::Stretch { .. } => one_day(day, today),
        Day::InMonth { ahead, day } => {
            let month = today.first_of_month().checked_add(ahead.months()).ok()?;
            Date::new(month.year(), month.month(), *day).ok()
        }
        Day::OfMonth(day) => (0..13).find_map(|ahead| {
            let month = today.first_of_month().checked_add(ahead.months()).ok()?;
            let date = Date::new(month.year(), month.month(), *day).ok()?;
            (date >= today).then_some(date)
        }),
        Day::Weekday { day, week } => {
            let weekday = Weekday::from_monday_one_offset(*day).ok()?;
            match week {
                None => today.nth_weekday(1, weekday).ok(),
                Some(i64::MIN) => today.nth_weekday(-1, weekday).ok(),
                Some(weeks) => {
                    let back = i64::from(today.weekday().to_monday_zero_offset());
                    let ahead = weeks * 7 + i64::from(*day) - 1 - back;
                    today.checked_add(ahead.days()).ok()
                }
            }
        }
    }
}

/// Whether the moment can only be put onto the calendar by somebody who knows today.
pub(crate) fn needs_now(moment: &Moment) -> bool {
    !(moment.stamp.is_some() || matches!(moment.day, Some(Day::Fixed { year: Some(_), .. })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Now {
        now_in("2025-06-04T10:00:00+09:00").unwrap()
    }

    fn at(text: &str) -> String {
        let reading = Reading::new(text);
        let resolved = resolve(&reading.moments[0], &now()).unwrap();
        resolved.time.map_or(resolved.date.to_string(), |time| {
            format!("{} {time}", resolved.date)
        })
    }

    #[test]
    fn moments_are_put_onto_the_calendar() {
        // 4 June 2025 is a Wednesday.
        for (text, expected) in [
            ("in 10 minutes", "2025-06-04 10:10:00"),
            ("tomorrow", "2025-06-05"),
            ("next Monday", "2025-06-09"),
            ("on Wednesday", "2025-06-11"),
            ("this Friday", "2025-06-06"),
            ("Monday next week", "2025-06-09"),
            ("last Friday", "2025-05-30"),
            ("in 3 days", "2025-06-07"),
            ("Dec 24", "2025-12-24"),
            ("March 1", "2026-03-01"),
            ("at 7am", "2025-06-05 07:00:00"),
            ("at 7pm", "2025-06-04 19:00:00"),
            ("tomorrow morning", "2025-06-05 09:00:00"),
            ("in 2 weeks", "2025-06-18"),
            ("next month", "2025-07-04"),
            ("tonight", "2025-06-04 19:00:00"),
        ] {
            assert_eq!(at(text), expected, "{text}");
        }
    }

    #[test]
    fn results_of_many_shapes_tell_the_time() {
        let at = "2025-06-01T10:30:00".parse::<DateTime>().unwrap();
        for result in [
            "2025-06-01T10:30:00",
            "\"2025-06-01T10:30:00Z\"",
            "The current time is 2025-06-01 10:30:00.",
            "It is Sunday, June 1, 2025, 10:30 AM",
            r#"{"now":"2025-06-01T10:30:00+02:00","zone":"Europe/Paris"}"#,
            r#"{"date":"2025-06-01","time":"10:30"}"#,
            r#"{"data":{"year":2025,"month":6,"day":1,"hour":10,"minute":30}}"#,
            "1748773800",
            r#"{"epochMillis":1748773800000}"#,
            "Sun, 01 Jun 2025 10:30:00 +0900",
            "2025년 6월 1일 오전 10시 30분",
        ] {
            assert_eq!(now_in(result).map(|now| now.datetime), Some(at), "{result}");
        }
        for silent in ["", "Done", "{}", "[]", "42", "soon"] {
            assert_eq!(now_in(silent), None, "{silent}");
        }
        assert_eq!(
            now_in("Sun, 01 Jun 2025 10:30:00 +0900")
                .unwrap()
                .offset
                .unwrap()
                .seconds(),
            32400
        );
    }
}
