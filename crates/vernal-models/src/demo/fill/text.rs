//! Free text: what is to be written, said or searched, in the words of the user.

use super::chunk::Chunk;
use super::clause::{clause_start, end_of_sentence, end_of_text, korean_saying, labelled};
use super::leaf::{Candidate, Leaf, Scene, listed};
use super::number::Quantity;
use crate::demo::cue::{Cue, preposition};
use crate::demo::lang::{Lang, is_stop};
use crate::demo::reading::overlap;
use crate::demo::role::Want;
use crate::demo::script::japanese_particle;
use crate::demo::words::Token;
use std::ops::Range;

/// The texts that the leaf might take; `taken` belongs to other values.
pub(crate) fn texts(
    leaf: &Leaf<'_>,
    chunks: &[Chunk],
    taken: &[Range<usize>],
    scene: &Scene<'_>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let worded = matches!(
        leaf.want,
        Want::Text
            | Want::Query
            | Want::Title
            | Want::Topic
            | Want::Thing
            | Want::Kind
            | Want::Person
            | Want::Place
            | Want::Container
            | Want::Author
            | Want::Code
    );
    if !worded {
        return found;
    }
    let mut add = |span: Range<usize>, score: f32| {
        let span = trimmed(span, taken, scene);
        let ruled_out =
            |negated: &Range<usize>| negated.start <= span.start && span.end <= negated.end;
        if score < 0.8 && scene.reading.negated.iter().any(ruled_out) {
            return;
        }
        let mut quotes = scene.reading.quoted.iter();
        let quote = quotes.find(|(_, quote)| quote.start == span.start && quote.end == span.end);
        let text = quote
            .map_or(scene.reading.slice(&span), |(text, _)| text)
            .trim();
        let meant = score >= 0.7 || has_content(&span, scene);
        if meant && text.chars().any(char::is_alphanumeric) {
            found.push(Candidate::new(text, span.clone(), score));
        }
    };
    if let Some(start) = clause_start(scene) {
        let score = match leaf.want {
            Want::Text => 0.9,
            Want::Title => 0.8,
            Want::Query if leaf.required => 0.8,
            Want::Query => 0.6,
            Want::Thing => 0.4,
            _ => 0.2,
        };
        let end = match leaf.want {
            Want::Title | Want::Query => end_of_sentence(start, scene),
            _ => end_of_text(start, scene),
        };
        add(start..end, score);
    }
    if leaf.named("reason purpose motivo grund occasion zweck 사유 목적 용도") {
        for chunk in chunks
            .iter()
            .filter(|chunk| chunk.cue == Cue::For && !chunk.name)
        {
            add(
                chunk.span.start..end_of_sentence(chunk.span.start, scene),
                0.82,
            );
        }
    }
    for span in labelled(leaf, scene) {
        add(span, 0.97);
    }
    for span in korean_saying(scene) {
        add(span, 0.85);
    }
    if matches!(
        leaf.want,
        Want::Text | Want::Query | Want::Title | Want::Topic
    ) {
        let own = |chunk: &&Chunk| !chunk.quoted && !scene.reading.is_of_another(&chunk.span);
        for chunk in chunks.iter().filter(own) {
            if let Some(score) = rest_fit(leaf.want, chunk) {
                // `pianos under 3000 euros, uprights only`: the rest is not all of one text.
                let rest = chunk.span.start..end_of_sentence(chunk.span.start, scene);
                let broken = taken.iter().any(|taken| overlap(taken, &rest));
                if broken && matches!(leaf.want, Want::Query | Want::Topic) {
                    add(chunk.span.clone(), score);
                }
                add(
                    chunk.span.start..end_of_sentence(chunk.span.start, scene),
                    score,
                );
            }
        }
    }
    if leaf.want == Want::Query && asks_the_world(scene) {
        add(0..end_of_sentence(0, scene), 0.72);
    }
    if leaf.required && matches!(leaf.want, Want::Query | Want::Text) {
        add(remaining(scene, taken), 0.35);
    }
    found
}

/// Whether a part of the text has more than small words.
fn has_content(span: &Range<usize>, scene: &Scene<'_>) -> bool {
    let lang = scene.reading.lang;
    let inside = scene
        .reading
        .tokens
        .iter()
        .filter(|token| overlap(&token.span, span));
    let mut telling = inside.filter(|token| {
        listed("hello hi hey thanks", token.lower())
            || !listed(MARKS, token.lower())
                && !is_stop(lang, token.lower())
                && preposition(lang, token.lower()).is_none()
    });
    telling.next().is_some() || span.end > scene.reading.tokens.last().map_or(0, |t| t.span.end)
}

