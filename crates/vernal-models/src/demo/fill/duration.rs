//! Lengths of time: `10 minutes`, `2h30`, `half an hour`, `1시간 30분`.

use std::ops::Range;

use super::number::{Quantity, Written};
use super::unit::{DAY, Dimension, Unit, tidy};
use crate::demo::words::Token;

/// A length of time, by the calendar where that matters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Length {
    pub(crate) months: i64,
    pub(crate) days: i64,
    /// The rest, in seconds.
    pub(crate) seconds: f64,
    /// All of it in seconds, with months and years about as long as they are.
    pub(crate) total: f64,
    /// The number and the unit, where it was written with one.
    pub(crate) single: Option<(f64, Unit)>,
}

/// A length of time in a text.
#[derive(Debug, Clone)]
pub(crate) struct Duration {
    pub(crate) length: Length,
    pub(crate) span: Range<usize>,
    pub(crate) tokens: Range<usize>,
    /// What is glued to the last unit, such as `뒤` in `10분뒤`.
    pub(crate) rest: String,
    /// Whether the number was only an article, as in `a minute`.
    pub(crate) vague: bool,
}

impl Length {
    pub(crate) fn new(value: f64, unit: Unit) -> Self {
        let mut length = Self {
            months: 0,
            days: 0,
            seconds: 0.0,
            total: 0.0,
            single: None,
        };
        length.add(value, unit);
        length.single = Some((value, unit));
        length
    }

    fn add(&mut self, value: f64, unit: Unit) {
        // Numbers beyond any calendar are cut: nobody means them.
        let value = value.clamp(-1e7, 1e7);
        let whole = value.fract() == 0.0;
        match unit.sign {
            "mo" if whole => self.months += value as i64,
            "y" if whole => self.months += value as i64 * 12,
            "w" if whole => self.days += value as i64 * 7,
            "d" if whole => self.days += value as i64,
            _ => self.seconds += value * unit.factor,
        }
        self.total += value * unit.factor;
        self.single = None;
    }

    /// As a number of the unit with `factor` seconds.
    pub(crate) fn in_units_of(&self, factor: f64) -> f64 {
        tidy(self.total / factor)
    }

    /// As ISO 8601, such as `PT10M`.
    pub(crate) fn iso(&self) -> String {
        let mut out = String::from("P");
        let mut part = |value: i64, sign: &str| {
            if value != 0 {
                out.push_str(&format!("{value}{sign}"));
            }
        };
        part(self.months / 12, "Y");
        part(self.months % 12, "M");
        part(self.days, "D");
        let seconds = self.seconds.round() as i64;
        if seconds != 0 || out == "P" {
            let mut time = String::from("T");
            for (value, sign) in [
                (seconds / 3600, "H"),
                (seconds / 60 % 60, "M"),
                (seconds % 60, "S"),
            ] {
                if value != 0 {
                    time.push_str(&format!("{value}{sign}"));
                }
            }
            out.push_str(if time == "T" { "T0S" } else { &time });
        }
        out
    }
}

/// Every length of time in the text, from its numbers.
pub(crate) fn durations(tokens: &[Token], quantities: &[Quantity]) -> Vec<Duration> {
    let mut found: Vec<Duration> = Vec::new();
    for quantity in quantities {
        // `12월 3일` is a day, `2박 3일` two nights.
        let dated = quantity
            .tokens
            .start
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| matches!(before.lower(), "월" | "박"));
        if quantity.written == Written::Ordinal || quantity.value < 0.0 || dated {
            continue;
        }
        let after_hours = found.last().is_some_and(|last| {
            last.tokens.end == quantity.tokens.start
                && last.length.single.is_some_and(|(_, unit)| unit.sign == "h")
        });
        let mut quantity = quantity.clone();
        if after_hours && quantity.unit.is_some_and(|unit| unit.sign == "m") {
            // `1h 30m`
            quantity.unit = super::unit::unit_of("min");
        }
        let quantity = &quantity;
        let Some(mut next) = single(quantity) else {
            continue;
        };
        add_half(&mut next, tokens);
        match found.last_mut().filter(|last| joins(last, &next, tokens)) {
            Some(last) => {
                last.length = sum(&last.length, &next.length);
                last.span.end = next.span.end;
                last.tokens.end = next.tokens.end;
                last.rest = next.rest;
            }
            None => found.push(next),
        }
    }
    found
}

