//! Points in time and lengths of time for parameters.

use std::ops::Range;

use serde_json::Value;

use super::date::Day;
use super::leaf::{Candidate, Leaf, Scene, Wait};
use super::moment::Moment;
use super::period::period_of;
use super::style::{Style, style_of, write};
use super::time_past::{has_begin, is_past, latest};
use crate::demo::cue::Cue;
use crate::demo::now::{Now, Resolved, needs_now, resolve};
use crate::demo::reading::overlap;
use crate::demo::schema::Shape;
use crate::demo::side::Side;

/// The points in time that the leaf might take, as text.
pub(crate) fn moments(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let style = style_of(leaf.param, leaf.want);
    let reading = scene.reading;
    // `a timer for 90 seconds` goes off in 90 seconds.
    let rings = ["alarm", "timer", "reminder"];
    let rings = rings
        .iter()
        .any(|key| scene.tool.words.iter().any(|word| word.is_about(key)));
    let later: Vec<Moment> = if reading.moments.is_empty() && rings {
        let durations = reading.durations.iter().filter(|duration| !duration.vague);
        durations.map(Moment::after).collect()
    } else {
        Vec::new()
    };
    let all = reading.moments.iter().chain(&later);
    all.filter_map(|moment| moment_for(leaf, moment, style.as_ref(), scene))
        .collect()
}

fn moment_for(
    leaf: &Leaf<'_>,
    moment: &Moment,
    style: Option<&Style>,
    scene: &Scene<'_>,
) -> Option<Candidate> {
    let style = style
        .cloned()
        .unwrap_or_else(|| match (moment.has_day(), moment.has_time()) {
            (true, false) => Style::Date,
            (false, true) => Style::Time,
            _ => Style::DateTime,
        });
    let (span, mut score) = match &style {
        Style::Date => (
            moment.day_span.clone().unwrap_or(moment.span.clone()),
            if moment.has_day() { 0.9 } else { 0.15 },
        ),
        Style::Time | Style::LongTime => {
            let timed = moment.has_time() || moment.part.is_some();
            (moment.time_span.clone().filter(|_| timed)?, 0.9)
        }
        Style::Pattern(pattern) if !pattern.contains(['Y', 'y', 'D']) => {
            (moment.time_span.clone()?, 0.9)
        }
        _ => (
            moment.span.clone(),
            match (moment.has_day(), moment.has_time()) {
                (true, true) => 0.95,
                (false, false) => 0.3,
                // `a flight tomorrow, pick me up at 5`: the time borrows the day.
                (true, false) if timed_elsewhere(scene) => 0.7,
                _ => 0.9,
            },
        ),
    };
    score += side_fit(leaf, moment, scene) + 0.1 * leaf.label(scene.reading, &moment.span);
    if scene.reading.is_quoted(&moment.span) {
        score -= 0.5;
    }
    if moment.span.start >= scene.reading.background {
        score -= 0.25;
    }
    // `We came on Sunday. Can you book Tuesday?`
    let told = |other: &Moment| {
        scene
            .reading
            .told
            .iter()
            .any(|told| overlap(told, &other.span))
    };
    let like = |other: &&Moment| other.has_day() == moment.has_day() || other.has_day();
    if told(moment)
        && scene
            .reading
            .moments
            .iter()
            .filter(like)
            .any(|other| !told(other))
    {
        score -= 0.2;
    }
    if scene.reading.is_negated(&span) {
        score -= 0.6;
    }
    if style == Style::Words {
        return Some(Candidate::new(
            scene.reading.slice(&moment.span),
            span,
            score,
        ));
    }
    let full = with_borrowed_day(moment, scene);
    let clock_only = matches!(style, Style::Time | Style::LongTime) && full.from_now.is_none();
    let waits = needs_now(&full) && !clock_only;
    let now = match (scene.now, waits) {
        (Some(now), _) => *now,
        (None, false) => Now {
            datetime: jiff::civil::date(2000, 1, 1).at(0, 0, 0, 0),
            offset: None,
        },
        (None, true) => {
            let mut candidate = Candidate::new(Value::Null, span, score);
            candidate.wait = Some(if full.has_day() && full.from_now.is_none() {
                Wait::Day
            } else {
                Wait::Instant
            });
            return Some(candidate);
        }
    };
    let mut resolved = resolve(&full, &now)?;
    let period = full
        .day
        .as_ref()
        .and_then(|day| period_of(day, now.datetime.date()));
    if let Some((first, last)) = period {
        match leaf.side {
            Side::From => resolved.date = first,
            // Where the period begins is another parameter, and this one follows it.
            Side::To if has_begin(scene) => return None,
            Side::To => resolved.date = last,
            Side::Neither => {}
        }
    }
    let unsaid_year = matches!(
        full.day,
        Some(Day::Fixed { year: None, .. } | Day::Month { year: None, .. })
    );
    if unsaid_year && scene.now.is_some() && is_past(leaf, scene) {
        resolved.date = latest(resolved.date, now.datetime.date());
    }
    Some(Candidate::new(write(&resolved, &style)?, span, score))
}