/// Whether the text is a question and the tool one that answers any.
fn asks_the_world(scene: &Scene<'_>) -> bool {
    let first = scene.reading.tokens.first().map_or("", Token::lower);
    let question = listed(
        "who what when where why how which is are does do did wer was wann wo warum wie qué quién cuándo dónde",
        first,
    );
    let general = "web internet google wikipedia knowledge faq docs documentation question questions answer \
         answers online encyclopedia";
    let words = scene.tool.words.iter().chain(&scene.tool.about);
    question && words.into_iter().any(|word| listed(general, &word.lower))
}

fn rest_fit(want: Want, chunk: &Chunk) -> Option<f32> {
    match (want, chunk.cue) {
        (Want::Query | Want::Topic, Cue::About) => Some(0.92),
        (Want::Query | Want::Topic, Cue::For) => Some(0.78),
        (Want::Query, Cue::Object | Cue::Of | Cue::On) => Some(0.66),
        (Want::Text, Cue::About) => Some(0.6),
        (Want::Text, Cue::Saying) => Some(0.82),
        (Want::Text, Cue::Object) => Some(0.62),
        (Want::Title, Cue::Named) => Some(0.9),
        (Want::Title, Cue::Object) => Some(0.45),
        _ => None,
    }
}

const POLITE: &str = "please pls thanks thank you bitte danke por favor gracias merci 좀";

/// Marks that do not belong to the edge of a text.
const MARKS: &str = ", . ; : ! ? - – — … 。 、 ， ！ ？ ： ¿ ¡";

fn more_than_polite(tokens: &[&Token]) -> bool {
    let small = |token: &Token| {
        listed(POLITE, token.lower())
            || listed(MARKS, token.lower())
            || preposition(Lang::En, token.lower()).is_some()
    };
    tokens.iter().any(|token| !small(token))
}

/// Cuts what belongs to other values off the ends, with the small words before it.
fn trimmed(span: Range<usize>, taken: &[Range<usize>], scene: &Scene<'_>) -> Range<usize> {
    let reading = scene.reading;
    let mut tokens: Vec<&Token> = reading
        .tokens
        .iter()
        .filter(|t| t.span.start >= span.start && t.span.start < span.end)
        .collect();
    let covered = |span: &Range<usize>| taken.iter().any(|taken| overlap(taken, span));
    let is_taken = |token: &Token| {
        let counted = |q: &Quantity| overlap(&q.whole, &token.span) && covered(&q.span);
        covered(&token.span) || reading.quantities.iter().any(counted)
    };
    let mut cut = false;
    // A value in the middle ends the text where little comes after it.
    if let Some(first) = tokens.iter().position(|token| is_taken(token))
        && first > 0
    {
        let after = tokens
            .iter()
            .skip(first)
            .filter(|t| t.is_word() && !is_taken(t) && !is_stop(reading.lang, t.lower()))
            .count();
        // `the lift in 12 is stuck`
        let goes_on = tokens
            .iter()
            .skip(first)
            .any(|t| listed("is are was were has have had won't isn't", t.lower()));
        if after <= 1 && !goes_on {
            tokens.truncate(first);
            cut = true;
        }
    }
    // `add buy eggs to my notes`: where it is kept is no text.
    let noun = tokens
        .last()
        .filter(|last| scene.tool.words.iter().any(|word| word.is(&last.word)));
    let to = (2..=3)
        .filter_map(|back| tokens.get(tokens.len().checked_sub(back)?))
        .find(|to| matches!(to.lower(), "to" | "in" | "on" | "into"));
    if let (Some(to), Some(_), Lang::En) = (to, noun, reading.lang) {
        let start = to.span.start;
        tokens.retain(|token| token.span.start < start);
        cut = true;
    }
    let whole = if cut { usize::MAX } else { tokens.len() };
    let of_param = |token: &Token| {
        scene.tool.params.iter().any(|param| {
            param
                .words
                .iter()
                .any(|word| word.lower.chars().count() > 2 && word.is(&token.word))
        })
    };
    let final_word = reading.tokens.iter().rfind(|token| token.is_word());
    let to_the_end = tokens
        .iter()
        .any(|token| final_word.is_some_and(|last| last.span == token.span));
    while let Some(last) = tokens.last() {
        let small = is_taken(last)
            || (to_the_end && tokens.len() > 1 && closes_request(last, scene))
            || (tokens.len() < whole && tokens.len() > 1 && of_param(last))
            || (listed(POLITE, last.lower()) && more_than_polite(&tokens))
            || listed(MARKS, last.lower())
            || (tokens.len() > 1 && preposition(reading.lang, last.lower()).is_some())
            || (tokens.len() > 1
                && matches!(
                    last.lower(),
                    "the"
                        | "a"
                        | "and"
                        | "my"
                        | "der"
                        | "die"
                        | "das"
                        | "el"
                        | "la"
                        | "las"
                        | "und"
                        | "y"
                ));
        if !small {
            break;
        }
        tokens.pop();
    }
    let polite_ends = more_than_polite(&tokens);
    let kept = tokens.iter().skip_while(|token| {
        is_taken(token)
            || listed(MARKS, token.lower())
            || (polite_ends && listed(POLITE, token.lower()))
    });
    let kept: Vec<&&Token> = kept.collect();
    match (kept.first(), kept.last()) {
        (Some(first), Some(last)) => {
            // Where the search for tokens stopped, the text goes on.
            let searched = reading.tokens.last().map_or(0, |token| token.span.end);
            let end = if last.span.end == searched && span.end > searched {
                span.end
            } else {
                last.span.end.min(span.end)
            };
            first.span.start..end
        }
        _ if span.start >= reading.tokens.last().map_or(0, |token| token.span.end) => span,
        _ => span.start..span.start,
    }
}