fn single(quantity: &Quantity) -> Option<Duration> {
    let vague = quantity.written == Written::Article;
    if let Some(unit) = quantity
        .unit
        .filter(|unit| unit.dimension == Dimension::Time)
    {
        return Some(Duration {
            length: Length::new(quantity.value, unit),
            span: quantity.whole.clone(),
            tokens: quantity.tokens.clone(),
            rest: quantity.rest.clone(),
            vague,
        });
    }
    // `2h30`, `1h30m`
    let noun = quantity.noun.as_ref()?;
    let after = noun.lower.strip_prefix('h')?;
    let minutes = after.trim_end_matches(|c: char| c.is_alphabetic());
    let minutes: f64 = minutes.parse().ok().filter(|m: &f64| *m < 60.0)?;
    let mut length = Length::new(quantity.value, super::unit::unit_of("h")?);
    length.add(minutes, super::unit::unit_of("min")?);
    let end = quantity.whole.end + noun.lower.len();
    Some(Duration {
        length,
        span: quantity.whole.start..end,
        tokens: quantity.tokens.start..quantity.tokens.end + 1,
        rest: String::new(),
        vague,
    })
}

/// `an hour and a half`, `1시간 반`.
fn add_half(duration: &mut Duration, tokens: &[Token]) {
    let words: Vec<&str> = tokens
        .iter()
        .skip(duration.tokens.end)
        .take(3)
        .map(Token::lower)
        .collect();
    let taken = match words.as_slice() {
        ["and", "a", "half", ..]
        | ["und", "eine", "halbe", ..]
        | ["und", "einen", "halben", ..] => 3,
        ["y", "media" | "medio", ..] | ["et", "demie" | "demi", ..] => 2,
        ["반" | "半", ..] => 1,
        _ => return,
    };
    let Some((value, unit)) = duration.length.single else {
        return;
    };
    let Some(last) = tokens.get(duration.tokens.end + taken - 1) else {
        return;
    };
    duration.length = Length::new(value + 0.5, unit);
    duration.vague = false;
    duration.span.end = last.span.end;
    duration.tokens.end += taken;
}

/// Whether the second goes on with what the first began: `1 hour and 30 minutes`.
fn joins(first: &Duration, second: &Duration, tokens: &[Token]) -> bool {
    let between = tokens
        .get(first.tokens.end..second.tokens.start)
        .unwrap_or_default();
    let connected = match between {
        [] => true,
        [one] => matches!(one.lower(), "and" | "," | "und" | "y" | "et"),
        _ => false,
    };
    let unit = |duration: &Duration| duration.length.single.map(|(_, unit)| unit.factor);
    let smaller = unit(second).unwrap_or(DAY) < unit(first).unwrap_or(61.0);
    connected
        && smaller
        && first.rest.is_empty()
        && second.length.total < first.length.total.max(60.0)
}

fn sum(a: &Length, b: &Length) -> Length {
    Length {
        months: a.months + b.months,
        days: a.days + b.days,
        seconds: a.seconds + b.seconds,
        total: a.total + b.total,
        single: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::fill::number::quantities;
    use crate::demo::lang::language_of;
    use crate::demo::words::tokens;

    fn read(text: &str) -> Vec<String> {
        let tokens = tokens(text);
        let quantities = quantities(&tokens, language_of(text));
        durations(&tokens, &quantities)
            .iter()
            .map(|d| d.length.iso())
            .collect()
    }

    #[test]
    fn lengths_of_time_are_read() {
        for (text, iso) in [
            ("in 10 minutes", "PT10M"),
            ("for half an hour", "PT30M"),
            ("2h30 of sleep", "PT2H30M"),
            ("1 hour and 30 minutes", "PT1H30M"),
            ("an hour and a half", "PT1H30M"),
            ("Timer auf 90 Minuten", "PT1H30M"),
            ("eine halbe Stunde für mich", "PT30M"),
            ("1시간 30분 동안", "PT1H30M"),
            ("한 시간 반", "PT1H30M"),
            ("3 weeks", "P21D"),
            ("2 years", "P2Y"),
            ("45 seconds", "PT45S"),
            ("timer 1h 30m please", "PT1H30M"),
            ("10分後に", "PT10M"),
        ] {
            assert_eq!(read(text), [iso], "{text}");
        }
        assert_eq!(read("3 days and 2 nights").len(), 2);
        assert!(read("5 apples at 7:30").is_empty());
    }

    #[test]
    fn numbers_of_a_unit() {
        let tokens = tokens("90 minutes");
        let found = durations(&tokens, &quantities(&tokens, crate::demo::lang::Lang::En));
        assert_eq!(found[0].length.in_units_of(3600.0), 1.5);
        assert_eq!(found[0].length.in_units_of(1.0), 5400.0);
    }
}
