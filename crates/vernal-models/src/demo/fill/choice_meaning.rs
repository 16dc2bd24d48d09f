//! What descriptions say that listed values stand for.

use super::leaf::{Leaf, Scene};
use crate::demo::lang::is_stop;
use crate::demo::schema::{Choice, Shape};
use crate::demo::words::{Token, Word, identifier_words};

/// What the descriptions say that a choice stands for: `'c' for Celsius`.
pub(super) fn described(
    leaf: &Leaf<'_>,
    choice: &Choice,
    text: &str,
    token: &Token,
    scene: &Scene<'_>,
) -> Option<f32> {
    let told = |word: &Word| {
        !is_stop(scene.reading.lang, &word.lower)
            && (word.likeness(&token.word) >= if word.lower.is_ascii() { 0.9 } else { 0.75 }
                || is_adjective_of(token.lower(), &word.lower))
    };
    let says = |choice: &Choice, text: &str| meanings(leaf, choice, text).iter().any(told);
    let said = !is_stop(scene.reading.lang, token.lower()) && says(choice, text);
    // `size` tells nothing where it is said of each: `small size, large size`.
    let all = match &leaf.param.shape {
        Shape::Choice(all) => all.as_slice(),
        _ => &[],
    };
    let shared = || {
        all.iter().any(|other| {
            let text = other.value.as_str().unwrap_or_default().to_lowercase();
            other.value != choice.value && says(other, &text)
        })
    };
    let said = said && !shared();
    // One letter may also stand for a word of its group, as `c` for Celsius does.
    let by_letter = choice.words.first().is_some_and(|word| {
        token.lower().chars().count() > 2
            && !word.concepts.is_empty()
            && word.likeness(&token.word) >= 0.65
    });
    (said || by_letter).then_some(if said { 0.8 } else { 0.65 })
}

/// `약하게` for `약`.
fn is_adjective_of(said: &str, meaning: &str) -> bool {
    let rest = said.strip_prefix(meaning).unwrap_or_default();
    !meaning.is_ascii()
        && meaning.chars().nth(1).is_none()
        && rest.starts_with(['하', '한', '히', '해', '으'])
}

/// The words by which the descriptions explain a choice.
pub(super) fn meanings(leaf: &Leaf<'_>, choice: &Choice, text: &str) -> Vec<Word> {
    let lower = leaf.param.description.to_lowercase();
    let mut meanings: Vec<Word> = choice.about.clone();
    for (at, _) in lower.match_indices(text).filter(|_| !text.is_empty()) {
        let edge = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        let before = lower.get(..at).and_then(|head| head.chars().next_back());
        let tail = lower.get(at + text.len()..).unwrap_or_default();
        if !edge(before) || !edge(tail.chars().next()) {
            continue;
        }
        let tail = tail.trim_start_matches(['\'', '"', '`', ' ', ')', '*']);
        let signs = [
            "for ", "= ", "=", ": ", ":", "means ", "is ", "(", "für ", "para ", "- ", "→ ",
        ];
        // `kitchen 주방`: the same in another script.
        let apart = text.is_ascii() && tail.starts_with(|c: char| !c.is_ascii());
        let signed = signs.iter().find_map(|sign| tail.strip_prefix(sign));
        // `L luminance, R red`
        let code = choice
            .value
            .as_str()
            .is_some_and(|value| value.len() <= 3 && value.starts_with(char::is_uppercase));
        let opens = lower.get(..at).map_or("", str::trim_end);
        let coded = code && (opens.is_empty() || opens.ends_with([',', ':', ';', '(']));
        let Some(tail) = signed.or((apart || coded).then_some(tail)) else {
            continue;
        };
        let meaning = tail
            .split([',', ';', '.', ')', '|'])
            .next()
            .unwrap_or_default();
        let meaning = meaning.split(" or ").next().unwrap_or_default();
        let words = identifier_words(meaning);
        meanings.extend(words.into_iter().take(4));
    }
    meanings
}
