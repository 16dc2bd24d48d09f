//! Where a text begins that is to be kept, said or sent: after `that`, a colon, a label.

use std::ops::Range;

use super::leaf::{Leaf, Scene, listed};
use crate::demo::cue::{ends_sentence, is_abbreviated};
use crate::demo::lang::Lang;
use crate::demo::role::Want;
use crate::demo::schema::Param;
use crate::demo::words::Token;

/// What follows the parameter's own name: `with subject Lunch and body Are you free?`.
pub(crate) fn labelled(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Range<usize>> {
    let reading = scene.reading;
    let tokens = &reading.tokens;
    let word = |at: usize| tokens.get(at).map_or("", Token::lower);
    let is_label = |at: usize, param: &Param| {
        let named = tokens.get(at).is_some_and(|token| {
            let own = param
                .words
                .iter()
                .filter(|own| own.lower.chars().count() > 2);
            token.is_word()
                && !reading.is_quoted(&token.span)
                && own.clone().any(|own| own.is(&token.word))
        });
        let joins = |at: Option<usize>| {
            let before = at.map_or("", word);
            listed(
                "with and , : its using mit und con y avec et ; - titled",
                before,
            )
        };
        let article = listed(
            "the a an as der die das el la",
            at.checked_sub(1).map_or("", word),
        );
        let announced = joins(at.checked_sub(1)) || (article && joins(at.checked_sub(2)));
        named && (announced && at > 1 || listed(": = is", word(at + 1)))
    };
    let mut found = Vec::new();
    let written = matches!(
        leaf.want,
        Want::Text | Want::Title | Want::Query | Want::Topic
    );
    for at in 0..tokens.len() {
        // `ask the team: "we are late"`
        let quotes = || {
            let mut after = (at + 1..at + 4).filter_map(|at| tokens.get(at));
            after.any(|token| reading.is_quoted(&token.span))
        };
        if !is_label(at, leaf.param) || !written && quotes() {
            continue;
        }
        let mut from = at + 1;
        // `last name Smith`: the rest of the label is no value.
        let own = |at: usize| {
            tokens.get(at).is_some_and(|t| {
                t.is_word() && leaf.param.words.iter().any(|word| word.is(&t.word))
            })
        };
        while own(from) {
            from += 1;
        }
        while listed(
            ": = is as of to that says saying reads ist heißt macht lautet es",
            word(from),
        ) {
            from += 1;
        }
        let others = |at: &usize| {
            scene
                .tool
                .params
                .iter()
                .any(|param| param.name != leaf.param.name && is_label(*at, param))
        };
        let mut end = (from..tokens.len()).find(others).unwrap_or(tokens.len());
        while end > from && listed("and with the a , ; - und mit y con", word(end - 1)) {
            end -= 1;
        }
        if let (Some(first), Some(last)) = (
            tokens.get(from),
            end.checked_sub(1).and_then(|last| tokens.get(last)),
        ) && first.span.start < last.span.end
        {
            let end = if end == tokens.len() {
                end_of_text(first.span.start, scene)
            } else {
                last.span.end
            };
            found.push(first.span.start..end);
        }
    }
    found
}

/// Verbs after which `to` or `that` begins what is to be kept or said.
const TELLING: &str = "remind tell ask note remember notify inform message text let warn say write memo task todo reminder \
    erinnere erinner notiere sag sage merke recuérdame recuerda dile avisa anota rappelle dis note";

/// Where the clause begins that says the text: after `that`, `saying`, a colon, or `remind me to`.
pub(crate) fn clause_start(scene: &Scene<'_>) -> Option<usize> {
    let reading = scene.reading;
    let tokens = &reading.tokens;
    let word = |at: usize| tokens.get(at).map_or("", Token::lower);
    let mut told = false;
    for (at, token) in tokens.iter().enumerate() {
        if token.span.start >= reading.background {
            break;
        }
        let lower = token.lower();
        if reading.is_quoted(&token.span) {
            continue;
        }
        told |= listed(TELLING, lower)
            || scene
                .tool
                .words
                .iter()
                .any(|w| w.is(&token.word) && listed(TELLING, &w.lower));
        let next = tokens.get(at + 1)?;
        let colon = lower == ":" && next.spaced || lower == "：";
        let says = match reading.lang {
            Lang::En => {
                matches!(lower, "saying" | "says")
                    || (lower == "that" && at > 0 && follows_verb(scene, at))
            }
            Lang::De => lower == "dass" || (lower == "," && word(at + 1) == "dass"),
            Lang::Es => matches!(lower, "diciendo" | "diga") || (lower == "que" && at > 0 && told),
            Lang::Fr => lower == "que" && told,
            _ => false,
        };
        // `tell her the bus is late`
        let pronoun = matches!(
            lower,
            "him" | "her" | "them" | "everyone" | "everybody" | "us"
        );
        let before = at.checked_sub(1).map_or("", word);
        let addressed = pronoun
            && matches!(
                before,
                "tell" | "remind" | "inform" | "ask" | "telling" | "warn"
            )
            && !matches!(
                next.lower(),
                "that" | "to" | "about" | "of" | "if" | "when" | "," | "." | "and"
            );
        // `let the office know the printer is down`
        let knows = lower == "know"
            && (2..6).any(|back| at.checked_sub(back).map_or("", word) == "let")
            && !matches!(next.lower(), "about" | "if" | "when" | "." | "," | "and");
        let says = says || knows;
        if colon || says || addressed {
            return Some(
                if word(at + 1) == "dass" || says && word(at + 1) == "that" {
                    tokens.get(at + 2)?.span.start
                } else {
                    next.span.start
                },
            );
        }
        let infinitive = match reading.lang {
            Lang::En => {
                lower == "to"
                    && told
                    && !next.capital
                    && !next.is_number()
                    && !matches!(next.lower(), "the" | "my" | "our" | "your" | "a")
            }
            Lang::De => lower == "an" && told,
            Lang::Es => matches!(lower, "de" | "que") && told && at > 0,
            _ => false,
        };
        // `Recuérdame comprar leche`
        let bare = reading.lang == Lang::Es
            && told
            && ["ar", "er", "ir"]
                .iter()
                .any(|end| next.lower().ends_with(end));
        if infinitive || bare {
            return Some(next.span.start);
        }
    }
    None
}

/// `note that …`, `tell Bob that …`, not `that one`.
fn follows_verb(scene: &Scene<'_>, at: usize) -> bool {
    let tokens = &scene.reading.tokens;
    let before = (1..6).filter_map(|back| tokens.get(at.checked_sub(back)?));
    // `text Mrs. Hill that …`
    let ends = |token: &Token| {
        let word = scene
            .reading
            .before(token.span.start, 0)
            .map_or("", Token::lower);
        ends_sentence(token.lower()) && !is_abbreviated(word)
    };
    let mut near = before.take_while(|token| !ends(token));
    near.any(|token| {
        let of_tool = scene.tool.words.iter().any(|word| word.is(&token.word));
        listed(TELLING, token.lower()) || token.word.is_action() || of_tool
    })
}

/// Korean: what stands before `라고` or `다고` and after the noun of the person.
pub(crate) fn korean_saying(scene: &Scene<'_>) -> Vec<Range<usize>> {
    let reading = scene.reading;
    let mut found = Vec::new();
    let mut start = 0;
    for token in &reading.tokens {
        let lower = token.lower();
        if reading.lang != Lang::Ko || reading.is_quoted(&token.span) {
            continue;
        }
        if ["에게", "한테", "께", "으로", "메모에", "노트에"]
            .iter()
            .any(|end| lower.ends_with(end))
        {
            start = token.span.end;
        }
        if let Some(length) = ["이라고", "라고", "다고", "자고", "냐고"]
            .iter()
            .find(|end| lower.ends_with(*end))
            .map(|end| end.len())
        {
            let keep = if lower.ends_with("다고") {
                "고".len()
            } else {
                length
            };
            found.push(start..token.span.end.saturating_sub(keep));
        }
    }
    found
}

pub(crate) fn end_of_text(start: usize, scene: &Scene<'_>) -> usize {
    let whole = scene.reading.background.min(scene.reading.text.len());
    let line = scene.reading.text.get(start..whole).unwrap_or_default();
    // `..., please report that`
    let line = line.split(", please").next().unwrap_or_default();
    start + line.trim_end().trim_end_matches(['.', '?', '!']).len()
}

pub(crate) fn end_of_sentence(start: usize, scene: &Scene<'_>) -> usize {
    let reading = scene.reading;
    let end = reading.tokens.iter().find(|token| {
        token.span.start > start
            && (ends_sentence(token.lower())
                && reading
                    .text
                    .get(token.span.end..)
                    .is_none_or(|tail| tail.starts_with(char::is_whitespace) || tail.is_empty()))
    });
    end.map_or(end_of_text(start, scene), |token| token.span.start)
        .min(reading.background)
}
