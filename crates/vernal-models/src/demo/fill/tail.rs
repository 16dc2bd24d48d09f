//! What is added at the end without a word that says what it is: `…, code review`, `… (window side)`.

use std::ops::Range;

use super::assign::Board;
use super::leaf::{Candidate, Leaf, Scene, listed};
use crate::demo::cue::{ends_sentence, preposition};
use crate::demo::lang::is_stop;
use crate::demo::reading::overlap;
use crate::demo::role::Want;
use crate::demo::schema::Shape;
use crate::demo::words::Token;

/// The most words of such an addition.
const MOST: usize = 7;

impl Board<'_> {
    /// Gives an addition that nothing has taken to the only open text that tells more.
    pub(super) fn place_tail(&mut self, scene: &Scene<'_>) {
        let Some(span) = self.tail(scene) else {
            return;
        };
        let text = scene.reading.slice(&span).to_owned();
        let mut open = self.leaves.iter().enumerate().filter(|(index, leaf)| {
            self.chosen.get(*index).is_some_and(Option::is_none)
                && tells_more(leaf)
                && matches!(&leaf.param.shape, Shape::Text(shape) if shape.allows(&text) && shape.format.is_none())
        });
        let Some((index, _)) = open.next() else {
            return;
        };
        if open.next().is_none() {
            self.choose(index, Candidate::new(text, span, 0.7));
        }
    }

    fn tail(&self, scene: &Scene<'_>) -> Option<Range<usize>> {
        let reading = scene.reading;
        let own: Vec<&Token> = reading
            .tokens
            .iter()
            .filter(|token| token.span.start < reading.background)
            .collect();
        let opens = |token: &&Token| {
            matches!(token.lower(), "," | "-" | "–" | "—" | "(" | ";")
                && is_apart(token, &reading.text)
                && !reading.is_quoted(&token.span)
        };
        let at = own.iter().rposition(opens)?;
        let words: Vec<&&Token> = own
            .get(at + 1..)?
            .iter()
            .filter(|token| !matches!(token.lower(), ")" | "."))
            .collect();
        let last = words.last()?;
        let span = words.first()?.span.start..last.span.end;
        let used = self.taken.iter().any(|taken| overlap(taken, &span));
        let told = words.iter().any(|token| {
            token.is_word()
                && !is_stop(reading.lang, token.lower())
                && preposition(reading.lang, token.lower()).is_none()
        });
        let other = words.iter().any(|token| {
            ends_sentence(token.lower())
                || listed(
                    "and or but please thanks thank you i we it then if bitte danke gracias porfa 그리고 부탁",
                    token.lower(),
                )
        });
        let verb = words.first().is_some_and(|token| {
            token.word.is_action() && token.word.concepts.len() == token.word.actions().count()
        });
        (words.len() <= MOST && at > 2 && told && !used && !other && !verb).then_some(span)
    }
}

/// Whether a mark parts two phrases: `, so`, ` - so`, not `1,5` or `re-open`.
fn is_apart(mark: &Token, text: &str) -> bool {
    let before = text.get(..mark.span.start).unwrap_or_default();
    let after = text.get(mark.span.end..).unwrap_or_default();
    let open = before.ends_with(char::is_whitespace);
    match mark.lower() {
        "(" => open,
        "," | ";" => after.starts_with(char::is_whitespace),
        _ => open && after.starts_with(char::is_whitespace),
    }
}

/// Whether a parameter takes what is told beside the rest.
fn tells_more(leaf: &Leaf<'_>) -> bool {
    matches!(leaf.want, Want::Text | Want::Topic)
        || leaf.named(
            "reason purpose note notes comment comments remark remarks memo activity details description occasion \
             instructions request requests 사유 메모 비고 목적 내용",
        )
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    #[test]
    fn additions_go_to_the_text_that_is_open() {
        let hours = json!({
            "project": {"type": "string"},
            "hours": {"type": "number"},
            "note": {"type": "string", "description": "What was done"},
        });
        for (text, note) in [
            (
                "Log 2 hours on project Zeus, bug triage",
                json!("bug triage"),
            ),
            ("Log 2 hours on project Zeus, please", json!(null)),
            ("Log 2 hours on project Zeus", json!(null)),
        ] {
            let got = filled("log_hours", hours.clone(), &["project", "hours"], text);
            assert_eq!(got["note"], note, "{text}");
        }
    }
}
