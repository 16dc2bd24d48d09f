use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::advisor::{
    BudgetExceeded, ChatClientResponse, InvalidAnswer, MemoryFailure, Progress, RequestState,
};
use crate::calling::{NotWithin, ToolExecutionError, Turn};
use crate::memory::MemoryError;
use crate::message::{History, Usage};
use crate::model::ModelError;
use crate::tool::name::shown;
use crate::tool::{DuplicateTool, ToolProviderError};

/// Why a request of a [`ChatClient`](crate::client::ChatClient) failed.
///
/// Opaque: ask it with its predicates. Its text is one line that names the thing, the value and the
/// fix; its sources are in [`source`](StdError::source). What the turn had done is not lost: see
/// [`messages`](Self::messages) and [`usage`](Self::usage).
pub struct Error(Box<Inner>);

struct Inner {
    kind: Kind,
    progress: Option<Progress>,
    /// The tokens of model calls whose answers are not in the progress.
    discarded: Usage,
}

enum Kind {
    Model(ModelError),
    Tool(ToolExecutionError),
    UnknownTool {
        tool_name: Arc<str>,
        known: String,
    },
    Duplicate(DuplicateTool),
    Provider {
        provider: String,
        cause: ToolProviderError,
    },
    Setup(String),
    TurnTimeout(Duration),
    RequestTimeout(Duration),
    Budget(BudgetExceeded),
    Answer(Box<InvalidAnswer>),
    Advisor {
        name: String,
        cause: Box<dyn StdError + Send + Sync>,
    },
}

impl Error {
    fn new(kind: Kind) -> Self {
        Self(Box::new(Inner {
            kind,
            progress: None,
            discarded: Usage::default(),
        }))
    }

    /// An error of an advisor of the application's own.
    pub fn advisor(
        name: impl Into<String>,
        cause: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self::new(Kind::Advisor {
            name: name.into(),
            cause: cause.into(),
        })
    }

    pub(crate) fn setup(problem: impl Into<String>) -> Self {
        Self::new(Kind::Setup(problem.into()))
    }

    pub(crate) fn turn_timeout(given: Duration) -> Self {
        Self::new(Kind::TurnTimeout(given))
    }

    pub(crate) fn request_timeout(given: Duration) -> Self {
        Self::new(Kind::RequestTimeout(given))
    }

    pub(crate) fn budget(exceeded: BudgetExceeded) -> Self {
        Self::new(Kind::Budget(exceeded))
    }

    pub(crate) fn answer(invalid: InvalidAnswer) -> Self {
        Self::new(Kind::Answer(Box::new(invalid)))
    }

    /// A limit of time, which `what` names, where there are no timers.
    pub(crate) fn no_timers(what: &str) -> Self {
        Self::setup(format!("{what} {}", NotWithin::NEEDS_A_RUNTIME))
    }

    pub(crate) fn provider(provider: &str, cause: ToolProviderError) -> Self {
        Self::new(Kind::Provider {
            provider: provider.to_owned(),
            cause,
        })
    }

    pub(crate) fn tool(error: ToolExecutionError) -> Self {
        Self::new(Kind::Tool(error))
    }

    pub(crate) fn unknown_tool(tool_name: Arc<str>, known: String) -> Self {
        Self::new(Kind::UnknownTool { tool_name, known })
    }

    /// Adds the tokens of model calls whose answers were discarded on the way, so that
    /// [`usage`](Self::usage) is all that was spent. For an advisor that calls the model several times.
    #[must_use]
    pub fn with_discarded_usage(mut self, usage: Usage) -> Self {
        self.0.discarded += usage;
        self
    }

    /// Keeps what the turn had done, unless an inner turn's progress is kept already.
    pub(crate) fn with_progress(mut self, turn: &Turn) -> Self {
        self.0.progress.get_or_insert_with(|| Progress {
            messages: turn.messages().clone(),
            usage: turn.usage(),
            rounds: turn.rounds(),
        });
        self
    }

