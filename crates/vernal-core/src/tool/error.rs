use std::any::type_name;
use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

type BoxError = Box<dyn StdError + Send + Sync>;

/// Why a tool failed, and who is to hear of it (rules ERR-1, ERR-9).
///
/// Anything that converts into a boxed error converts into a `ToolError` through `?`, and is then
/// *recoverable*: the model reads the error's own text, never its sources, and the turn goes on.
/// [`fatal`](Self::fatal) ends the turn and gives the error to the caller; [`retry`](Self::retry) asks
/// for another run first.
///
/// ```
/// use vernal_core::tool::ToolError;
///
/// fn half(text: &str) -> Result<i64, ToolError> {
///     let number: i64 = text.parse()?; // any error: the model reads "invalid digit found in string"
///     if number % 2 == 1 {
///         return Err(ToolError::model("only even numbers have a half here"));
///     }
///     Ok(number / 2)
/// }
/// assert!(half("7").unwrap_err().to_string().contains("even"));
/// assert!(!half("seven").unwrap_err().is_fatal());
/// ```
///
/// Like `anyhow::Error` it is no `std::error::Error` itself, which is what lets `?` convert.
pub struct ToolError {
    kind: Kind,
    cause: BoxError,
    type_name: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Recoverable,
    Retry(Duration),
    Fatal,
}

impl ToolError {
    fn new<E: Into<BoxError>>(kind: Kind, cause: E) -> Self {
        Self {
            kind,
            cause: cause.into(),
            type_name: type_name::<E>(),
        }
    }

    /// A failure described in text that is written for the model.
    pub fn model(text: impl Into<String>) -> Self {
        Self::new(Kind::Recoverable, text.into())
    }

    /// A failure that ends the turn; the model reads nothing of it.
    pub fn fatal(cause: impl Into<BoxError>) -> Self {
        Self::new(Kind::Fatal, cause)
    }

    /// A failure that may pass: the tool is run again after `wait`, if it is marked as idempotent and
    /// has retries left; otherwise it is like any other (rule EXE-5).
    pub fn retry(wait: Duration) -> Self {
        Self::new(Kind::Retry(wait), "the tool is busy; try again later")
    }

    /// Says what is behind a failure, keeping what is to happen with it.
    #[must_use]
    pub fn because(self, cause: impl Into<BoxError>) -> Self {
        Self::new(self.kind, cause)
    }

    /// Whether the failure ends the turn.
    pub fn is_fatal(&self) -> bool {
        self.kind == Kind::Fatal
    }

    /// How long to wait before the tool is run again, if the failure may pass.
    pub fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            Kind::Retry(wait) => Some(wait),
            Kind::Recoverable | Kind::Fatal => None,
        }
    }

    /// The name of the type that was converted, for people: without its path and its parameters.
    pub fn type_name(&self) -> &'static str {
        let bare = self.type_name.split('<').next().unwrap_or(self.type_name);
        bare.rsplit("::").next().unwrap_or(bare)
    }

    /// The error that was converted, or the text as an error.
    pub fn as_error(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &*self.cause
    }

    /// The converted error, if it is of type `E`.
    pub fn downcast_ref<E: StdError + 'static>(&self) -> Option<&E> {
        self.cause.downcast_ref()
    }

    /// Gives the converted error back.
    pub fn into_error(self) -> BoxError {
        self.cause
    }
}

impl<E: Into<BoxError>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::new(Kind::Recoverable, error)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.cause, f)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolError({:?}, {:?})", self.kind, self.cause)
    }
}
