//! A text with everything that the extractors find in it.

use std::ops::Range;

use super::continued::asides;
use super::cue::{Cue, preposition};
use super::fill::duration::{Duration, durations};
use super::fill::expression::{Expression, expression, only_calculates};
use super::fill::moment::{Moment, moments};
use super::fill::number::{Quantity, quantities};
use super::fill::pattern::{Formed, formed};
use super::fill::quote::quoted;
use super::lang::{Lang, language_of};
use super::negate::{corrected, negated};
use super::reports::told;
use super::said::phrases;
use super::words::{Token, Word, tokens};

/// The most bytes of a text in which things are looked for.
const MAX_BYTES: usize = 2000;

/// The most bytes of a text in which quotation marks are paired.
const MAX_QUOTED: usize = 64_000;

/// Where a text is cut that is longer than so many bytes.
fn cut(text: &str, most: usize) -> usize {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// A text and what is in it.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) text: String,
    pub(crate) lang: Lang,
    pub(crate) tokens: Vec<Token>,
    pub(crate) quantities: Vec<Quantity>,
    pub(crate) durations: Vec<Duration>,
    pub(crate) moments: Vec<Moment>,
    pub(crate) formed: Vec<Formed>,
    pub(crate) quoted: Vec<(String, Range<usize>)>,
    pub(crate) expression: Option<Expression>,
    /// Words that mean one thing together.
    pub(crate) phrases: Vec<(Word, Range<usize>)>,
    /// Whether the text is nothing but a calculation.
    pub(crate) calculates: bool,
    /// The parts that say what is not wanted.
    pub(crate) negated: Vec<Range<usize>>,
    /// Values that are put right behind them.
    pub(crate) corrected: Vec<Range<usize>>,
    /// Sentences that tell something and wish for nothing.
    pub(crate) told: Vec<Range<usize>>,
    /// Those of them, behind the first sentence, whose words are mostly no values.
    pub(crate) asides: Vec<Range<usize>>,
    /// Where text begins that only helps to understand the rest: what was said before.
    pub(crate) background: usize,
    /// Whether that text is another wish, whose words are no text of this one.
    pub(crate) of_another: bool,
    /// The parts that the tool takes for which another one looks something up.
    pub(crate) spared: Vec<Spared>,
}

/// A part of the text that is a value of another tool, with the words of that value's parameter.
#[derive(Debug, Clone)]
pub(crate) struct Spared {
    pub(crate) span: Range<usize>,
    pub(crate) words: Vec<Word>,
}

impl Reading {
    /// Reads a text in the language it seems to be in.
    pub(crate) fn new(text: &str) -> Self {
        Self::with_language(text, language_of(text))
    }

    /// Reads a text in a language.
    pub(crate) fn with_language(text: &str, lang: Lang) -> Self {
        let head = text.get(..cut(text, MAX_BYTES)).unwrap_or_default();
        let tokens = tokens(head);
        let quantities = quantities(&tokens, lang);
        let durations = durations(&tokens, &quantities);
        let written = expression(head, &tokens, lang);
        let moments = moments(head, &tokens, &durations, lang);
        let corrected = corrected(&tokens, &moments, &quantities);
        Self {
            phrases: phrases(&tokens),
            calculates: only_calculates(&tokens, &quantities, written.as_ref(), lang),
            expression: written,
            formed: formed(head),
            quoted: quoted(text.get(..cut(text, MAX_QUOTED)).unwrap_or_default()),
            negated: negated(&tokens, lang),
            corrected,
            told: told(&tokens, lang),
            asides: asides(&tokens, lang),
            lang,
            quantities,
            durations,
            moments,
            tokens,
            background: text.len(),
            of_another: false,
            spared: Vec::new(),
            text: text.to_owned(),
        }
    }

    /// The same with what was said before, which only helps out.
    pub(crate) fn with_background(text: &str, before: &str) -> Self {
        let mut reading = Self::with_language(&format!("{text}\n{before}"), language_of(text));
        reading.background = text.len();
        reading
    }

    /// Whether the text is longer than what is searched: it is one wish then.
    pub(crate) fn is_long(&self) -> bool {
        self.text.len() > MAX_BYTES
    }

    /// The part of the text in which things are looked for.
    pub(crate) fn head(&self) -> &str {
        self.text
            .get(..cut(&self.text, MAX_BYTES))
            .unwrap_or_default()
    }

    /// A part of the text, `""` where there is none.
    pub(crate) fn slice(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// The index of the first token that starts at or after a byte.
    pub(crate) fn token_at(&self, byte: usize) -> usize {
        self.tokens.partition_point(|token| token.span.start < byte)
    }

    /// The token before a byte, counted back from it: 0 is the nearest.
    pub(crate) fn before(&self, byte: usize, back: usize) -> Option<&Token> {
        self.tokens.get(self.token_at(byte).checked_sub(back + 1)?)
    }

    /// The token after a byte: 0 is the nearest.
    pub(crate) fn after(&self, byte: usize, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.token_at(byte) + ahead)
    }