    /// Keeps what a turn had done that succeeded, where something after it failed.
    pub(crate) fn with_response(mut self, response: &ChatClientResponse) -> Self {
        self.0.progress = self.0.progress.or_else(|| Progress::of(response));
        self
    }

    /// Takes tokens out of the discarded ones, as far as they are among them: they are counted elsewhere.
    pub(crate) fn without_discarded(mut self, usage: Usage) -> Self {
        self.0.discarded = self.0.discarded.without(usage);
        self
    }

    /// Keeps what a request had paid for by the end of its chain and no turn has kept.
    pub(crate) fn with_paid(mut self, state: &RequestState) -> Self {
        let paid = state.take_paid();
        if let Some(turn) = paid.turn.filter(|_| self.0.progress.is_none()) {
            self.0.discarded = self.0.discarded.without(turn.usage);
            self.0.progress = Some(turn);
        }
        self.without_discarded(paid.usage)
            .with_discarded_usage(paid.usage)
    }

    /// The kind of the error in a word or two, without anything that somebody said.
    pub(crate) fn kind_name(&self) -> Cow<'static, str> {
        let name = match &self.0.kind {
            Kind::Model(error) => return format!("model: {:?}", error.kind()).into(),
            Kind::Tool(_) => "tool",
            Kind::UnknownTool { .. } => "unknown tool",
            Kind::Duplicate(_) => "duplicate tool",
            Kind::Provider { .. } => "tool provider",
            Kind::Setup(_) => "setup",
            Kind::TurnTimeout(_) | Kind::RequestTimeout(_) => "timeout",
            Kind::Budget(_) => "budget",
            Kind::Answer(_) => "invalid answer",
            Kind::Advisor { .. } if self.is_memory() => "memory",
            Kind::Advisor { .. } => "advisor",
        };
        name.into()
    }

    /// The model's error, if the model failed.
    pub fn model_error(&self) -> Option<&ModelError> {
        match &self.0.kind {
            Kind::Model(error) => Some(error),
            _ => None,
        }
    }

    /// The tool's error, if a tool ended the turn.
    pub fn tool_error(&self) -> Option<&ToolExecutionError> {
        match &self.0.kind {
            Kind::Tool(error) => Some(error),
            _ => None,
        }
    }

    /// The tool that the error is about, if it is about one.
    pub fn tool_name(&self) -> Option<&str> {
        match &self.0.kind {
            Kind::Tool(error) => Some(error.tool_name()),
            Kind::UnknownTool { tool_name, .. } => Some(tool_name),
            Kind::Duplicate(duplicate) => Some(&duplicate.name),
            _ => None,
        }
    }

    /// The memory's error, if a conversation could not be loaded or stored (rule MEM-8).
    pub fn memory_error(&self) -> Option<&MemoryError> {
        let Kind::Advisor { cause, .. } = &self.0.kind else {
            return None;
        };
        match cause.downcast_ref::<MemoryFailure>() {
            Some(failure) => Some(&failure.cause),
            None => cause.downcast_ref(),
        }
    }

    /// Whether a conversation could not be loaded or stored: by a
    /// [`MessageChatMemoryAdvisor`](crate::advisor::MessageChatMemoryAdvisor), or by an advisor of one's
    /// own whose [`Error::advisor`] has a [`MemoryError`] as its cause.
    pub fn is_memory(&self) -> bool {
        self.memory_error().is_some()
    }

    /// Whether two tools of the request have one name (rule TOOLS-4).
    pub fn is_duplicate_tool(&self) -> bool {
        matches!(self.0.kind, Kind::Duplicate(_))
    }

    /// Whether the model named a tool that there is not, and names are strict.
    pub fn is_unknown_tool(&self) -> bool {
        matches!(self.0.kind, Kind::UnknownTool { .. })
    }

    /// Whether the client or the request is put together wrongly, so that sending it again is of no
    /// use.
    pub fn is_setup(&self) -> bool {
        matches!(self.0.kind, Kind::Setup(_) | Kind::Duplicate(_))
    }

    /// Whether a tool provider could not list its tools.
    pub fn is_provider(&self) -> bool {
        matches!(self.0.kind, Kind::Provider { .. })
    }

    /// The budget that the turn reached, if one ended it.
    pub fn budget_exceeded(&self) -> Option<&BudgetExceeded> {
        match &self.0.kind {
            Kind::Budget(exceeded) => Some(exceeded),
            _ => None,
        }
    }

    /// The answer that does not fit the type that was asked for, if that is what is wrong.
    pub fn invalid_answer(&self) -> Option<&InvalidAnswer> {
        match &self.0.kind {
            Kind::Answer(invalid) => Some(invalid),
            _ => None,
        }
    }

    /// Whether it took too long.
    pub fn is_timeout(&self) -> bool {
        matches!(self.0.kind, Kind::TurnTimeout(_) | Kind::RequestTimeout(_))
            || self.model_error().is_some_and(ModelError::is_timeout)
            || self.memory_error().is_some_and(MemoryError::is_timeout)
            || self
                .tool_error()
                .is_some_and(ToolExecutionError::is_timeout)
    }

    /// Whether the same request may succeed another time.
    pub fn is_retryable(&self) -> bool {
        self.model_error().is_some_and(ModelError::is_retryable)
    }

    /// How long the model's provider asks to wait before the next try.
    pub fn retry_after(&self) -> Option<Duration> {
        self.model_error()?.retry_after()
    }

    /// What was said before the turn failed; every tool call in it has an answer. `None` where no turn
    /// had begun.
    pub fn messages(&self) -> Option<&History> {
        self.0.progress.as_ref().map(|progress| &progress.messages)
    }

    /// The tokens that the turn had cost before it failed (rule LOOP-6).
    pub fn usage(&self) -> Usage {
        let progress = self.0.progress.as_ref();
        let mut usage = progress.map_or(Usage::default(), |progress| progress.usage);
        usage += self.0.discarded;
        usage
    }

    /// The rounds of tool calls before the turn failed.
    pub fn rounds(&self) -> u32 {
        self.0
            .progress
            .as_ref()
            .map_or(0, |progress| progress.rounds)
    }
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        Self::new(Kind::Model(error))
    }
}

