//! The clock and the calendar.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Unit, ZonedDateTime};
use serde::Serialize;
use vernal::prelude::*;

use super::moment::{Moment, read_moment, second};

pub(crate) struct DateTimeTools;

#[tools]
impl DateTimeTools {
    /// Get the current date and time, in the user's time zone or in another one.
    ///
    /// Call this first whenever a question depends on what time or day it is now.
    #[tool]
    fn current_date_time(
        &self,
        /// An IANA time zone, such as `Asia/Seoul`. Leave it out for the user's own time zone.
        time_zone: Option<String>,
    ) -> Result<CurrentDateTime, ToolError> {
        current(ZonedDateTime::now(), time_zone.as_deref()).map_err(ToolError::model)
    }

    /// Count the days from today, or from another date, to a date; negative if that is the earlier one.
    #[tool]
    fn days_between(
        &self,
        /// The date to count to, in ISO-8601 format such as `2026-12-24`.
        to: String,
        /// The date to count from, in ISO-8601 format such as `2026-12-01`; left out, it is today.
        from: Option<String>,
    ) -> Result<DaysBetween, ToolError> {
        let from = from.unwrap_or_else(|| "today".to_owned());
        days(&from, &to, &ZonedDateTime::now()).map_err(ToolError::model)
    }

    /// Add a duration to a date or a time, or subtract one, by the rules of the calendar.
    #[tool]
    fn add_duration(
        &self,
        /// The date or time to start from, in ISO-8601 format, or `now` or `today`.
        start: String,
        /// What to add, such as `3 weeks`, `1 month 2 days`, `90 minutes` or `P1M2D`; with a minus
        /// sign in front it is subtracted.
        duration: String,
    ) -> Result<DateTimeResult, ToolError> {
        sum(&start, &duration, &ZonedDateTime::now()).map_err(ToolError::model)
    }
}

#[derive(Debug, PartialEq, Serialize)]
struct CurrentDateTime {
    date_time: String,
    weekday: String,
    time_zone: String,
}

#[derive(Debug, PartialEq, Serialize)]
struct DaysBetween {
    days: i64,
    from: String,
    to: String,
}

#[derive(Debug, PartialEq, Serialize)]
struct DateTimeResult {
    result: String,
    weekday: String,
}

fn current(now: ZonedDateTime, time_zone: Option<&str>) -> Result<CurrentDateTime, String> {
    let now = match time_zone.map(str::trim).filter(|name| !name.is_empty()) {
        None => now,
        Some(name) => now.with_time_zone(TimeZone::get(name).map_err(|_| {
            format!(
                "`{name}` is no time zone that is known here; give an IANA name such as \
                 `Europe/Berlin`, or leave it out for the user's own"
            )
        })?),
    };
    let zone = now
        .time_zone()
        .iana_name()
        .unwrap_or("the user's own")
        .to_owned();
    Ok(CurrentDateTime {
        date_time: second(&now),
        weekday: weekday(now.date()),
        time_zone: zone,
    })
}

fn days(from: &str, to: &str, now: &ZonedDateTime) -> Result<DaysBetween, String> {
    let (from, to) = (date_of(from, now)?, date_of(to, now)?);
    let span = from
        .until((Unit::Day, to))
        .map_err(|error| error.to_string())?;
    let day = |date: Date| format!("{date} ({})", weekday(date));
    Ok(DaysBetween {
        days: span.get_days().into(),
        from: day(from),
        to: day(to),
    })
}

fn date_of(text: &str, now: &ZonedDateTime) -> Result<Date, String> {
    match read_moment(text, now)? {
        Moment::Day(date) => Ok(date),
        Moment::At(moment) => Ok(moment.date()),
        Moment::Clock(_) => Err(format!(
            "`{text}` is a time without a date; write the date too"
        )),
    }
}

fn sum(start: &str, duration: &str, now: &ZonedDateTime) -> Result<DateTimeResult, String> {
    let span = read_span(duration)?;
    let too_far =
        |_| format!("`{start}` with `{duration}` added is outside of the years -9999 to 9999");
    let start_of = |date: Date| {
        date.to_zoned_datetime(now.time_zone().clone())
            .map_err(too_far)
    };
    let start = match read_moment(start, now)? {
        Moment::Day(date) if !has_time(&span) => {
            let date = date.checked_add(span).map_err(too_far)?;
            return Ok(DateTimeResult {
                result: date.to_string(),
                weekday: weekday(date),
            });
        }
        Moment::Day(date) => start_of(date)?,
        Moment::At(moment) => moment,
        Moment::Clock(time) => now.with().time(time).build().map_err(too_far)?,
    };
    let moment = start.checked_add(span).map_err(too_far)?;
    Ok(DateTimeResult {
        result: second(&moment),
        weekday: weekday(moment.date()),
    })
}

