//! Whether a text only says what is not to be done.

use super::asked::{is_question, is_told_verb};
use super::continued::{is_statement, is_told};
use super::cue::ends_sentence;
use super::lang::Lang;
use super::reading::{Reading, overlap};
use super::role::listed;
use super::words::Token;

/// `Don't set an alarm`, `do not call any tool`: nothing is wanted beside what is ruled out.
pub(super) fn is_refused(reading: &Reading) -> bool {
    let ruled_out = |token: &Token| {
        reading
            .negated
            .iter()
            .any(|part| overlap(part, &token.span))
    };
    let wish = |token: &Token| {
        token.is_word()
            && token.word.is_action()
            && !ruled_out(token)
            && !is_told_verb(token, reading)
    };
    // `I have already cancelled it.`
    let done = reading
        .tokens
        .iter()
        .any(|token| matches!(token.lower(), "already" | "이미" | "schon" | "ya"));
    let first = reading.tokens.first().map_or("", Token::lower);
    let told = is_told(reading) || matches!(first, "i" | "i've" | "we" | "we've" | "it" | "it's");
    let asks = reading
        .tokens
        .iter()
        .any(|token| matches!(token.lower(), "please" | "can" | "could" | "but" | "so"));
    if done && told && !asks && !is_question(reading) {
        return true;
    }
    if reading.text.contains(['?', '？']) && reading.lang != Lang::Ko && !opens_negated(reading) {
        return false;
    }
    let mut refused = false;
    for sentence in reading.tokens.split(|token| ends_sentence(token.lower())) {
        let negated = sentence.iter().position(ruled_out);
        match negated {
            // In Korean what is wanted stands at the end.
            Some(_) if reading.lang == Lang::Ko => {
                let last = sentence
                    .iter()
                    .rposition(ruled_out)
                    .map_or(0, |last| last + 1);
                let mut after = sentence.iter().skip(last);
                if after.any(|token| token.word.is_action() || token.is_number()) {
                    return false;
                }
                refused = true;
            }
            Some(at) if at <= 3 => {
                // `I'd rather keep it` is the other side of what is ruled out.
                let own = |part: &[Token]| {
                    let first = part.first().map_or("", Token::lower);
                    !listed("i i'd i'll i'm we we'd we'll", first) && part.iter().any(wish)
                };
                let mut parts = sentence.split(|token| token.lower() == ",");
                if parts.any(own) {
                    return false;
                }
                refused = true;
            }
            Some(_) => return false,
            None if is_statement(sentence, reading.lang) => {}
            None if sentence.iter().any(wish) => return false,
            None => {}
        }
    }
    refused
}

/// Whether what is ruled out stands at the beginning.
fn opens_negated(reading: &Reading) -> bool {
    let mut first = reading.tokens.iter().take(4);
    first.any(|token| reading.is_negated(&token.span))
}
