//! What a tool's input schema asks for, reduced to what can be filled.

mod read;

use super::words::Word;
use serde_json::Value;

pub(crate) use read::params_of;

/// One parameter: a member of the input object, or of an object in it.
#[derive(Debug, Clone)]
pub(crate) struct Param {
    pub(crate) name: String,
    /// The words of the name.
    pub(crate) words: Vec<Word>,
    pub(crate) description: String,
    /// The words of the description.
    pub(crate) about: Vec<Word>,
    pub(crate) shape: Shape,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
    pub(crate) examples: Vec<Value>,
    /// Words by which other tools alone name what they take.
    pub(crate) foreign: Vec<Word>,
    /// Samples with digits that the description gives.
    pub(crate) samples: Vec<String>,
}

/// What values a parameter takes.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Text(Text),
    Number(Number),
    Boolean,
    Choice(Vec<Choice>),
    List(Box<List>),
    Object(Vec<Param>),
    Either(Vec<Shape>),
    Anything,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    pub(crate) format: Option<String>,
    pub(crate) pattern: Option<String>,
    pub(crate) min: Option<usize>,
    pub(crate) max: Option<usize>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Number {
    pub(crate) integer: bool,
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    pub(crate) above: Option<f64>,
    pub(crate) below: Option<f64>,
    pub(crate) multiple: Option<f64>,
}

/// One of the listed values.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) value: Value,
    /// The words of the value and of its own description.
    pub(crate) words: Vec<Word>,
    pub(crate) about: Vec<Word>,
}

#[derive(Debug, Clone)]
pub(crate) struct List {
    pub(crate) item: Param,
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
}

impl Number {
    /// Whether the number may be given.
    pub(crate) fn allows(&self, value: f64) -> bool {
        value.is_finite()
            && !(self.integer && value.fract() != 0.0)
            && self.min.is_none_or(|min| value >= min)
            && self.max.is_none_or(|max| value <= max)
            && self.above.is_none_or(|bound| value > bound)
            && self.below.is_none_or(|bound| value < bound)
            && self
                .multiple
                .is_none_or(|of| (value / of).fract().abs() < 1e-9)
    }
}

impl Text {
    /// Whether a text of this length may be given.
    pub(crate) fn allows(&self, text: &str) -> bool {
        let length = text.chars().count();
        self.min.is_none_or(|min| length >= min) && self.max.is_none_or(|max| length <= max)
    }
}