/// Whether a span has anything smaller than days.
fn has_time(span: &Span) -> bool {
    span.get_hours() != 0
        || span.get_minutes() != 0
        || span.get_seconds() != 0
        || span.get_milliseconds() != 0
        || span.get_microseconds() != 0
        || span.get_nanoseconds() != 0
}

fn read_span(text: &str) -> Result<Span, String> {
    let (negative, amount) = match text.trim().strip_prefix(['-', '−']) {
        Some(amount) => (true, amount.trim()),
        None => (false, text.trim()),
    };
    let span: Span = amount.parse().map_err(|_| {
        format!(
            "`{text}` is no duration that can be read; write it such as `3 weeks`, \
             `1 month 2 days`, `90 minutes` or `P1M2D`"
        )
    })?;
    Ok(if negative { span.negate() } else { span })
}

fn weekday(date: Date) -> String {
    date.strftime("%A").to_string()
}

#[cfg(test)]
mod tests {
    use super::super::moment::tests::now;
    use super::*;

    #[test]
    fn now_is_told_in_the_zone_that_is_asked_for() {
        let here = current(now(), None).unwrap();
        assert_eq!(here.date_time, "2026-12-01T09:30:00+09:00");
        assert_eq!(
            (here.weekday.as_str(), here.time_zone.as_str()),
            ("Tuesday", "Asia/Seoul")
        );
        let there = current(now(), Some("America/New_York")).unwrap();
        assert_eq!(there.date_time, "2026-11-30T19:30:00-05:00");
        assert_eq!(there.weekday, "Monday");
        assert_eq!(current(now(), Some(" ")), current(now(), None));
        assert!(
            current(now(), Some("Mars/Olympus"))
                .unwrap_err()
                .contains("`Mars/Olympus`")
        );
    }

    #[test]
    fn days_are_counted_by_the_calendar() {
        for (from, to, count) in [
            ("today", "2026-12-24", 23),
            ("2026-12-24", "today", -23),
            ("2024-02-28", "2024-03-01", 2),
            ("2026-12-01T23:59:00", "2026-12-02T00:01:00", 1),
            ("today", "today", 0),
        ] {
            assert_eq!(days(from, to, &now()).unwrap().days, count, "{from} {to}");
        }
        assert_eq!(
            days("today", "2026-12-24", &now()).unwrap().to,
            "2026-12-24 (Thursday)"
        );
        assert!(
            days("18:00", "today", &now())
                .unwrap_err()
                .contains("write the date too")
        );
    }

    #[test]
    fn durations_are_added_by_the_calendar() {
        for (start, duration, result, weekday) in [
            ("now", "10 minutes", "2026-12-01T09:40:00+09:00", "Tuesday"),
            ("now", "PT10M", "2026-12-01T09:40:00+09:00", "Tuesday"),
            ("today", "3 weeks", "2026-12-22", "Tuesday"),
            ("2026-01-31", "1 month", "2026-02-28", "Saturday"),
            ("today", "-1 day", "2026-11-30", "Monday"),
            ("today", "- 2 hours", "2026-11-30T22:00:00+09:00", "Monday"),
            ("23:30", "1h", "2026-12-02T00:30:00+09:00", "Wednesday"),
            (
                "2026-12-01T09:30:00Z",
                "1d 1h",
                "2026-12-02T19:30:00+09:00",
                "Wednesday",
            ),
        ] {
            let sum = sum(start, duration, &now()).unwrap();
            assert_eq!(
                (sum.result.as_str(), sum.weekday.as_str()),
                (result, weekday),
                "{start}"
            );
        }
    }

    #[test]
    fn what_cannot_be_added_says_why() {
        assert!(
            sum("now", "a while", &now())
                .unwrap_err()
                .contains("`a while` is no duration")
        );
        assert!(
            sum("2026-12-01", "9000 years", &now())
                .unwrap_err()
                .contains("outside")
        );
        assert!(
            sum("someday", "1 day", &now())
                .unwrap_err()
                .contains("`someday`")
        );
        assert!(read_span("99999999999999999999 days").is_err());
        assert!(read_span("").is_err());
    }
}
