//! Clauses that add to the wish before them.

use std::ops::Range;

use super::continued::{is_statement, is_told};
use super::lang::Lang;
use super::reading::Reading;
use super::role::listed;
use super::script::{Particle, without_particle};
use super::synonyms::Action;
use super::tool::Tool;
use super::words::Token;

/// Whether a clause only goes on with what the clause before it, for `tool`, asks for.
pub(super) fn goes_on(clause: &Reading, tool: &Tool) -> bool {
    is_statement(&clause.tokens, clause.lang)
        || is_about_the_same(clause)
        || has_topic_of(clause, tool)
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

/// `드론은 2번을 써`: what the clause is about is a parameter of what was wished for.
fn has_topic_of(clause: &Reading, tool: &Tool) -> bool {
    let Some(topic) = clause.tokens.first().filter(|_| clause.lang == Lang::Ko) else {
        return false;
    };
    let verb = clause.tokens.iter().rfind(|token| token.is_word());
    let general = [
        "써",
        "쓰",
        "해",
        "하",
        "부탁",
        "줘",
        "주세요",
        "할게",
        "골라",
    ];
    let plain = verb.is_some_and(|verb| general.iter().any(|head| verb.lower().starts_with(head)));
    let marked = without_particle(topic.lower()).1 == Some(Particle::Subject);
    let mut words = tool
        .params
        .iter()
        .flat_map(|param| param.words.iter().chain(&param.about));
    plain && marked && words.any(|word| word.likeness(&topic.word) >= 0.65)
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

/// `I'd prefer the large one, and I'll collect it`: more about what was wished for.
pub(super) fn elaborates(clause: &Reading) -> bool {
    let first = clause.tokens.iter().find(|token| token.is_word());
    let opens = first.is_some_and(|token| {
        listed(
            "i'd i'll we'd we'll i we it it'll it's they there's ideally preferably make",
            token.lower(),
        )
    });
    let another = |token: &Token| listed("another also too second", token.lower());
    opens && !clause.tokens.iter().any(another)
}
