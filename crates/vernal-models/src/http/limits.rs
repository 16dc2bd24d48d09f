use std::time::Duration;

/// How long a model call may take and how much it may bring.
///
/// ```
/// use std::time::Duration;
/// use vernal_models::http::HttpLimits;
///
/// let limits = HttpLimits::default().with_first_byte(Duration::from_secs(30));
/// assert_eq!(limits.first_byte, Duration::from_secs(30));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpLimits {
    /// For a connection. 10 s unless set.
    pub connect: Duration,
    /// From sending a request to the head of its response; without streaming, most servers send it
    /// only when the whole answer is there. 10 minutes unless set.
    pub first_byte: Duration,
    /// Between two pieces of a response, whatever they are: a sign of life of a server that is still at
    /// work, such as a ping or a comment, is one. 5 minutes unless set.
    pub idle: Duration,
    /// Between two events of a stream that say something; signs of life, such as comments and pings, do
    /// not count here. 15 minutes unless set.
    pub quiet: Duration,
    /// Between two events of a stream once the reason for its end was told: some servers tell it before
    /// the last words, and some never end the stream. After it the answer is complete. 30 s unless set.
    pub ending: Duration,
    /// For the whole call with all retries and waits; `None` sets no limit. It holds for a stream as
    /// long as it is read: whoever reads slowly has to allow for it. An hour unless set.
    pub total: Option<Duration>,
    /// The most bytes of a response. 128 MiB unless set.
    pub body: usize,
    /// The most bytes of one line or event of a stream. 16 MiB unless set.
    pub event: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(600),
            idle: Duration::from_secs(300),
            quiet: Duration::from_secs(900),
            ending: Duration::from_secs(30),
            total: Some(Duration::from_secs(3600)),
            body: 128 << 20,
            event: 16 << 20,
        }
    }
}

impl HttpLimits {
    /// With this time for a connection.
    #[must_use]
    pub fn with_connect(mut self, limit: Duration) -> Self {
        self.connect = limit;
        self
    }

    /// With this time from the request to the head of its response.
    #[must_use]
    pub fn with_first_byte(mut self, limit: Duration) -> Self {
        self.first_byte = limit;
        self
    }

    /// With this time between two pieces of a response.
    #[must_use]
    pub fn with_idle(mut self, limit: Duration) -> Self {
        self.idle = limit;
        self
    }

    /// With this time between two events that say something.
    #[must_use]
    pub fn with_quiet(mut self, limit: Duration) -> Self {
        self.quiet = limit;
        self
    }

    /// Sets the limit [`ending`](Self::ending).
    #[must_use]
    pub fn with_ending(mut self, limit: Duration) -> Self {
        self.ending = limit;
        self
    }

    /// With this time for the whole call; `None` for no limit.
    #[must_use]
    pub fn with_total(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.total = limit.into();
        self
    }

    /// With at most this many bytes of a response.
    #[must_use]
    pub fn with_body(mut self, bytes: usize) -> Self {
        self.body = bytes;
        self
    }

    /// With at most this many bytes of one event of a stream.
    #[must_use]
    pub fn with_event(mut self, bytes: usize) -> Self {
        self.event = bytes;
        self
    }
}
