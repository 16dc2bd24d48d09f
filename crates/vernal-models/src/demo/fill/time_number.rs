//! Points in time as numbers: years, months, hours, and seconds since 1970.

use super::calendar::MONTH;
use super::leaf::{Candidate, Leaf, Scene, Wait};
use super::time::{side_fit, with_borrowed_day};
use crate::demo::now::{Now, Resolved, needs_now, resolve};
use crate::demo::reading::overlap;
use crate::demo::role::{DatePart, Want};
use crate::demo::schema::Number;
use crate::demo::words::Token;
use jiff::tz::Offset;
use serde_json::Value;

/// The points in time that the leaf might take, as a number.
pub(crate) fn numbers(leaf: &Leaf<'_>, number: &Number, scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = month_names(leaf, number, scene);
    for moment in &scene.reading.moments {
        let full = with_borrowed_day(moment, scene);
        let fixed_year = !needs_now(&full);
        let clock_part = matches!(leaf.want, Want::DatePart(DatePart::Hour | DatePart::Minute))
            && full.clock.is_some();
        let Some(now) = scene.now.copied().or_else(|| {
            let any = Now {
                datetime: jiff::civil::date(2000, 1, 1).at(0, 0, 0, 0),
                offset: None,
            };
            (fixed_year || clock_part).then_some(any)
        }) else {
            let mut candidate = Candidate::new(Value::Null, moment.span.clone(), 0.85);
            candidate.wait = Some(Wait::Instant);
            found.push(candidate);
            continue;
        };
        let Some(value) = resolve(&full, &now).and_then(|resolved| as_number(leaf, &resolved))
        else {
            continue;
        };
        if number.allows(value as f64) {
            let score = 0.85 + side_fit(leaf, moment, scene);
            found.push(Candidate::new(value, moment.span.clone(), score));
        }
    }
    found
}

/// `in October`: a month without a day.
pub(super) fn month_names(leaf: &Leaf<'_>, number: &Number, scene: &Scene<'_>) -> Vec<Candidate> {
    let reading = scene.reading;
    let dated = |token: &Token| {
        let mut moments = reading.moments.iter();
        moments.any(|moment| overlap(&moment.span, &token.span))
    };
    let tokens = reading.tokens.iter().filter(|token| {
        leaf.want == Want::DatePart(DatePart::Month)
            && !dated(token)
            && (token.capital || !token.lower().is_ascii())
    });
    let named = tokens.filter_map(|token| Some((MONTH.first(token.lower())?, token)));
    let allowed = named.filter(|(month, _)| number.allows(f64::from(*month)));
    allowed
        .map(|(month, token)| Candidate::new(month, token.span.clone(), 0.9))
        .collect()
}

pub(super) fn as_number(leaf: &Leaf<'_>, resolved: &Resolved) -> Option<i64> {
    Some(match leaf.want {
        Want::DatePart(DatePart::Year) => resolved.date.year().into(),
        Want::DatePart(DatePart::Month) => resolved.date.month().into(),
        Want::DatePart(DatePart::Day) => resolved.date.day().into(),
        Want::DatePart(DatePart::Hour) => resolved.time?.hour().into(),
        Want::DatePart(DatePart::Minute) => resolved.time?.minute().into(),
        Want::Timestamp => {
            let time = resolved.time.unwrap_or(jiff::civil::Time::midnight());
            let offset = resolved.offset.unwrap_or(Offset::UTC);
            let seconds = offset
                .to_timestamp(resolved.date.to_datetime(time))
                .ok()?
                .as_second();
            let lower = leaf.param.description.to_lowercase();
            let millis = lower.contains("millis") || leaf.named("ms millis milliseconds");
            if millis {
                seconds.saturating_mul(1000)
            } else {
                seconds
            }
        }
        _ => return None,
    })
}
