//! Points in time as models and people write them.

use jiff::civil::{Date, Time};
use jiff::{Timestamp, ZonedDateTime};

/// What was written: a point in time, a whole day, or only a time of day.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Moment {
    At(ZonedDateTime),
    Day(Date),
    Clock(Time),
}

/// Reads ISO-8601 and the words `now`, `today`, `tomorrow` and `yesterday`. What has no offset or
/// zone of its own is in the zone of `now`.
pub(crate) fn read_moment(text: &str, now: &ZonedDateTime) -> Result<Moment, String> {
    let text = text.trim();
    word(text, now)
        .or_else(|| written(text, now))
        .ok_or_else(|| {
            format!(
                "`{text}` is no date or time that can be read; write ISO-8601, such as `{}`",
                second(now)
            )
        })
}

/// A point in time to the second, with its offset and without a zone's name: what ISO-8601 knows.
pub(crate) fn second(moment: &ZonedDateTime) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

fn word(text: &str, now: &ZonedDateTime) -> Option<Moment> {
    let today = now.date();
    Some(match text.to_ascii_lowercase().as_str() {
        "now" => Moment::At(now.clone()),
        "today" => Moment::Day(today),
        "tomorrow" => Moment::Day(today.tomorrow().ok()?),
        "yesterday" => Moment::Day(today.yesterday().ok()?),
        _ => return None,
    })
}

fn written(text: &str, now: &ZonedDateTime) -> Option<Moment> {
    if let Ok(zoned) = text.parse::<ZonedDateTime>() {
        return Some(Moment::At(zoned));
    }
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(Moment::At(
            instant.to_zoned_datetime(now.time_zone().clone()),
        ));
    }
    // A date alone can be read as midnight and a date-time as its date: what is there decides.
    let (has_date, has_time) = (text.matches('-').count() == 2, text.contains(':'));
    match (has_date, has_time) {
        (true, true) => {
            let local: jiff::civil::DateTime = text.parse().ok()?;
            local
                .to_zoned_datetime(now.time_zone().clone())
                .ok()
                .map(Moment::At)
        }
        (true, false) => text.parse().ok().map(Moment::Day),
        (false, true) => text.parse().ok().map(Moment::Clock),
        (false, false) => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Tuesday, the first of December 2026, half past nine in Seoul.
    pub(crate) fn now() -> ZonedDateTime {
        "2026-12-01T09:30:00+09:00[Asia/Seoul]".parse().unwrap()
    }

    #[test]
    fn moments_are_read_as_they_are_written() {
        let at = |text: &str| Moment::At(text.parse().unwrap());
        for (text, moment) in [
            (
                "2026-12-01T09:40:00+09:00",
                at("2026-12-01T09:40:00+09:00[Asia/Seoul]"),
            ),
            (
                "2026-12-01T00:40Z",
                at("2026-12-01T09:40:00+09:00[Asia/Seoul]"),
            ),
            (
                "2026-12-01T09:40:00",
                at("2026-12-01T09:40:00+09:00[Asia/Seoul]"),
            ),
            (
                "2026-12-01 09:40",
                at("2026-12-01T09:40:00+09:00[Asia/Seoul]"),
            ),
            (
                "2026-12-01T09:40+01:00[Europe/Berlin]",
                at("2026-12-01T09:40+01:00[Europe/Berlin]"),
            ),
            (" now ", Moment::At(now())),
            ("2026-12-24", Moment::Day(jiff::civil::date(2026, 12, 24))),
            ("Tomorrow", Moment::Day(jiff::civil::date(2026, 12, 2))),
            ("18:10", Moment::Clock(jiff::civil::time(18, 10, 0, 0))),
        ] {
            assert_eq!(read_moment(text, &now()), Ok(moment), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_answered_with_an_example() {
        for text in [
            "",
            "next tuesday",
            "2026-13-01",
            "2026-02-30T10:00",
            "25:00",
            "-:-",
            "10",
        ] {
            let error = read_moment(text, &now()).unwrap_err();
            assert!(
                error.contains("2026-12-01T09:30:00+09:00"),
                "{text}: {error}"
            );
        }
    }
}
