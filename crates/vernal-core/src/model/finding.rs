use std::fmt;
use std::sync::Arc;

/// Something that a model's adapter knows of a request before it is sent (rule SCH-8).
///
/// It reads as one line, with the tool that it is about and what can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// The tool that it is about; `None` where it is about the request.
    pub tool: Option<Arc<str>>,
    /// What was found.
    pub kind: FindingKind,
    text: String,
}

/// How much a [`Finding`] matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Good to know.
    Note,
    /// The model is told less than the tool says, or a setting has no effect.
    Warning,
    /// The provider refuses the request.
    Error,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingKind {
    /// A tool's schema cannot be sent as it is.
    SchemaLoss(SchemaLoss),
    /// A tool is sent under another name, and its calls come back under its own.
    NameMapped {
        /// The name that the provider sees.
        wire: String,
    },
    /// More of something than the provider takes.
    LimitExceeded {
        /// What is limited, such as `tools`.
        limit: &'static str,
        /// The most that is taken.
        most: usize,
        /// How much there is.
        found: usize,
    },
    /// A setting or a tool that the model or its server has no way to follow.
    NotSupported,
    /// The request cannot be written.
    Refused,
}

/// What became of a keyword of a schema that a provider does not take.
///
/// Arguments are always checked against the tool's own schema, whatever the provider was told.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaLoss {
    /// Where the keyword stands in the tool's schema: a JSON pointer to the schema that has it, empty
    /// for the root.
    pub path: String,
    /// The keyword.
    pub keyword: String,
    /// What became of it.
    pub outcome: LossOutcome,
}

/// What becomes of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossOutcome {
    /// It is told in the description instead.
    Described,
    /// It is replaced by something that allows more.
    Loosened,
    /// The model can say less than the tool takes.
    Narrowed,
    /// It is sent, and the provider does not read it.
    Ignored,
    /// It is left out.
    Dropped,
    /// It is left out, and no value is checked against it: words about the schema, such as `title`.
    Unsaid,
    /// The tool is sent without the strict mode that was asked for.
    NotStrict,
}

impl SchemaLoss {
    /// A loss.
    pub fn new(path: impl Into<String>, keyword: impl Into<String>, outcome: LossOutcome) -> Self {
        Self {
            path: path.into(),
            keyword: keyword.into(),
            outcome,
        }
    }
}

impl fmt::Display for SchemaLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match &*self.path {
            "" => "the root of the schema",
            path => path,
        };
        let became = match self.outcome {
            LossOutcome::Described => "is told in the description instead",
            LossOutcome::Loosened => "is sent as something that allows more",
            LossOutcome::Narrowed => "keeps the model from saying all that the tool takes",
            LossOutcome::Ignored => "is sent, but not read",
            LossOutcome::Dropped => "is left out",
            LossOutcome::Unsaid => "is left out, and no value is checked against it",
            LossOutcome::NotStrict => "cannot be had in strict mode, so the tool is sent without",
        };
        write!(f, "`{}` at {place} {became}", self.keyword)
    }
}

impl Finding {
    /// A finding about a request; `text` is one line that names the thing and what can be done.
    pub fn new(severity: Severity, kind: FindingKind, text: impl Into<String>) -> Self {
        Self {
            severity,
            tool: None,
            kind,
            text: text.into(),
        }
    }

    /// A loss of a tool's schema: a warning where the model is not told of it, else a note.
    pub fn of_loss(tool: Arc<str>, loss: SchemaLoss) -> Self {
        let severity = match loss.outcome {
            LossOutcome::Dropped | LossOutcome::Ignored | LossOutcome::NotStrict => {
                Severity::Warning
            }
            _ => Severity::Note,
        };
        let text = loss.to_string();
        Self::new(severity, FindingKind::SchemaLoss(loss), text).about(tool)
    }

    /// This finding, about a tool.
    #[must_use]
    pub fn about(mut self, tool: Arc<str>) -> Self {
        self.tool = Some(tool);
        self
    }

    /// What was found, without the tool.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.tool {
            Some(tool) => write!(f, "the tool `{tool}`: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}