fn closes_request(token: &Token, scene: &Scene<'_>) -> bool {
    let lang = scene.reading.lang;
    if !matches!(lang, Lang::Ko | Lang::Ja | Lang::Zh) || scene.reading.is_quoted(&token.span) {
        return false;
    }
    let of_tool = scene
        .tool
        .words
        .iter()
        .any(|word| word.likeness(&token.word) >= 0.6);
    of_tool
        || token.word.is_action()
        || is_stop(lang, token.lower())
        || (lang == Lang::Ja && japanese_particle(token.lower()).is_some())
        || listed("こと して する ことを", token.lower())
}

/// The message without its polite beginning and the verb that names the tool.
fn remaining(scene: &Scene<'_>, taken: &[Range<usize>]) -> Range<usize> {
    let reading = scene.reading;
    let end = end_of_text(0, scene);
    let skipped = reading.tokens.iter().take_while(|token| {
        let question = matches!(
            token.lower(),
            "who" | "what" | "when" | "where" | "why" | "how" | "which"
        );
        let verb = token.word.is_action() && !question;
        let polite = is_stop(reading.lang, token.lower()) && !question;
        let tool = scene.tool.words.iter().any(|word| word.is(&token.word));
        (verb || polite || tool) && !taken.iter().any(|taken| overlap(taken, &token.span))
    });
    let start = skipped.last().map_or(0, |token| token.span.end);
    start.min(end)..end
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    #[test]
    fn texts_are_what_is_left_when_all_else_is_taken() {
        let reminder = || json!({"text": {"type": "string"}, "time": {"type": "string", "format": "date-time"}});
        for (text, what) in [
            ("Remind me to call mom at 6pm", "call mom"),
            (
                "remind me tomorrow at 9 to buy milk and eggs",
                "buy milk and eggs",
            ),
            (
                "remind me that the rent is due on Friday at noon",
                "the rent is due",
            ),
            (
                "Erinnere mich morgen um 8 Uhr an den Zahnarzt",
                "den Zahnarzt",
            ),
        ] {
            assert_eq!(
                filled("remind", reminder(), &["text", "time"], text)["text"],
                what,
                "{text}"
            );
        }
    }

    #[test]
    fn labels_and_quotes_begin_and_end_texts() {
        let mail = json!({"subject": {"type": "string"}, "body": {"type": "string"}});
        let text = "Write a mail with subject Lunch today and body Are you free?";
        let wanted = json!({"subject": "Lunch today", "body": "Are you free"});
        assert_eq!(
            filled("write_mail", mail.clone(), &["subject", "body"], text),
            wanted
        );
        let text = "Write a mail with subject \"Hi\" and body \"It's late, isn't it?\"";
        let wanted = json!({"subject": "Hi", "body": "It's late, isn't it?"});
        assert_eq!(
            filled("write_mail", mail, &["subject", "body"], text),
            wanted
        );
    }
}