impl From<DuplicateTool> for Error {
    fn from(duplicate: DuplicateTool) -> Self {
        Self::new(Kind::Duplicate(duplicate))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            Kind::Model(error) => error.fmt(f),
            Kind::Tool(error) => error.fmt(f),
            Kind::UnknownTool { tool_name, known } => {
                write!(
                    f,
                    "the model called `{}`, which is no tool of the request ({known})",
                    shown(tool_name)
                )
            }
            Kind::Duplicate(duplicate) => duplicate.fmt(f),
            Kind::Provider { provider, cause } => {
                write!(
                    f,
                    "the tool provider `{provider}` could not list its tools: {cause}"
                )
            }
            Kind::Setup(problem) => f.write_str(problem),
            Kind::TurnTimeout(given) => write!(
                f,
                "the turn did not finish in {given:?}; give it more time with `turn_timeout`"
            ),
            Kind::RequestTimeout(given) => write!(
                f,
                "the request did not finish in {given:?}; give its `RequestDeadlineAdvisor` more time"
            ),
            Kind::Budget(exceeded) => exceeded.fmt(f),
            Kind::Answer(invalid) => invalid.fmt(f),
            Kind::Advisor { name, cause } => write!(f, "the advisor `{name}` failed: {cause}"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self:})")
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.0.kind {
            Kind::Model(error) => error.source(),
            Kind::Tool(error) => error.source(),
            Kind::Provider { cause, .. } => cause.source(),
            Kind::Advisor { cause, .. } => cause.source(),
            Kind::UnknownTool { .. }
            | Kind::Duplicate(_)
            | Kind::Setup(_)
            | Kind::TurnTimeout(_)
            | Kind::RequestTimeout(_)
            | Kind::Budget(_)
            | Kind::Answer(_) => None,
        }
    }
}
