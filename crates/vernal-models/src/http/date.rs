//! The dates of HTTP headers.

use std::time::{Duration, SystemTime};

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Reads a date in any of the three forms that HTTP knows, such as
/// `Sun, 06 Nov 1994 08:49:37 GMT`; dates before 1970 are none.
pub(crate) fn parse_http_date(text: &str) -> Option<SystemTime> {
    let (mut day, mut month, mut year, mut time) = (None, None, None, None);
    for token in text
        .split([' ', ',', '-'])
        .filter(|token| !token.is_empty())
    {
        if token.contains(':') {
            time = Some(seconds_of_day(token)?);
        } else if let Ok(number) = token.parse::<u64>() {
            if day.is_none() {
                day = Some(number);
            } else {
                year = Some(full_year(number));
            }
        } else if month.is_none() && token.is_char_boundary(3) {
            let name = token.get(..3)?.to_ascii_lowercase();
            month = MONTHS
                .iter()
                .position(|known| *known == name)
                .map(|at| at as u64 + 1);
        }
    }
    let days = days_since_1970(year?, month?, day?)?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(days * 86_400 + time?))
}

fn seconds_of_day(token: &str) -> Option<u64> {
    let mut parts = token.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    (hours < 24 && minutes < 60 && seconds <= 60).then_some(hours * 3600 + minutes * 60 + seconds)
}

fn full_year(number: u64) -> u64 {
    match number {
        0..70 => 2000 + number,
        70..100 => 1900 + number,
        full => full,
    }
}

/// Days from 1970-01-01 in the Gregorian calendar, whose cycle of 400 years has 146,097.
fn days_since_1970(year: u64, month: u64, day: u64) -> Option<u64> {
    if !(1970..=9999).contains(&year) || !(1..=31).contains(&day) {
        return None;
    }
    // Years are counted from March, so that a leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let of_years = year * 365 + year / 4 - year / 100 + year / 400;
    let of_months = (month * 153 + 2) / 5;
    (of_years + of_months + day - 1).checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unix(text: &str) -> Option<u64> {
        let date = parse_http_date(text)?;
        date.duration_since(SystemTime::UNIX_EPOCH)
            .ok()
            .map(|since| since.as_secs())
    }

    #[test]
    fn the_three_forms_of_one_moment() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(unix(text), Some(784_111_777), "{text}");
        }
    }

    #[test]
    fn leap_days_and_the_turn_of_centuries() {
        assert_eq!(unix("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(unix("Tue, 29 Feb 2000 00:00:00 GMT"), Some(951_782_400));
        assert_eq!(unix("Mon, 01 Mar 2100 00:00:00 GMT"), Some(4_107_542_400));
        assert_eq!(unix("Tue, 01 Dec 2026 17:05:00 GMT"), Some(1_796_144_700));
    }

    #[test]
    fn anything_else_is_no_date() {
        for text in [
            "",
            "soon",
            "12",
            "Sun, 06 Nov 1994",
            "Sun, 06 Foo 1994 08:49:37 GMT",
        ] {
            assert_eq!(unix(text), None, "{text}");
        }
        assert_eq!(unix("Sun, 99 Nov 1994 08:49:37 GMT"), None);
        assert_eq!(unix("Sun, 06 Nov 1994 25:49:37 GMT"), None);
        assert_eq!(unix("日月火 06 Nov 18446744073709551615 08:49:37"), None);
    }
}
