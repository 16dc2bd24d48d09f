//! Halves and quarters of hours behind the hour, in Spanish and French.

use super::clock::{Clock, word};
use crate::demo::lang::Lang;
use crate::demo::words::Token;

/// An hour with the minutes past it, or before it.
pub(super) fn past(hour: i8, minutes: i8) -> Option<Clock> {
    let open = (1..=12).contains(&hour);
    if minutes < 0 {
        return Clock::new(if hour == 1 { 12 } else { hour - 1 }, 60 + minutes, open);
    }
    Clock::new(hour, minutes, open)
}

/// What follows the hour: `y media`, `et quart`, `menos cuarto`.
pub(super) fn fraction_after(tokens: &[Token], at: usize, lang: Lang) -> Option<(i8, usize)> {
    let minutes = match (lang, word(tokens, at), word(tokens, at + 1)) {
        (Lang::Es, "y", "media") | (Lang::Fr, "et", "demie" | "demi") => 30,
        (Lang::Es, "y", "cuarto") | (Lang::Fr, "et", "quart") => 15,
        (Lang::Es, "menos", "cuarto") => -15,
        (Lang::Fr, "moins", "le") if word(tokens, at + 2) == "quart" => return Some((-15, at + 3)),
        _ => return None,
    };
    Some((minutes, at + 2))
}