/// Whether the text tells a time of day apart from any day.
fn timed_elsewhere(scene: &Scene<'_>) -> bool {
    let alone = |moment: &Moment| {
        moment.has_time()
            && moment.day.is_none()
            && moment.from_now.is_none()
            && moment.stamp.is_none()
    };
    let mut own = scene.reading.moments.iter();
    own.any(|moment| alone(moment) && moment.span.start < scene.reading.background)
}

/// `from 9am to 11am on Friday`: the day that was said once holds for both.
pub(crate) fn with_borrowed_day(moment: &Moment, scene: &Scene<'_>) -> Moment {
    let mut full = moment.clone();
    if full.has_day() {
        return full;
    }
    let dated =
        |other: &&Moment| other.day.is_some() && other.span.start < scene.reading.background;
    if let Some(other) = scene.reading.moments.iter().find(dated) {
        full.day.clone_from(&other.day);
    }
    full
}

pub(super) fn side_fit(leaf: &Leaf<'_>, moment: &Moment, scene: &Scene<'_>) -> f32 {
    let cue = scene.reading.cue_of(&moment.span).or_else(|| {
        moment
            .day_span
            .as_ref()
            .and_then(|span: &Range<usize>| scene.reading.cue_of(span))
    });
    let before = scene
        .reading
        .before(moment.span.start, 0)
        .map_or("", |token| token.lower());
    let cue = match before {
        "from" | "starting" | "between" | "von" | "ab" | "desde" | "after" | "since" => {
            Some(Cue::From)
        }
        "to" | "until" | "till" | "by" | "before" | "bis" | "hasta" | "-" | "–" | "through"
        | "due" => Some(Cue::To),
        "and" | "und" | "y" if scene.reading.moments.len() == 2 && is_second(moment, scene) => {
            Some(Cue::To)
        }
        _ => cue,
    };
    match (leaf.side, cue) {
        (Side::From, Some(Cue::From | Cue::Between)) | (Side::To, Some(Cue::To | Cue::Until)) => {
            0.3
        }
        (Side::From, Some(Cue::To)) if scene.reading.moments.len() == 1 => 0.0,
        (Side::From, Some(Cue::To | Cue::Until)) | (Side::To, Some(Cue::From | Cue::Between)) => {
            -0.4
        }
        (Side::To, _) if !leaf.named("due deadline until") => -0.2,
        (Side::Neither, Some(Cue::Until)) => -0.05,
        _ => 0.0,
    }
}

/// Whether only one word stands between the moment and another before it: `Monday and Tuesday`.
fn is_second(moment: &Moment, scene: &Scene<'_>) -> bool {
    let mut others = scene.reading.moments.iter();
    others.any(|other| other.has_day() && other.tokens.end + 1 == moment.tokens.start)
}

/// The lengths of time that the leaf might take, as text: ISO 8601 where that is asked for.
pub(crate) fn lengths(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let lower = leaf.param.description.to_lowercase();
    let formatted = matches!(&leaf.param.shape, Shape::Text(text) if text.format.as_deref() == Some("duration"));
    let sampled = leaf
        .param
        .examples
        .iter()
        .chain(&leaf.param.default)
        .any(|v| {
            v.as_str()
                .is_some_and(|s| s.starts_with("PT") || s.starts_with("P1"))
        });
    let iso =
        formatted || sampled || lower.contains("8601") || leaf.param.description.contains("PT");
    let mut found = Vec::new();
    for duration in &scene.reading.durations {
        let mut score = if duration.vague { 0.5 } else { 0.9 };
        if scene.reading.is_quoted(&duration.span) {
            score -= 0.5;
        }
        let text = if iso {
            duration.length.iso()
        } else {
            scene.reading.slice(&duration.span).to_owned()
        };
        found.push(Candidate::new(text, duration.span.clone(), score));
    }
    found
}

