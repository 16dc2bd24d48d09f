//! Clauses that add to the wish before them.

use std::ops::Range;

use super::continued::{is_statement, is_told};
use super::lang::Lang;
use super::reading::Reading;
use super::role::listed;
use super::synonyms::Action;
use super::words::Token;

/// Whether a clause only goes on with what the clause before it asks for.
pub(super) fn goes_on(clause: &Reading) -> bool {
    is_statement(&clause.tokens, clause.lang) || is_about_the_same(clause)
}

/// `give them until Friday`, `keep it short`: a verb that says nothing by itself, and what was spoken of.
fn is_about_the_same(clause: &Reading) -> bool {
    let joins = |token: &&Token| {
        !token.is_word() || matches!(token.lower(), "and" | "but" | "also" | "please" | "then")
    };
    let mut words = clause.tokens.iter().skip_while(joins).map(Token::lower);
    let (verb, object) = (words.next(), words.next());
    matches!(verb, Some("give" | "keep" | "make" | "have"))
        && matches!(object, Some("it" | "them" | "him" | "her"))
}

/// `Could you …?`, `Please …`: a wish that is said as one.
pub(super) fn requests(clause: &Reading) -> bool {
    let mut words = clause.tokens.iter().filter(|token| token.is_word());
    let opens = words.by_ref().take(3).any(|token| {
        listed(
            "please could can would will kindly bitte könnten könntest können podría podrías puedes pourriez",
            token.lower(),
        )
    });
    opens || clause.lang == Lang::Ko && !is_told(clause)
}

/// `My number is 12, and I'd love a seat in front`: no verb of another wish.
pub(super) fn adds_only(whole: &Reading, clause: &Range<usize>) -> bool {
    let reading = Reading::with_language(whole.slice(clause), whole.lang);
    let another = |token: &Token| {
        listed("need want also another too", token.lower())
            || token.word.actions().any(|action| action != Action::Read)
    };
    whole.lang == Lang::En
        && is_personal(whole, clause)
        && !reading
            .tokens
            .iter()
            .any(|token| token.is_word() && another(token))
}

/// Whether a part only speaks of the speaker, without asking for anything.
pub(super) fn is_personal(whole: &Reading, span: &Range<usize>) -> bool {
    let reading = Reading::with_language(whole.slice(span), whole.lang);
    let first = reading.tokens.iter().find(|token| token.is_word());
    let opens = first.is_some_and(|token| {
        listed(
            "i i'm i've i'd my we we're we've our it's there there's the ich wir mein meine me mi",
            token.lower(),
        )
    });
    (opens || reading.lang == Lang::Ko && is_told(&reading)) && !requests(&reading)
}
