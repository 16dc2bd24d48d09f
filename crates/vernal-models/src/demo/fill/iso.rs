//! Points in time as programs write them: `2025-06-01T10:00:00+09:00`.

use jiff::civil::{Date, Time};
use jiff::tz::Offset;

/// A date, perhaps a time, perhaps an offset from UTC.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stamp {
    pub(crate) date: Date,
    pub(crate) time: Option<Time>,
    pub(crate) offset: Option<Offset>,
}

/// Reads along a text.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, signs: &[char]) -> Option<char> {
        let c = self.rest().chars().next().filter(|c| signs.contains(c))?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn digits(&mut self, count: usize) -> Option<i32> {
        let digits = self
            .rest()
            .get(..count)
            .filter(|part| part.bytes().all(|b| b.is_ascii_digit()))?;
        let value = digits.parse().ok()?;
        self.at += count;
        Some(value)
    }
}

/// The point in time with which a text begins, and its length in bytes.
pub(crate) fn stamp_at(text: &str) -> Option<(Stamp, usize)> {
    let mut cursor = Cursor { text, at: 0 };
    let year = cursor.digits(4)?;
    let sign = cursor.take(&['-', '/'])?;
    let month = cursor.digits(2)?;
    cursor.take(&[sign])?;
    let day = cursor.digits(2)?;
    if cursor.rest().starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let date = Date::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
    )
    .ok()?;
    let mut stamp = Stamp {
        date,
        time: None,
        offset: None,
    };
    let end = cursor.at;
    let Some(time) = time(&mut cursor) else {
        return Some((stamp, end));
    };
    stamp.time = Some(time);
    let end = cursor.at;
    if let Some(offset) = offset(&mut cursor) {
        stamp.offset = Some(offset);
        return Some((stamp, cursor.at));
    }
    Some((stamp, end))
}

fn time(cursor: &mut Cursor<'_>) -> Option<Time> {
    cursor.take(&['T', 't', ' '])?;
    let hour = cursor.digits(2)?;
    cursor.take(&[':'])?;
    let minute = cursor.digits(2)?;
    let mut second = 0;
    let before = cursor.at;
    if cursor.take(&[':']).is_some() {
        match cursor.digits(2) {
            Some(value) => second = value.min(59),
            None => cursor.at = before,
        }
    }
    let before = cursor.at;
    if cursor.take(&['.', ',']).is_some() {
        let fraction = cursor.rest().bytes().take_while(u8::is_ascii_digit).count();
        cursor.at = if fraction == 0 {
            before
        } else {
            cursor.at + fraction
        };
    }
    Time::new(
        i8::try_from(hour).ok()?,
        i8::try_from(minute).ok()?,
        i8::try_from(second).ok()?,
        0,
    )
    .ok()
}

fn offset(cursor: &mut Cursor<'_>) -> Option<Offset> {
    cursor.take(&[' ']);
    if cursor.take(&['Z', 'z']).is_some() {
        return Some(Offset::UTC);
    }
    if cursor.rest().starts_with("UTC") || cursor.rest().starts_with("GMT") {
        cursor.at += 3;
        return Some(offset(cursor).unwrap_or(Offset::UTC));
    }
    let sign = if cursor.take(&['+', '-'])? == '-' {
        -1
    } else {
        1
    };
    let hours = cursor.digits(2)?;
    cursor.take(&[':']);
    let minutes = cursor.digits(2).unwrap_or(0);
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}

/// The offset that a text names, such as `+09:00` or `UTC-5`.
pub(crate) fn offset_in(text: &str) -> Option<Offset> {
    let mut cursor = Cursor {
        text: text.trim(),
        at: 0,
    };
    let offset = offset(&mut cursor)?;
    cursor.rest().is_empty().then_some(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_read_with_their_offset() {
        let hours = |text: &str| {
            stamp_at(text)
                .unwrap()
                .0
                .offset
                .map(|offset| offset.seconds() / 3600)
        };
        assert_eq!(hours("2025-06-01T10:00:00+09:00[Asia/Seoul]"), Some(9));
        assert_eq!(hours("2025-06-01 10:00:00.123456Z"), Some(0));
        assert_eq!(hours("2025-06-01T10:00"), None);
        let (stamp, length) = stamp_at("2025-06-01T10:00:00 and more").unwrap();
        assert_eq!((stamp.time.unwrap().hour(), length), (10, 19));
        assert_eq!(stamp_at("2025-06-01").unwrap().0.time, None);
        for bad in ["2025-13-01", "2025-06-011", "20250601", "x", "2025-06-"] {
            assert!(stamp_at(bad).is_none(), "{bad}");
        }
        assert_eq!(offset_in("+09:00").map(|o| o.seconds()), Some(32400));
        assert_eq!(offset_in("later"), None);
    }
}
