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
    InvalidArguments,
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

    /// Arguments that fit the tool's schema and that it cannot take all the same: the call is answered as one
    /// whose arguments do not fit, whatever is done with the tool's failures (rule ERR-4).
    ///
    /// `text` is for the model: where, what was expected, and what came, a line for each. Reading arguments
    /// as Rust types fails like this; a tool that checks them itself says so before it does anything.
    ///
    /// ```
    /// use vernal_core::tool::{ToolError, ToolInput};
    ///
    /// #[derive(serde::Deserialize, Debug)]
    /// struct Port { port: u16 }
    ///
    /// let error = ToolInput::parse(r#"{"port":80000}"#)?.parse_as::<Port>().unwrap_err();
    /// assert!(error.is_invalid_arguments());
    /// assert_eq!(error.to_string(), "$.port: expected an integer from 0 to 65535, got a number 80000");
    ///
    /// let error = ToolError::invalid_arguments("$.port: expected a port that is open, got a number 7");
    /// assert!(error.is_invalid_arguments());
    /// # Ok::<(), vernal_core::tool::ToolInputError>(())
    /// ```
    pub fn invalid_arguments(text: impl Into<String>) -> Self {
        Self::new(Kind::InvalidArguments, text.into())
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

    /// Whether the tool did not run, because it cannot take its arguments.
    pub fn is_invalid_arguments(&self) -> bool {
        self.kind == Kind::InvalidArguments
    }

    /// How long to wait before the tool is run again, if the failure may pass.
    pub fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            Kind::Retry(wait) => Some(wait),
            Kind::Recoverable | Kind::InvalidArguments | Kind::Fatal => None,
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
