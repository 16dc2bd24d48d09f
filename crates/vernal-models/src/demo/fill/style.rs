//! How a parameter wants a point in time written.

use jiff::civil::{Date, Time};
use serde_json::Value;

use crate::demo::now::Resolved;
use crate::demo::role::Want;
use crate::demo::schema::{Param, Shape};

/// A way to write a point in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Style {
    Date,
    /// `19:00`
    Time,
    /// `19:00:00`
    LongTime,
    DateTime,
    /// A pattern such as `DD.MM.YYYY HH:mm`.
    Pattern(String),
    /// In the words of the user.
    Words,
}

/// The style that a parameter asks for; `None` leaves it to the kind of moment.
pub(crate) fn style_of(param: &Param, want: Want) -> Option<Style> {
    let description = param.description.as_str();
    let lower = description.to_lowercase();
    let format = match &param.shape {
        Shape::Text(text) => text.format.as_deref(),
        _ => None,
    };
    match format {
        Some("date") => return Some(Style::Date),
        Some("time" | "partial-time") => return Some(Style::LongTime),
        Some("date-time" | "datetime" | "partial-date-time") => return Some(Style::DateTime),
        _ => {}
    }
    if let Some(pattern) = pattern_in(description) {
        return Some(pattern);
    }
    let samples = param
        .examples
        .iter()
        .chain(&param.default)
        .filter_map(Value::as_str);
    if let Some(style) = samples
        .chain(sample_in(description))
        .find_map(style_of_sample)
    {
        return Some(style);
    }
    let natural = [
        "natural language",
        "human-readable",
        "free text",
        "free-form",
        "'tomorrow",
        "\"tomorrow",
        "e.g. tomorrow",
        "'in 10",
        "\"in 10",
        "such as tomorrow",
        "like tomorrow",
        "'today",
        "\"today",
    ];
    if natural.iter().any(|sign| lower.contains(sign)) {
        return Some(Style::Words);
    }
    if lower.contains("8601") || lower.contains("rfc3339") || lower.contains("rfc 3339") {
        let only_date = want == Want::Date || (lower.contains("date") && !lower.contains("time"));
        return Some(if only_date {
            Style::Date
        } else {
            Style::DateTime
        });
    }
    match want {
        Want::Date => Some(Style::Date),
        Want::Time => Some(Style::Time),
        Want::DateTime => Some(Style::DateTime),
        _ => None,
    }
}

/// A pattern of letters in the description, such as `YYYY-MM-DD` or `HH:MM`.
fn pattern_in(description: &str) -> Option<Style> {
    let words = description.split(|c: char| {
        c.is_whitespace() || matches!(c, '\'' | '"' | '`' | '(' | ')' | ',' | ';')
    });
    let mut pattern: Option<String> = None;
    for word in words {
        let word = word.trim_end_matches(['.', ':', '!']);
        let letters = word.chars().all(|c| "YMDHhmsyd-/.:TSZ".contains(c));
        let dated = word.to_uppercase().contains("YY") && word.to_uppercase().contains("MM");
        let timed = word.contains("HH:") || word.contains("hh:");
        match (&mut pattern, letters && (dated || timed)) {
            (None, true) => pattern = Some(word.trim_end_matches('Z').to_owned()),
            (Some(pattern), true) if timed && !pattern.contains(['H', 'h']) => {
                pattern.push(' ');
                pattern.push_str(word);
            }
            (Some(_), _) => break,
            (None, false) => {}
        }
    }
    Some(match pattern?.as_str() {
        "YYYY-MM-DD" | "yyyy-MM-dd" | "yyyy-mm-dd" => Style::Date,
        "HH:MM" | "HH:mm" | "hh:mm" => Style::Time,
        "HH:MM:SS" | "HH:mm:ss" | "hh:mm:ss" => Style::LongTime,
        "YYYY-MM-DDTHH:MM:SS" | "YYYY-MM-DDTHH:mm:ss" | "yyyy-MM-ddTHH:mm:ss" => Style::DateTime,
        other => Style::Pattern(other.to_owned()),
    })
}

/// Digits in the description that look like a point in time.
fn sample_in(description: &str) -> impl Iterator<Item = &str> {
    description
        .split([' ', '\'', '"', '`', '(', ')', ','])
        .filter(|part| part.starts_with(|c: char| c.is_ascii_digit()) && part.contains(['-', ':']))
}