    /// What the preposition before a span, or the particle after it, says.
    pub(crate) fn cue_of(&self, span: &Range<usize>) -> Option<Cue> {
        if matches!(self.lang, Lang::Ko | Lang::Ja) {
            return self.particle_after(span);
        }
        for back in 0..3 {
            let token = self.before(span.start, back)?;
            let word = token.lower();
            if let Some(cue) = preposition(self.lang, word) {
                return Some(cue);
            }
            let two = self.before(span.start, back + 1).map_or("", Token::lower);
            let three = self.before(span.start, back + 2).map_or("", Token::lower);
            match (two, word) {
                _ if matches!(
                    (two, word),
                    ("more" | "higher" | "longer" | "later", "than")
                ) && matches!(three, "no" | "not") =>
                {
                    return Some(Cue::Under);
                }
                _ if matches!((two, word), ("less" | "fewer", "than"))
                    && matches!(three, "no" | "not") =>
                {
                    return Some(Cue::Over);
                }
                ("at" | "no", "most")
                | ("less" | "cheaper" | "lower" | "fewer", "than")
                | ("up", "to") => return Some(Cue::Under),
                ("at", "least") | ("more" | "higher" | "greater", "than") => {
                    return Some(Cue::Over);
                }
                _ => {}
            }
            match word {
                "maximum" | "max" | "höchstens" | "maximal" | "máximo" => {
                    return Some(Cue::Under);
                }
                "minimum" | "min" | "mindestens" | "mínimo" => return Some(Cue::Over),
                // The second of `between 1 and 5`.
                "and" | "to" | "-" | "und" | "y" if self.opens_range(span.start, back) => {
                    return Some(Cue::To);
                }
                "the" | "a" | "an" | "my" | "der" | "den" | "dem" | "die" | "das" | "el" | "la"
                | "los" | "las" | "le" | "our" | "least" | "most" | "than" | "of" | "about"
                | "only" | "just" | "(" => {}
                _ => return None,
            }
        }
        None
    }

    /// Whether `between X` stands before the conjunction.
    fn opens_range(&self, byte: usize, back: usize) -> bool {
        (back + 1..back + 9).any(|further| {
            let word = self.before(byte, further).map_or("", Token::lower);
            preposition(self.lang, word) == Some(Cue::Between)
        })
    }

    fn particle_after(&self, span: &Range<usize>) -> Option<Cue> {
        use super::script::{japanese_particle, without_particle};
        let token = self
            .tokens
            .iter()
            .rev()
            .find(|t| t.span.start < span.end && t.is_word());
        let inside = token
            .filter(|t| t.span.end >= span.end)
            .and_then(|t| without_particle(t.lower()).1);
        let next = self.after(span.end, 0).filter(|t| !t.spaced && t.is_word());
        let glued = next.and_then(|t| match self.lang {
            Lang::Ja => japanese_particle(t.lower()),
            _ => without_particle(&format!("가가{}", t.lower())).1,
        });
        inside.or(glued).map(super::cue::of_particle)
    }

    /// Whether a part of the text belongs to another wish.
    pub(crate) fn is_of_another(&self, span: &Range<usize>) -> bool {
        self.of_another && span.start >= self.background
    }

    /// Whether a part of the text is ruled out.
    pub(crate) fn is_negated(&self, span: &Range<usize>) -> bool {
        let mut ruled_out = self.negated.iter().chain(&self.corrected);
        ruled_out.any(|part| overlap(part, span))
    }

    /// Whether the text lies in quotation marks.
    pub(crate) fn is_quoted(&self, span: &Range<usize>) -> bool {
        self.quoted
            .iter()
            .any(|(_, quote)| quote.start <= span.start && span.end <= quote.end)
    }
}

/// Whether two spans share a byte.
pub(crate) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_stand_before_or_after() {
        let cue = |text: &str, part: &str| {
            let reading = Reading::new(text);
            let start = text.find(part).unwrap();
            reading.cue_of(&(start..start + part.len()))
        };
        assert_eq!(cue("fly from Berlin to Rome", "Berlin"), Some(Cue::From));
        assert_eq!(cue("a room under 100 euros", "100"), Some(Cue::Under));
        assert_eq!(cue("at least 3 stars", "3"), Some(Cue::Over));
        assert_eq!(cue("between 1 and 5", "5"), Some(Cue::To));
        assert_eq!(cue("서울에서 부산까지", "부산"), Some(Cue::Until));
        assert_eq!(cue("東京から大阪まで", "東京"), Some(Cue::From));
        assert_eq!(cue("hello", "hello"), None);
    }

    #[test]
    fn long_texts_are_kept_but_not_searched_to_the_end() {
        let text = format!("{} 5kg", "x ".repeat(5000));
        let reading = Reading::new(&text);
        assert!(reading.quantities.is_empty() && reading.text.ends_with("5kg"));
    }
}
