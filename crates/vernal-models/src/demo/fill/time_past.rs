//! Whether a moment lies in the past, where its year is not said.

use super::date::Day;
use super::leaf::{Leaf, Scene, listed};
use crate::demo::role::{Want, want};
use crate::demo::side::{Side, side};
use crate::demo::synonyms::Action;
use crate::demo::words::Token;
use jiff::civil::Date;

/// Whether the parameter wants what has been: `last_donation`, the day of something that is recorded.
pub(super) fn is_past(leaf: &Leaf<'_>, scene: &Scene<'_>) -> bool {
    let mut about = leaf.param.words.iter().chain(&leaf.param.about).peekable();
    while let Some(word) = about.next() {
        let next = about.peek().map_or("", |word| word.lower.as_str());
        // The last day is still to come.
        let day = matches!(next, "day" | "date" | "night" | "week" | "tag" | "");
        let before = listed(
            "last previous past latest letzte letzten letzter última último",
            &word.lower,
        );
        if before && !day
            || listed(
                "since birth birthday born seit geburt nacimiento happened occurred incident accident purchase purchased bought \
                 measured sampled observed sighting",
                &word.lower,
            )
        {
            return true;
        }
    }
    let month = scene
        .reading
        .moments
        .iter()
        .any(|moment| matches!(moment.day, Some(Day::Month { year: None, .. })));
    if month && scene.tool.action() == Some(Action::Read) && !plans_ahead(scene) {
        return true;
    }
    let ends = |token: &&Token| !crate::demo::cue::ends_sentence(token.lower());
    let mut told = scene.reading.tokens.iter().take_while(ends);
    let past = |word: &str| {
        listed(
            "did was were had spent used earned happened ate ran bought sold paid received delivered",
            word,
        ) || !word.starts_with('남')
            && word
                .chars()
                .any(|c| matches!(c, '었' | '았' | '했' | '였' | '썼' | '갔' | '봤' | '샀'))
    };
    // What is told beside a wish does not date it.
    let beside = |token: &Token| {
        let mut parts = scene.reading.told.iter();
        parts.any(|part| part.start <= token.span.start && token.span.end <= part.end)
    };
    let wishes = scene
        .reading
        .tokens
        .iter()
        .any(|token| token.is_word() && !beside(token));
    if told.any(|token| past(token.lower()) && !(wishes && beside(token))) {
        return true;
    }
    let records = scene.tool.words.iter().chain(scene.tool.about.first());
    records
        .into_iter()
        .any(|word| listed(
            "log record report track logged recorded usage consumption history statement revenue sales expense expenses reimburse reimbursed claim receipt transactions \
             spending",
            &word.lower,
        ))
}

/// The same day of the year, but not after today.
/// Whether the tool looks at what is to come.
pub(super) fn plans_ahead(scene: &Scene<'_>) -> bool {
    let mut words = scene.tool.words.iter().chain(&scene.tool.about);
    let ahead = "flight flights hotel hotels train trains ticket tickets trip trips weather forecast event events concert concerts \
        availability available free schedule upcoming next holiday holidays calendar room rooms course courses plan search find";
    words.any(|word| listed(ahead, &word.lower))
}

/// Whether the tool also takes where a period begins.
pub(super) fn has_begin(scene: &Scene<'_>) -> bool {
    scene.tool.params.iter().any(|param| {
        let temporal = matches!(
            want(param, &scene.tool.words),
            Want::Date | Want::When | Want::DateTime | Want::Time
        );
        temporal && side(param) == Side::From
    })
}

pub(super) fn latest(date: Date, today: Date) -> Date {
    let year_before = jiff::Span::new().years(-1);
    if date > today {
        date.checked_add(year_before).unwrap_or(date)
    } else {
        date
    }
}