fn style_of_sample(sample: &str) -> Option<Style> {
    let sample = sample.trim_end_matches('.');
    if let Some((stamp, length)) = super::iso::stamp_at(sample) {
        return (length == sample.len()).then_some(if stamp.time.is_some() {
            Style::DateTime
        } else {
            Style::Date
        });
    }
    let parts: Vec<&str> = sample.split(':').collect();
    let clock = parts
        .iter()
        .all(|part| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit()));
    match parts.len() {
        2 if clock => Some(Style::Time),
        3 if clock => Some(Style::LongTime),
        _ => None,
    }
}

/// Writes a point in time. `None` where the style needs a time and there is none.
pub(crate) fn write(resolved: &Resolved, style: &Style) -> Option<String> {
    let Resolved { date, time, offset } = resolved;
    Some(match style {
        Style::Date => date_text(*date),
        Style::Time => time.map(short)?,
        Style::LongTime => time.map(long)?,
        Style::DateTime => {
            let time = time.unwrap_or(Time::midnight());
            let offset = offset.map(|offset| match offset.seconds() {
                0 => "Z".to_owned(),
                seconds => {
                    let sign = if seconds < 0 { '-' } else { '+' };
                    let minutes = seconds.abs() / 60;
                    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
                }
            });
            format!(
                "{}T{}{}",
                date_text(*date),
                long(time),
                offset.unwrap_or_default()
            )
        }
        Style::Pattern(pattern) => by_pattern(pattern, *date, time.unwrap_or(Time::midnight())),
        Style::Words => return None,
    })
}

fn date_text(date: Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
}

fn short(time: Time) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

fn long(time: Time) -> String {
    format!(
        "{:02}:{:02}:{:02}",
        time.hour(),
        time.minute(),
        time.second()
    )
}

fn by_pattern(pattern: &str, date: Date, time: Time) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    // `MM` after an hour is minutes.
    let mut hour_seen = false;
    while let Some(first) = rest.chars().next() {
        let run = rest.chars().take_while(|c| *c == first).count();
        let (piece, tail) = rest.split_at(run * first.len_utf8());
        let padded = |value: i64| {
            if run >= 2 {
                format!("{value:02}")
            } else {
                value.to_string()
            }
        };
        match first {
            'Y' | 'y' if run == 2 => out.push_str(&format!("{:02}", date.year() % 100)),
            'Y' | 'y' => out.push_str(&format!("{:04}", date.year())),
            'M' | 'm' if hour_seen => out.push_str(&padded(time.minute().into())),
            'M' | 'm' => out.push_str(&padded(date.month().into())),
            'D' | 'd' => out.push_str(&padded(date.day().into())),
            'H' | 'h' => {
                hour_seen = true;
                out.push_str(&padded(time.hour().into()));
            }
            'S' | 's' => out.push_str(&padded(time.second().into())),
            _ => out.push_str(piece),
        }
        rest = tail;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::schema::params_of;

    fn style(description: &str, want: Want) -> Option<Style> {
        let schema =
            serde_json::json!({"properties":{"p":{"type":"string","description":description}}});
        style_of(&params_of(&schema.to_string())[0], want)
    }

    #[test]
    fn descriptions_ask_for_a_style() {
        assert_eq!(
            style("The date as YYYY-MM-DD.", Want::Date),
            Some(Style::Date)
        );
        assert_eq!(style("HH:MM, 24 hours", Want::When), Some(Style::Time));
        assert_eq!(
            style("The time, in ISO-8601 format.", Want::DateTime),
            Some(Style::DateTime)
        );
        assert_eq!(
            style("e.g. 2025-01-31T09:00:00Z", Want::When),
            Some(Style::DateTime)
        );
        assert_eq!(style("like '09:30'", Want::When), Some(Style::Time));
        assert_eq!(
            style("format DD.MM.YYYY", Want::Date),
            Some(Style::Pattern("DD.MM.YYYY".into()))
        );
        assert_eq!(
            style("When, e.g. 'tomorrow at noon'", Want::When),
            Some(Style::Words)
        );
        assert_eq!(style("", Want::When), None);
    }

    #[test]
    fn points_in_time_are_written() {
        let resolved = Resolved {
            date: Date::new(2025, 6, 1).unwrap(),
            time: Time::new(9, 5, 0, 0).ok(),
            offset: super::super::iso::offset_in("-03:30"),
        };
        let written = |style: Style| write(&resolved, &style).unwrap();
        assert_eq!(written(Style::DateTime), "2025-06-01T09:05:00-03:30");
        assert_eq!(written(Style::Time), "09:05");
        assert_eq!(
            written(Style::Pattern("DD.MM.YYYY HH:MM".into())),
            "01.06.2025 09:05"
        );
        assert_eq!(written(Style::Pattern("M/D/YY".into())), "6/1/25");
    }
}
