//! What has to be filled: the parameters of a tool, those inside of objects included, one by one.

use std::ops::Range;

use serde_json::Value;

use crate::demo::lang::{Lang, is_stop};
use crate::demo::now::Now;
use crate::demo::reading::Reading;
use crate::demo::role::{Want, want};
use crate::demo::schema::{Param, Shape};
use crate::demo::script::{Particle, without_particle};
use crate::demo::side::{Side, side};
use crate::demo::tool::Tool;
use crate::demo::words::{Token, Word};

/// What an extractor has to know.
pub(crate) struct Scene<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) tool: &'a Tool,
    pub(crate) now: Option<&'a Now>,
    /// A part of the text that the values should come from, where they can.
    pub(crate) prefer: Option<Range<usize>>,
}

/// One value to be filled.
#[derive(Debug, Clone)]
pub(crate) struct Leaf<'a> {
    pub(crate) path: Vec<&'a str>,
    pub(crate) param: &'a Param,
    /// The words of its own name and of the objects that it is in.
    pub(crate) words: Vec<Word>,
    pub(crate) want: Want,
    pub(crate) side: Side,
    pub(crate) required: bool,
    /// Whether the object that it is in requires it.
    pub(crate) completes: bool,
}

/// How good a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Strength {
    /// No value, but a name by which another tool may find it.
    Key,
    /// Only where nothing else is to be had.
    LastResort,
    /// What goes without saying, such as the first page.
    Convention,
    Firm,
}

/// What a value waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wait {
    /// The date of today.
    Day,
    /// The time it is now.
    Instant,
}

/// A value that a leaf might take.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) value: Value,
    pub(crate) spans: Vec<Range<usize>>,
    pub(crate) score: f32,
    pub(crate) strength: Strength,
    pub(crate) wait: Option<Wait>,
    /// Things that are listed together (`Paris and Oslo`) are of one group.
    pub(crate) group: Option<usize>,
}

impl Candidate {
    pub(crate) fn new(value: impl Into<Value>, span: Range<usize>, score: f32) -> Self {
        Self {
            value: value.into(),
            spans: vec![span],
            score,
            strength: Strength::Firm,
            wait: None,
            group: None,
        }
    }

    pub(crate) fn with_strength(mut self, strength: Strength) -> Self {
        self.strength = strength;
        self
    }
}

/// The leaves of a tool's input, required ones first.
pub(crate) fn leaves<'a>(tool: &'a Tool) -> Vec<Leaf<'a>> {
    let mut all = Vec::new();
    collect(&tool.params, &tool.words, &[], &[], true, &mut all);
    all
}

/// The leaves of an object that is an item of a list.
pub(crate) fn leaves_of<'a>(params: &'a [Param], tool: &[Word]) -> Vec<Leaf<'a>> {
    let mut all = Vec::new();
    collect(params, tool, &[], &[], true, &mut all);
    all
}

fn collect<'a>(
    params: &'a [Param],
    tool: &[Word],
    path: &[&'a str],
    outer: &[Word],
    required: bool,
    all: &mut Vec<Leaf<'a>>,
) {
    for param in params {
        let required = required && param.required;
        let mut path = path.to_vec();
        path.push(&param.name);
        let mut words = param.words.clone();
        match &param.shape {
            Shape::Object(inner) if !inner.is_empty() => {
                words.extend_from_slice(outer);
                collect(inner, tool, &path, &words, required, all);
            }
            _ => {
                let mut leaf_side = side(param);
                words.extend_from_slice(outer);
                if leaf_side == Side::Neither && !outer.is_empty() {
                    let from_outer = Param {
                        words: outer.to_vec(),
                        about: Vec::new(),
                        ..param.clone()
                    };
                    leaf_side = side(&from_outer);
                }
                let around = [outer, tool].concat();
                all.push(Leaf {
                    path,
                    param,
                    words,
                    want: want(param, &around),
                    side: leaf_side,
                    required,
                    completes: !outer.is_empty() && param.required,
                });
            }
        }
    }
}