/// The end of something that has begun: so long after it, or the same day where only days count.
pub(crate) fn end_after(
    leaf: &Leaf<'_>,
    begun: &Candidate,
    taken: &[Range<usize>],
    scene: &Scene<'_>,
) -> Option<Candidate> {
    let begin_span = begun.spans.first()?;
    let moment = scene
        .reading
        .moments
        .iter()
        .find(|moment| crate::demo::reading::overlap(&moment.span, begin_span))?;
    let free = |span: &Range<usize>| {
        !taken
            .iter()
            .any(|taken| crate::demo::reading::overlap(taken, span))
    };
    let apart = |span: &Range<usize>| !crate::demo::reading::overlap(span, &moment.span);
    let duration = scene
        .reading
        .durations
        .iter()
        .find(|duration| apart(&duration.span) && free(&duration.span));
    let style = style_of(leaf.param, leaf.want).unwrap_or(Style::DateTime);
    let same_day = style == Style::Date && leaf.required;
    let span = match duration {
        Some(duration) => duration.span.clone(),
        None if same_day => 0..0,
        None => return None,
    };
    let Some(now) = scene.now.copied() else {
        let mut candidate = Candidate::new(Value::Null, span, 0.5);
        candidate.wait = Some(Wait::Instant);
        return Some(candidate);
    };
    let resolved = resolve(&with_borrowed_day(moment, scene), &now)?;
    let whole = moment
        .day
        .as_ref()
        .and_then(|day| period_of(day, now.datetime.date()));
    if let Some((_, mut last)) = whole {
        if matches!(moment.day, Some(Day::Month { year: None, .. })) && is_past(leaf, scene) {
            last = latest(last, now.datetime.date());
        }
        let end = Resolved {
            date: last,
            ..resolved
        };
        return Some(Candidate::new(write(&end, &style)?, 0..0, 0.5));
    }
    let Some(length) = duration.map(|duration| &duration.length) else {
        return Some(Candidate::new(write(&resolved, &style)?, span, 0.5));
    };
    let begin = resolved
        .date
        .to_datetime(resolved.time.unwrap_or(jiff::civil::Time::midnight()));
    // A day of leave begins and ends on the same day.
    let inclusive = length.days > 0
        && scene
            .tool
            .words
            .iter()
            .chain(&scene.tool.about)
            .any(|word| word.is_about("holiday"));
    let ahead = jiff::Span::new()
        .try_months(length.months)
        .ok()?
        .try_days(length.days - i64::from(inclusive))
        .ok()?;
    let end = begin
        .checked_add(ahead.try_seconds(length.seconds.round() as i64).ok()?)
        .ok()?;
    let resolved = Resolved {
        date: end.date(),
        time: resolved.time.map(|_| end.time()),
        offset: resolved.offset,
    };
    Some(Candidate::new(write(&resolved, &style)?, span, 0.5))
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    #[test]
    fn ranges_fill_begin_and_end() {
        let date = || json!({"type": "string", "format": "date"});
        let stay = json!({"check_in": date(), "check_out": date()});
        for (text, from, to) in [
            ("from July 1 to July 5", "2025-07-01", "2025-07-05"),
            ("for 3 nights from July 10", "2025-07-10", "2025-07-13"),
            ("on July 4", "2025-07-04", "2025-07-04"),
        ] {
            let wanted = json!({"check_in": from, "check_out": to});
            assert_eq!(
                filled("book", stay.clone(), &["check_in", "check_out"], text),
                wanted,
                "{text}"
            );
        }
    }

    #[test]
    fn a_moment_is_split_where_date_and_time_are_two_parameters() {
        let table = json!({"date": {"type": "string", "format": "date"}, "time": {"type": "string", "description": "HH:MM"}});
        let wanted = json!({"date": "2025-06-05", "time": "19:00"});
        assert_eq!(
            filled("book", table, &["date", "time"], "tomorrow at 7pm"),
            wanted
        );
        let stamp = json!({"at": {"type": "integer", "description": "unix timestamp in seconds"}});
        assert_eq!(
            filled("wake", stamp, &["at"], "in 10 minutes"),
            json!({"at": 1_749_031_800})
        );
        let iso = json!({"length": {"type": "string", "format": "duration"}});
        assert_eq!(
            filled("run", iso, &["length"], "for 90 minutes"),
            json!({"length": "PT1H30M"})
        );
    }
}
