use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Why a model call failed.
///
/// Opaque: ask it with its predicates. Its text is one line that names the thing, the value and the
/// fix; it never holds a key or a header.
#[derive(Clone)]
pub struct ModelError(Arc<Inner>);

struct Inner {
    kind: ModelErrorKind,
    message: String,
    status: Option<u16>,
    code: Option<String>,
    retryable: bool,
    retry_after: Option<Duration>,
    request_id: Option<String>,
    retries: u32,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The kinds of failures, for adapters to make and for the predicates to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The request could not be made: a setting is missing or does not fit.
    Configuration,
    /// No connection, or it broke.
    Connection,
    /// It took too long.
    Timeout,
    /// The key is missing, wrong, or not allowed to do this.
    Authentication,
    /// Too many requests.
    RateLimit,
    /// The account may not go on: no quota or credit is left.
    Quota,
    /// The request is larger than the model's context.
    ContextLength,
    /// A content filter refused the request.
    ContentFilter,
    /// The provider found the request at fault in another way.
    InvalidRequest,
    /// The provider failed.
    Server,
    /// The answer cannot be understood.
    Response,
}

impl ModelError {
    /// An error of a kind, with its line of text.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self(Arc::new(Inner {
            kind,
            message: message.into(),
            status: None,
            code: None,
            retryable: matches!(
                kind,
                ModelErrorKind::Connection
                    | ModelErrorKind::Timeout
                    | ModelErrorKind::RateLimit
                    | ModelErrorKind::Server
            ),
            retry_after: None,
            request_id: None,
            retries: 0,
            source: None,
        }))
    }

    /// With the HTTP status.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        self.change(|inner| inner.status = Some(status))
    }

    /// With the provider's error code.
    #[must_use]
    pub fn with_code(self, code: impl Into<String>) -> Self {
        let code = code.into();
        self.change(|inner| inner.code = Some(code))
    }

    /// With the provider's word on whether the request may be sent again.
    #[must_use]
    pub fn with_retryable(self, retryable: bool) -> Self {
        self.change(|inner| inner.retryable = retryable)
    }

    /// With the time to wait before the next try.
    #[must_use]
    pub fn with_retry_after(self, wait: Duration) -> Self {
        self.change(|inner| inner.retry_after = Some(wait))
    }

    /// With the provider's id of the request.
    #[must_use]
    pub fn with_request_id(self, id: impl Into<String>) -> Self {
        let id = id.into();
        self.change(|inner| inner.request_id = Some(id))
    }

    /// With how often the request was sent again before this came of it.
    #[must_use]
    pub fn with_retries(self, retries: u32) -> Self {
        self.change(|inner| inner.retries = retries)
    }

    /// With the error beneath.
    #[must_use]
    pub fn with_source(self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let source = source.into();
        self.change(|inner| inner.source = Some(source))
    }

    fn change(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        // The error was just made, so nobody else holds it.
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            change(inner);
        }
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> ModelErrorKind {
        self.0.kind
    }

    /// Whether it took too long.
    pub fn is_timeout(&self) -> bool {
        self.0.kind == ModelErrorKind::Timeout
    }

    /// Whether no connection could be had, or it broke.
    pub fn is_connection(&self) -> bool {
        self.0.kind == ModelErrorKind::Connection
    }

    /// Whether the key was refused.
    pub fn is_authentication(&self) -> bool {
        self.0.kind == ModelErrorKind::Authentication
    }

    /// Whether there were too many requests.
    pub fn is_rate_limit(&self) -> bool {
        self.0.kind == ModelErrorKind::RateLimit
    }

    /// Whether sending the same request again may help.
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// How long the provider asks to wait before the next try.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The HTTP status, where there was a response.
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The provider's error code.
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// The provider's id of the request, for its support.
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// How often the adapter sent the request again by itself before it gave up with this error; 0
    /// where it was sent once, or not at all. The error is that of the last try.
    pub fn retries(&self) -> u32 {
        self.0.retries
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match self.0.retries {
            0 => Ok(()),
            retries => write!(f, " (after {} tries)", u64::from(retries) + 1),
        }
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelError")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("status", &self.0.status)
            .field("code", &self.0.code)
            .field("request_id", &self.0.request_id)
            .field("retries", &self.0.retries)
            .finish_non_exhaustive()
    }
}

impl StdError for ModelError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