/// Words of parameter names that name no thing.
const VAGUE: &str = "name value text string input max min maximum minimum total number amount count type kind id is has \
    the of in to from for by on at with new old current target source start end first last a b x y n k data";

impl Leaf<'_> {
    /// How near before or right after a span a word of the leaf's name stands: 0 for nowhere, 1 for next to it.
    pub(crate) fn label(&self, reading: &Reading, span: &Range<usize>) -> f32 {
        let names = |word: &Word| {
            let telling = |own: &&Word| own.lower.chars().count() > 1 && !listed(VAGUE, &own.lower);
            let exact = self.param.words.iter().any(|own| {
                own.lower.chars().count() > 1
                    && own.is(word)
                    && !listed("to from in of for at on by with is", &own.lower)
            });
            // A Korean message speaks in the words of the description where the name is English.
            let described = || {
                const VAGUE_KOREAN: &str =
                    "번호 이름 날짜 시각 시간 개수 수량 금액 여부 단위 인원 목록";
                let mut about = self.param.about.iter().take(4);
                reading.lang == Lang::Ko
                    && self.param.name.is_ascii()
                    && about.any(|own| {
                        own.lower.chars().count() > 1
                            && !own.lower.is_ascii()
                            && !listed(VAGUE_KOREAN, &own.lower)
                            && own.is(word)
                    })
            };
            exact
                || described()
                || self
                    .words
                    .iter()
                    .filter(telling)
                    .any(|own| own.likeness(word) >= 0.7)
        };
        for (back, weight) in [(0, 1.0), (1, 0.85), (2, 0.6)] {
            let Some(token) = reading.before(span.start, back) else {
                break;
            };
            if token.is_number()
                || token.is_symbol(",")
                || token.is_symbol(".")
                || token.lower() == "and"
            {
                break;
            }
            if token.is_word() && names(&token.word) {
                return weight;
            }
            if back == 0 && self.is_short_label(reading, token) {
                return 0.8;
            }
        }
        // `두 벌이랑`: what follows a particle is another thing.
        let apart = reading.lang == Lang::Ko
            && reading.before(span.end, 0).is_some_and(|last| {
                last.is_word()
                    && without_particle(last.lower())
                        .1
                        .is_some_and(|particle| particle != Particle::Of)
            });
        // `Ann will cover`
        let helped = reading
            .after(span.end, 0)
            .is_some_and(|token| listed("will would is can has 'll", token.lower()));
        match reading.after(span.end, usize::from(helped)) {
            Some(token) if !apart && token.is_word() && names(&token.word) => 0.9,
            _ => 0.0,
        }
    }

    /// `temp 37.4`, `BP 120`, `pulse 76`: a label that is shortened, or the word that the description begins with.
    fn is_short_label(&self, reading: &Reading, token: &Token) -> bool {
        let word = token.lower();
        let length = word.chars().count();
        if !token.is_word() || length < 2 || is_stop(reading.lang, word) {
            return false;
        }
        let capitals = reading.slice(&token.span).chars().all(char::is_uppercase);
        let initials = |words: &[Word]| -> String {
            words
                .iter()
                .filter_map(|word| word.lower.chars().next())
                .collect()
        };
        let outer = self.words.get(self.param.words.len()..).unwrap_or_default();
        let acronym = capitals && (initials(outer) == word || initials(&self.param.words) == word);
        let cut = |own: &Word| {
            length >= 3 && own.lower.len() >= length + 3 && own.lower.starts_with(word)
        };
        let described = self.param.about.first().is_some_and(|own| {
            length >= 4 && own.is(&token.word) && !own.is_action() && !listed(VAGUE, word)
        });
        let short = !listed("min max", word) && self.words.iter().any(cut);
        acronym || short || described
    }

    /// Whether a word of the leaf's name is one of these.
    pub(crate) fn named(&self, words: &str) -> bool {
        self.param
            .words
            .iter()
            .any(|word| listed(words, &word.lower))
    }
}

pub(crate) fn listed(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}
