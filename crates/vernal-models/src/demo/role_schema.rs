//! What the type, the format and the pattern of a parameter say that it wants.

use super::fill::unit::Dimension;
use super::measure::unit;
use super::role::{DatePart, Want, has, says};
use super::schema::{Param, Shape};

pub(crate) fn want_by_schema(param: &Param) -> Option<Want> {
    let Shape::Text(text) = &param.shape else {
        return None;
    };
    match text.format.as_deref() {
        Some("email" | "idn-email") => return Some(Want::Email),
        Some("uri" | "url" | "iri" | "uri-reference") => return Some(Want::Url),
        Some("date") => return Some(Want::Date),
        Some("time" | "partial-time") => return Some(Want::Time),
        Some("date-time" | "datetime" | "partial-date-time") => return Some(Want::DateTime),
        Some("duration") => return Some(Want::Duration),
        Some("uuid" | "ipv4" | "ipv6") => return Some(Want::Id),
        _ => {}
    }
    let pattern = text.pattern.as_deref()?;
    if pattern.contains(r"\d{4}-\d{2}-\d{2}") || pattern.contains("[0-9]{4}-[0-9]{2}-[0-9]{2}") {
        return Some(if pattern.contains(['T', ':']) {
            Want::DateTime
        } else {
            Want::Date
        });
    }
    let clock = pattern.contains(r"\d{2}:\d{2}") || pattern.contains(":[0-5]");
    clock.then_some(Want::Time)
}

pub(crate) fn numeric_want(found: Option<Want>, param: &Param) -> Want {
    if has(&param.words, "limit top max_results results n k size_limit")
        && !has(&param.words, "price amount speed party")
        || has(&param.words, "max maximum num number")
            && has(&param.words, "results items entries records articles rows")
    {
        return Want::Limit;
    }
    if has(&param.words, "page offset skip") {
        return Want::Page;
    }
    let single = |wanted: &str| param.words.len() == 1 && has(&param.words, wanted);
    let part = match () {
        () if has(&param.words, "year jahr año 연도 年份") => Some(DatePart::Year),
        () if has(&param.words, "day tag día") && has(&param.words, "month monat mes") => {
            Some(DatePart::Day)
        }
        () if single("month monat mes 월 月") => Some(DatePart::Month),
        () if single("day tag día 일 日") => Some(DatePart::Day),
        () if single("hour stunde hora 시") => Some(DatePart::Hour),
        () if single("minute") => Some(DatePart::Minute),
        () => None,
    };
    if let Some(part) = part {
        return Want::DatePart(part);
    }
    let timed = says(param, &["unix", "epoch"]) || has(&param.words, "timestamp epoch");
    match found {
        _ if timed => Want::Timestamp,
        Some(Want::Duration | Want::Confidence | Want::Id) => found.unwrap_or(Want::Amount),
        Some(Want::Time) if says(param, &["minutes", "seconds", "hours"]) => Want::Duration,
        _ if unit(param).is_some_and(|unit| unit.dimension == Dimension::Time) => Want::Duration,
        _ => Want::Amount,
    }
}
