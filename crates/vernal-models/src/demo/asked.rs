//! What a message asks to be done.

use super::continued::{is_told, tells_of_past};
use super::cue::preposition;
use super::irregular::base;
use super::lang::Lang;
use super::reading::Reading;
use super::role::listed;
use super::synonyms::Action;
use super::words::{Token, Word};

/// What the text asks to be done, by its first verb.
pub(crate) fn asked_actions(reading: &Reading) -> Vec<Action> {
    let asian = matches!(reading.lang, Lang::Ko | Lang::Ja);
    let mut verbs = reading.tokens.iter().filter(|token| {
        token.is_word()
            && token.word.is_action()
            && token.span.start < reading.background
            && !reading.is_quoted(&token.span)
            && !reading.is_negated(&token.span)
            && !is_told_verb(token, reading)
    });
    // There the verb ends the sentence.
    let verb = if asian {
        verbs.next_back()
    } else {
        verbs.next()
    };
    // `Is the door open?` opens nothing.
    let first = reading.tokens.iter().find(|token| token.is_word());
    let state = first.is_some_and(|token| {
        matches!(
            token.lower(),
            "is" | "are"
                | "was"
                | "were"
                | "does"
                | "did"
                | "has"
                | "have"
                | "ist"
                | "sind"
                | "está"
                | "están"
        )
    });
    if state {
        return vec![Action::Read];
    }
    // `I spent 12 on food`: something to be kept.
    let second = reading.tokens.get(1).map_or("", Token::lower);
    let told = first.is_some_and(|token| matches!(token.lower(), "i" | "we"))
        && (second.ends_with("ed")
            || matches!(
                second,
                "spent"
                    | "ate"
                    | "had"
                    | "ran"
                    | "went"
                    | "drank"
                    | "slept"
                    | "paid"
                    | "bought"
                    | "took"
                    | "did"
                    | "just"
                    | "weigh"
                    | "got"
                    | "sold"
            ));
    let single = !reading
        .tokens
        .iter()
        .any(|token| matches!(token.lower(), "," | ";" | "—" | "–"));
    let stated = reading.lang == Lang::En
        && single
        && is_told(reading)
        && verb.is_none_or(|verb| verb.span.start > 0);
    if (told || stated || tells_of_past(reading)) && !is_question(reading) {
        return vec![Action::Create];
    }
    let Some(verb) = verb else { return Vec::new() };
    let next = reading.after(verb.span.end, 0).map_or("", Token::lower);
    // `set up` is not `set`.
    let two = Word::new(&format!("{}_{next}", verb.lower()));
    let whole = Some(&two)
        .filter(|two| two.is_action())
        .unwrap_or(&verb.word);
    let mut actions: Vec<Action> = whole.actions().collect();
    // `tell me` asks, `tell Bob` sends.
    if matches!(next, "me" | "us") && actions.contains(&Action::Read) {
        actions.retain(|action| *action == Action::Read);
    }
    match (verb.lower(), next) {
        // `get another two` obtains.
        ("get", "another" | "more") => return vec![Action::Create],
        // `get me a taxi` may find one or make one.
        ("get", "me" | "us")
            if matches!(
                reading.after(verb.span.end, 1).map_or("", Token::lower),
                "a" | "an"
            ) =>
        {
            actions.push(Action::Create);
        }
        // `give the room another hour` reads nothing.
        ("give", next) if !matches!(next, "me" | "us") => actions.clear(),
        _ => {}
    }
    actions
}

/// `I found another one`: nothing is to be found.
pub(crate) fn is_told_verb(token: &Token, reading: &Reading) -> bool {
    let subject = reading.before(token.span.start, 0).map_or("", Token::lower);
    let past = base(token.lower()).is_some() || token.lower().ends_with("ed");
    past && listed("i we he she they it", subject)
}

/// The verb of a wish: the word it begins with, or in Korean its last verb.
pub(crate) fn main_verb(reading: &Reading) -> Option<&Word> {
    let own = |token: &&Token| {
        token.is_word() && token.span.start < reading.background && !reading.is_quoted(&token.span)
    };
    if reading.lang == Lang::Ko {
        let mut verbs = reading
            .tokens
            .iter()
            .filter(own)
            .filter(|token| token.word.is_action());
        return verbs.next_back().map(|token| &token.word);
    }
    let mut words = reading.tokens.iter().filter(own).skip_while(|token| {
        listed(
            "please can could would will you kindly i i'd i'll we like want need to just now then and hey hi hello ok okay so let's be able \
             bitte kannst könntest du mir por favor puedes",
            token.lower(),
        )
    });
    let first = words.next()?;
    let noun = words
        .next()
        .is_none_or(|next| matches!(next.lower(), "of" | "for" | "in" | "is" | "are"));
    // `get my car washed`
    let caused = listed("get have", first.lower()).then(|| {
        let rest = reading
            .tokens
            .iter()
            .skip_while(|token| token.span.start <= first.span.start);
        let mut phrase = rest.take_while(|token| {
            token.is_word() && preposition(reading.lang, token.lower()).is_none()
        });
        phrase.find(|token| token.lower().ends_with("ed") && token.word.is_action())
    });
    if let Some(verb) = caused.flatten() {
        return Some(&verb.word);
    }
    // `send it back`: the verb is both words.
    let two = reading
        .phrases
        .iter()
        .find(|(two, span)| span.start == first.span.start && two.is_action());
    (!noun).then_some(two.map_or(&first.word, |(two, _)| two))
}

/// Whether the text asks something rather than wants something done.
pub(crate) fn is_question(reading: &Reading) -> bool {
    let first = reading.tokens.iter().find(|token| token.is_word());
    let asks = first.is_some_and(|token| {
        matches!(
            token.lower(),
            "what"
                | "what's"
                | "who"
                | "who's"
                | "when"
                | "where"
                | "why"
                | "how"
                | "which"
                | "is"
                | "are"
                | "does"
                | "do"
                | "was"
                | "wer"
                | "wie"
                | "wann"
                | "wo"
                | "warum"
                | "welche"
                | "qué"
                | "quién"
                | "cuándo"
                | "dónde"
                | "cómo"
                | "cuál"
                | "qui"
                | "quand"
                | "où"
                | "quel"
                | "quelle"
        )
    });
    asks || reading.text.trim_end().ends_with(['?', '？'])
}
