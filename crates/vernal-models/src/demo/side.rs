//! Which of two like things a parameter wants: where from, or where to.

use super::role::listed;
use super::role_words::{FROM, TO};
use super::schema::Param;
use super::words::Word;

/// Which of two like things a parameter wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    From,
    To,
    Neither,
}

/// Which of two like things a parameter wants, such as `origin` or `end_date`.
pub(crate) fn side(param: &Param) -> Side {
    let side_of = |words: &[Word]| {
        words.iter().find_map(|word| {
            if listed(TO, &word.lower) {
                Some(Side::To)
            } else if listed(FROM, &word.lower) {
                Some(Side::From)
            } else {
                let glued = |known: &str| {
                    !known.is_ascii() && known.chars().count() >= 2 && word.lower.contains(known)
                };
                let inside = |words: &str| words.split_whitespace().any(glued);
                if inside(TO) {
                    Some(Side::To)
                } else {
                    inside(FROM).then_some(Side::From)
                }
            }
        })
    };
    let check = |word: &str| param.words.iter().any(|w| w.lower == word);
    if check("check") {
        return if check("out") { Side::To } else { Side::From };
    }
    side_of(&param.words)
        .or_else(|| described_side(param))
        .unwrap_or(Side::Neither)
}

fn described_side(param: &Param) -> Option<Side> {
    let any = |words: &str| {
        param
            .about
            .iter()
            .take(8)
            .any(|word| listed(words, &word.lower))
    };
    if any("target destination arrival end") {
        return Some(Side::To);
    }
    any("source origin departure starting").then_some(Side::From)
}
